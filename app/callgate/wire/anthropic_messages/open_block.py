"""A content block while it streams in: what its deltas add up to. Knows nothing of events or of other blocks."""

from dataclasses import dataclass, field

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    Cited,
    Delta,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    TextDelta,
)
from callgate.core.json.text import parse
from callgate.core.messages import Json, Opaque
from callgate.wire.anthropic_messages.arguments import is_whole, read_input
from callgate.wire.anthropic_messages.blocks import WIRE, signature_wire
from callgate.wire.anthropic_messages.citations import read_citations, unread_citation
from callgate.wire.unknown_fields import Beside


@dataclass(slots=True)
class Heard:
    """What one event meant."""

    deltas: list[Delta] = field(default_factory=list[Delta])
    repairs: list[str] = field(default_factory=list[str])
    beside: list[Beside] = field(default_factory=list[Beside])


class Parts:
    """Numbers of parts, dense from 0 in the order in which they start."""

    def __init__(self) -> None:
        self._next = 0

    def take(self) -> int:
        self._next += 1
        return self._next - 1


class OpenText:
    """Has no number before its first text: an empty block is no part."""

    def __init__(self, parts: Parts, heard: Heard, text: Json = "", citations: Json = None) -> None:
        self._parts = parts
        self._part: int | None = None
        self._length = 0
        self._citations: list[Json] = [*citations] if isinstance(citations, list) else []
        self._say(text, heard)

    def add(self, delta: dict[str, Json], heard: Heard) -> None:
        match delta.get("type"):
            case "text_delta":
                self._say(delta.get("text"), heard)
            case "citations_delta":
                citation = delta.get("citation")
                self._citations.append(citation)
                heard.beside.extend(unread_citation(citation))
            case other:
                heard.repairs.append(f"{other} in a text block")

    def end(self, heard: Heard) -> None:
        """The whole of its text rests on what is cited, and only now all of it is there."""
        if self._part is None and self._citations:
            heard.beside.append(("content.text.citations", self._citations))
        elif self._part is not None:
            cited = read_citations(self._citations, self._length)
            heard.deltas.extend(Cited(self._part, citation) for citation in cited)

    def _say(self, text: Json, heard: Heard) -> None:
        if not isinstance(text, str) or not text:
            return
        if self._part is None:
            self._part = self._parts.take()
        self._length += len(text)
        heard.deltas.append(TextDelta(self._part, text))


class OpenThinking:
    def __init__(self, parts: Parts, heard: Heard, block: dict[str, Json]) -> None:
        self._part = parts.take()
        self._signed = False
        self._given = block.get("signature")
        text = block.get("thinking")
        heard.deltas.append(ReasoningDelta(self._part, text if isinstance(text, str) else ""))

    def add(self, delta: dict[str, Json], heard: Heard) -> None:
        match delta.get("type"):
            case "thinking_delta":
                text = delta.get("thinking")
                if isinstance(text, str) and text:
                    heard.deltas.append(ReasoningDelta(self._part, text))
            case "signature_delta":
                self._sign(delta.get("signature"), heard)
            case other:
                heard.repairs.append(f"{other} in a thinking block")

    def end(self, heard: Heard) -> None:
        if not self._signed:
            self._sign(self._given, heard)

    def _sign(self, signature: Json, heard: Heard) -> None:
        if not isinstance(signature, str) or not signature:
            return
        if self._signed:
            heard.repairs.append("a second signature for one thinking block")
            return
        self._signed = True
        heard.deltas.append(ReasoningSigned(self._part, signature, signature_wire(signature)))


class OpenCall:
    """`CallStarted` has been said; here the arguments come in."""

    def __init__(self, part: int, given: Json) -> None:
        self._part = part
        self._given = given
        self.waits = False
        """An empty object came first: whether it is all, or only some server's beginning, the next event tells."""
        self._fragments: list[str] = []

    def add(self, delta: dict[str, Json], heard: Heard) -> None:
        fragment = delta.get("partial_json")
        if delta.get("type") != "input_json_delta":
            heard.repairs.append(f"{delta.get('type')} in a tool_use block")
        elif not isinstance(fragment, str) or not fragment:
            return
        elif fragment == "{}" and not self._fragments and not self.waits:
            self.waits = True  # some servers say `{}` before the true arguments; clients then lose those
        else:
            if self.waits:
                self.waits = False
                heard.repairs.append("an empty object came before the arguments")
            self._say(fragment, heard)

    def end(self, heard: Heard) -> None:
        if not self._fragments and self._given and not self.waits:
            heard.repairs.append("the arguments came without a delta")  # clients do not look in the block's start
            self._say(read_input(self._given), heard)
        if not self._fragments:
            self._say("{}", heard)
        heard.deltas.append(CallEnded(self._part, "".join(self._fragments)))

    def _say(self, fragment: str, heard: Heard) -> None:
        self._fragments.append(fragment)
        heard.deltas.append(ArgumentsDelta(self._part, fragment))


class OpenOpaque:
    """A block of a kind that only this wire has (a hosted tool's call or result …): comes whole when it ends."""

    def __init__(self, parts: Parts, block: dict[str, Json]) -> None:
        self._parts = parts
        self._block = dict(block)
        self._json: list[str] = []

    def add(self, delta: dict[str, Json], heard: Heard) -> None:
        del heard
        fragment = delta.get("partial_json")
        if isinstance(fragment, str):
            self._json.append(fragment)
            return
        for key, value in delta.items():
            if key == "type":
                continue
            before = self._block.get(key)
            self._block[key] = before + value if isinstance(before, str) and isinstance(value, str) else value

    def end(self, heard: Heard) -> None:
        arguments = "".join(self._json)
        if arguments and is_whole(arguments):
            self._block["input"] = parse(arguments)
        heard.deltas.append(PartArrived(self._parts.take(), Opaque(WIRE, self._block)))


class OpenRedacted:
    """Redacted thinking came whole in its start."""

    def add(self, delta: dict[str, Json], heard: Heard) -> None:
        heard.repairs.append(f"{delta.get('type')} in a redacted_thinking block")

    def end(self, heard: Heard) -> None:
        del heard


OpenBlock = OpenText | OpenThinking | OpenCall | OpenOpaque | OpenRedacted
