"""A wire desk over events that were played: reads bytes with the real codecs, as the live one does."""

from dataclasses import dataclass

from callgate.core.events import Event, ExchangeStarted, RoundStarted, WireCaptured
from callgate.core.sent_tools import SentTools
from callgate.engine.wire_desk import LegBytes, Neutral, read_neutral, tools_of_round
from callgate.wire.registry import CODECS

MCP_SOURCES = frozenset({"git", "search"})


@dataclass(frozen=True)
class FakeWireDesk:
    journal: dict[str, list[Event]]

    def neutral(self, sent: LegBytes) -> Neutral:
        return read_neutral(CODECS, sent)

    def is_mcp(self, source: str) -> bool:
        return source in MCP_SOURCES

    async def tools_sent(self, exchange_id: str, number: int) -> SentTools | None:
        everything = [event for events in self.journal.values() for event in events]
        told = [e for e in everything if isinstance(e, ExchangeStarted | RoundStarted) and e.exchange_id == exchange_id]
        sent = b"".join(
            event.data
            for event in everything
            if isinstance(event, WireCaptured)
            and (event.exchange_id, event.leg, event.round) == (exchange_id, "upstream_request", number)
        )
        return tools_of_round(CODECS, told, number, sent)
