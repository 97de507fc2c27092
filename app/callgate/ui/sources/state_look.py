"""How a source's state, kind and origin are said and shown: never by colour alone."""

from dataclasses import dataclass
from typing import Final

from callgate.engine.sources.source_service import SourceKind, SourceOrigin, SourceState, SourceView
from callgate.ui.text.time_format import left


@dataclass(frozen=True, slots=True)
class Look:
    word: str
    color: str
    """A colour of `Tokens`."""
    icon: str


STATE_LOOKS: Final[dict[SourceState, Look]] = {
    "ready": Look("Ready", "completed", "done"),
    "starting": Look("Starting", "accent", "waiting"),
    "restarting": Look("Starting again", "executing", "retry"),
    "failed": Look("Failed", "denied", "failed"),
    "stopped": Look("Stopped", "cancelled", "pause"),
    "off": Look("Off", "cancelled", "cancelled"),
}
KIND_WORDS: Final[dict[SourceKind, str]] = {
    "mcp": "MCP server",
    "command": "Commands",
    "builtin": "Built-in tools",
    "registered": "Registered by programs",
}
ORIGIN_WORDS: Final[dict[SourceOrigin, str]] = {
    "config": "configuration file",
    "added": "added here",
    "builtin": "part of Callgate",
    "http": "over HTTP",
}
TRANSPORT_WORDS: Final = {"": "", "stdio": "stdio", "http": "streamable HTTP", "sse": "SSE"}
ERA_WORDS: Final = {"": "", "legacy": "the era with a handshake", "modern": "the newer, stateless era"}


def state_words(view: SourceView, now: float) -> str:
    """The state with when it is tried again."""
    word = STATE_LOOKS[view.state].word
    if view.retry_at is not None and view.retry_at > now:
        return f"{word}, next try in {left(view.retry_at - now + 0.99)}"
    return word


def tool_words(count: int) -> str:
    return "no tools" if not count else "1 tool" if count == 1 else f"{count} tools"
