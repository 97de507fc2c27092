"""Statistics over events that were played: the real tables, in memory, counted as the real ones are."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass

from callgate.core.catalog.statistics import Statistics, TimeRange
from callgate.core.events import Event, ExchangeStarted
from callgate.store.tables.exchange_rows import begin_exchange
from callgate.store.tables.migrations import migrate
from callgate.store.tables.statistics_rows import count, note_statistics


@dataclass(frozen=True)
class FakeStatisticsService:
    journal: dict[str, list[Event]]

    async def count(self, asked: TimeRange) -> Statistics:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            migrate(connection)
            for events in self.journal.values():
                for event in events:
                    if isinstance(event, ExchangeStarted):
                        begin_exchange(connection, event)
                    note_statistics(connection, event)
            return count(asked, connection)

    async def first(self) -> float | None:
        return min((event.at for events in self.journal.values() for event in events), default=None)
