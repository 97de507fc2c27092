"""What a client says beside its tools, messages and parts in fields that only its own wire has: named where it is lost.

Everything counts that is not known to be of no weight elsewhere. Some clients put the same mark on every part: each
kind is named once, by whoever asks.
"""

from collections.abc import Iterable, Iterator, Mapping

from callgate.core.messages import Extras, File, Image, Json, Message, Opaque, Part, Reasoning, ToolResult
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.openai_responses.marks import ITEM, NAMESPACE
from callgate.wire.registry import CODECS

KEEPS_CACHE_MARKS = "anthropic"
_CACHE_MARK = "cache_control"
_MARK = "@"
_WRAPPERS = frozenset(
    (
        "function",
        "custom",
        "image_url",
        "input_audio",
        "file",
        "source",
        "inlineData",
        "fileData",
        "functionCall",
        "functionResponse",
    )
)
"""Names under which readers keep what is unknown of the object that a part or a tool wraps."""
_USUAL: Mapping[str, Json] = {"caller": {"type": "direct"}, "detail": "auto"}

_HAS_DETAIL: tuple[WireName, ...] = ("openai-chat", "openai-responses")
_HAS_NO_FILE_NAMES = "gemini"


def side_fields(request: ChatRequest, target: WireName) -> Iterator[str]:
    aside = _Asides(request.wire, target)
    for tool in request.tools:
        if isinstance(tool, ToolSpec) and tool.extras:
            yield from (f"tools.{name}" for name in (*aside.names(tool.extras), *aside.marked(tool.extras, NAMESPACE)))
    yield from (f"messages.{name}" for name in aside.of_messages(request.messages))


class _Asides:
    def __init__(self, wire: WireName, target: WireName) -> None:
        self._target: WireName = target
        self._light = CODECS[wire].request_fields.of_no_weight

    def of_messages(self, messages: Iterable[Message]) -> Iterator[str]:
        # every part of a long history is looked at, and nearly none has anything beside it
        for message in messages:
            if message.name and self._target != "openai-chat":
                yield "name"
            if message.extras:
                yield from self.names(message.extras)
            for part in message.parts:
                if part.kind == "text":
                    if part.extras:
                        yield from self.names(part.extras)
                        yield from self.marked(part.extras, ITEM)
                elif part.kind != "call" or part.extras:
                    yield from self._of_part(part)

    def _of_part(self, part: Part) -> Iterator[str]:
        match part:
            case Opaque() | Reasoning():
                return  # kept whole, and only for its own provider
            case Image() if part.detail not in ("", _USUAL["detail"]) and self._target not in _HAS_DETAIL:
                yield "detail"
            case File() if part.name and self._target == _HAS_NO_FILE_NAMES:
                yield "filename"
            case ToolResult():
                for inner in part.parts:
                    if inner.kind != "text" or inner.extras:
                        yield from self._of_part(inner)
            case _:
                pass
        if part.extras:
            yield from self.names(part.extras)

    def names(self, extras: Extras, within: str = "") -> Iterator[str]:
        for key, said in extras.items():
            if not said or key in self._light or _USUAL.get(key) == said:
                continue
            if key in _WRAPPERS and isinstance(said, dict):
                yield from self.names(said, f"{key}.")
            elif key == _CACHE_MARK and self._target == KEEPS_CACHE_MARKS:
                continue
            elif not key.startswith(_MARK) and f"{within}{key}" not in self._light:
                yield f"{within}{key}"

    def marked(self, extras: Extras, mark: str) -> Iterator[str]:
        """What a reader has put under a mark. What a group of tools is for, its first tool tells."""
        said = extras.get(mark)
        if isinstance(said, dict):
            yield from (name for name in self.names(said) if mark != NAMESPACE or name != "description")
