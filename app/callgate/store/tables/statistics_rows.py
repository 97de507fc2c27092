"""Facts about rounds and calls in tables of their own, small enough to be counted over months in a moment.

Kept up to date event by event, by the journal's writer; forgotten with their conversation.
"""

import sqlite3
from functools import partial
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.statistics import CallCount, RoundCount, Statistics, TimeRange, Wait
from callgate.core.events import Event, ExchangeEnded, InvocationChanged, RoundEnded, RoundStarted
from callgate.core.messages import Usage
from callgate.store.database import Database

TABLES: Final = ("statistics_rounds", "statistics_calls")
_SLICE: Final = "CAST((at - :since) / :width AS INTEGER)"
_WITHIN: Final = "at >= :since AND at < :until"
_ROUNDS: Final = (
    f"SELECT {_SLICE}, agent, model, endpoint, count(*), sum(outcome = 'failed'), sum(outcome = 'cancelled'),"
    " sum(input), sum(output), sum(cached), sum(cache_written), sum(reasoning),"
    " sum(estimated)"
    f" FROM statistics_rounds WHERE {_WITHIN} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
)
_CALLS: Final = (
    f"SELECT {_SLICE}, agent, model, tool, source, count(*), sum(denied), sum(failed), sum(cancelled)"
    f" FROM statistics_calls WHERE {_WITHIN} GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5"
)
_WAITS: Final = (
    f"SELECT {_SLICE}, agent, model, tool, waited FROM statistics_calls"
    f" WHERE {_WITHIN} AND waited IS NOT NULL ORDER BY at DESC LIMIT :most"
)
MOST_WAITS: Final = 50_000
"""The latest waits that are looked at one by one."""


def note_statistics(connection: sqlite3.Connection, event: Event) -> None:
    match event:
        case RoundStarted():
            _begin(connection, event)
        case RoundEnded():
            _end(connection, event)
        case ExchangeEnded():
            connection.execute(
                "UPDATE statistics_rounds SET outcome = ? WHERE exchange_id = ? AND outcome = ''",
                (event.outcome, event.exchange_id),
            )
        case InvocationChanged() if not event.invocation.is_live:
            _note_call(connection, event.invocation, event.at)
        case _:
            pass


def forget_statistics(connection: sqlite3.Connection, conversation_id: str) -> None:
    for table in TABLES:
        connection.execute(f"DELETE FROM {table} WHERE conversation_id = ?", (conversation_id,))


class StatisticsShelf:
    """For reading; counting happens beside the writer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, asked: TimeRange) -> Statistics:
        # what was recorded so far must be there for whoever looks
        await self._database.run(_nothing)
        return await self._database.look(partial(count, asked))

    async def first(self) -> float | None:
        """When anything happened for the first time."""
        return await self._database.look(_first)


def count(asked: TimeRange, connection: sqlite3.Connection) -> Statistics:
    given = {"since": asked.since, "until": asked.until, "width": asked.width, "most": MOST_WAITS}
    rounds = tuple(
        RoundCount(number, agent, model, endpoint, rounds, failed or 0, cancelled or 0, Usage(*(n or 0 for n in usage)))
        for number, agent, model, endpoint, rounds, failed, cancelled, *usage in connection.execute(_ROUNDS, given)
    )
    calls = tuple(CallCount(*row) for row in connection.execute(_CALLS, given))
    waits = tuple(Wait(*row) for row in connection.execute(_WAITS, given))
    return Statistics(asked, rounds, calls, waits)


def _nothing(connection: sqlite3.Connection) -> None:
    """Being done at all is the answer."""


def _first(connection: sqlite3.Connection) -> float | None:
    found = [connection.execute(f"SELECT min(at) FROM {table}").fetchone()[0] for table in TABLES]
    return min((float(at) for at in found if at is not None), default=None)


def _begin(connection: sqlite3.Connection, event: RoundStarted) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO statistics_rounds"
        " (exchange_id, round, conversation_id, at, agent, endpoint, model)"
        " VALUES (?, ?, ?, ?, coalesce((SELECT agent FROM exchanges WHERE exchange_id = ?), ''), ?, ?)",
        (
            event.exchange_id,
            event.round,
            event.conversation_id,
            event.at,
            event.exchange_id,
            _spoken(event.endpoint),
            _spoken(event.model),
        ),
    )


def _end(connection: sqlite3.Connection, event: RoundEnded) -> None:
    usage = event.usage or Usage()
    connection.execute(
        "UPDATE statistics_rounds SET outcome = 'completed', ended_at = ?, input = ?, output = ?, cached = ?,"
        " cache_written = ?, reasoning = ?, estimated = ? WHERE exchange_id = ? AND round = ?",
        (
            event.at,
            usage.input,
            usage.output,
            usage.cached,
            usage.cache_written,
            usage.reasoning,
            usage.estimated,
            event.exchange_id,
            event.round,
        ),
    )


def _note_call(connection: sqlite3.Connection, call: Invocation, at: float) -> None:
    states = {phase.state for phase in call.phases}
    waited = call.seconds_in("WaitingForConfirmation", at) if "WaitingForConfirmation" in states else None
    ran = call.seconds_in("Executing", at) if "Executing" in states else None
    result = call.ran_result or call.result
    failed = result is not None and result.is_error and not call.refused and ran is not None
    connection.execute(
        "INSERT OR REPLACE INTO statistics_calls"
        " (invocation_id, conversation_id, at, agent, model, tool, source, denied, failed, cancelled, waited, ran)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            call.id,
            call.conversation_id,
            call.started or at,
            _spoken(call.agent),
            _spoken(call.model),
            _spoken(call.tool),
            _spoken(call.source),
            call.refused,
            failed,
            call.state == "Cancelled" and not call.refused,
            waited,
            ran,
        ),
    )


def _spoken(text: str) -> str:
    """Half a surrogate pair can't be stored."""
    return text.encode("utf-8", "replace").decode("utf-8")
