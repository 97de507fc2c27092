"""A wire desk over events that were played: reads bytes with the real codecs, as the live one does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from callgate.core.catalog.sent_tools import SentTools
from callgate.core.events import Event, ExchangeStarted, FrameCaptured, InvocationChanged, RoundStarted, WireCaptured
from callgate.engine.console.wire_service import CallFrames, LegBytes, Neutral, read_neutral, tools_of_round
from callgate.wire.registry import CODECS

MCP_SOURCES = frozenset({"git", "search"})


@dataclass(frozen=True)
class FakeWireService:
    journal: dict[str, list[Event]]

    def neutral(self, sent: LegBytes) -> Neutral:
        return read_neutral(CODECS, sent)

    def is_mcp(self, source: str) -> bool:
        return source in MCP_SOURCES

    async def frames(self, invocation_id: str) -> CallFrames:
        frames = (e for events in self.journal.values() for e in events if isinstance(e, FrameCaptured))
        return CallFrames(tuple(frame for frame in frames if frame.invocation_id == invocation_id))

    async def exchange(self, exchange_id: str) -> Sequence[Event]:
        return [
            event
            for events in self.journal.values()
            for event in events
            if not isinstance(event, WireCaptured) and exchange_of(event) == exchange_id
        ]

    async def course(self, conversation_id: str) -> Sequence[Event]:
        events = [e for e in self.journal.get(conversation_id, []) if not isinstance(e, WireCaptured)]
        return [replace(event, text="") if isinstance(event, FrameCaptured) else event for event in events]

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


def exchange_of(event: Event) -> str:
    if isinstance(event, InvocationChanged):
        return event.invocation.exchange_id
    return str(getattr(event, "exchange_id", ""))
