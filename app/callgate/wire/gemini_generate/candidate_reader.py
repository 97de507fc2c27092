"""One candidate of a reply: its parts as they come → deltas. Whole replies take the same road as streamed ones."""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Cited,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    TextDelta,
    TokensWeighed,
)
from callgate.core.errors import BadRequest, Fault
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Opaque, Part, Reasoning, Text, ToolCall, ToolResult
from callgate.wire.gemini_generate.finish import UNSAID, read_finish
from callgate.wire.gemini_generate.grounding import Grounded, located, read_cited, read_grounding, unread_grounding
from callgate.wire.gemini_generate.ids import TurnIds
from callgate.wire.gemini_generate.logprobs import read_logprobs, unread_logprobs
from callgate.wire.gemini_generate.partial_arguments import PartialArguments
from callgate.wire.gemini_generate.parts import SIGNATURE, read_part
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.unknown_fields import Beside, unread

_KNOWN = frozenset(
    (
        "content",
        "finishReason",
        "finishMessage",
        "index",
        "groundingMetadata",
        "citationMetadata",
        "logprobsResult",
        "avgLogprobs",
    )
)
_PLAIN = frozenset(("content", "finishReason", "finishMessage", "index"))
_OF_CONTENT = frozenset(("role", "parts"))
_OF_PART = frozenset(("text", "thought", "functionCall", "inlineData", "fileData", SIGNATURE))
_HOLDS = frozenset(("text", "functionCall", "inlineData", "fileData"))
_OF_DATA = frozenset(("mimeType", "data"))
_OF_CALL = frozenset(("id", "name", "args", "partialArgs", "willContinue"))


class _OpenCall:
    """A call whose arguments stream in pieces."""

    def __init__(self, part: int, call: ToolCall) -> None:
        self.part = part
        self.signature, self.wire = call.signature, call.wire
        self.arguments = PartialArguments()


class CandidateReader:
    """`ids`: all call ids of the reply so far, over all candidates; `place` tells this candidate from all others."""

    def __init__(self, choice: int, ids: set[str], place: str) -> None:
        self._choice = choice
        self._ids = ids
        self._turn = TurnIds(place)
        self._next = 0
        self._open: str = ""
        """What the last part is, as long as more can be added to it: `text`, `reasoning` or nothing."""
        self._call: _OpenCall | None = None
        self._called = False
        self._texts: list[tuple[int, str]] = []
        """All that was said, with the parts that it went into."""
        self._bytes = 0
        self._begins: dict[int, int] = {}
        """The byte of all that was said at which each part of the first chunk begins."""
        self._grounded: list[Grounded] = []
        self._weighed = False
        self.finished = False

    def take(
        self, candidate: Mapping[str, Json], repairs: list[str], beside: list[Beside] | None = None
    ) -> list[Delta]:
        """What a chunk says of this candidate: its parts first, then what they rest on, then its end."""
        beside = [] if beside is None else beside
        content = candidate.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        if isinstance(content, dict):
            beside += unread(content, _OF_CONTENT, "candidates.content.")
        deltas: list[Delta] = []
        first = not self._begins
        for place, part in enumerate(parts if isinstance(parts, list) else ()):
            if first:
                self._begins[place] = self._bytes
            if isinstance(part, dict) and any(value is not None for value in part.values()):
                deltas += self._part(part, repairs)
                beside += _unread_part(part)
        if deltas and self.finished:
            repairs.append("a candidate went on after its end")
            self.finished = False
        if not candidate.keys() <= _PLAIN:
            deltas += self._annotate(candidate, beside)
        word = candidate.get("finishReason")
        if isinstance(word, str) and word not in UNSAID and not self.finished:
            deltas += self._cite()
            deltas += self._finish(word, candidate.get("finishMessage"), repairs, beside)
        elif self.finished and self._grounded:
            deltas += self._cite()
        return deltas

    def _annotate(self, candidate: Mapping[str, Json], beside: list[Beside]) -> list[Delta]:
        """What a chunk says of words; what they rest on is told when all of them are there."""
        beside += unread(candidate, _KNOWN, "candidates.")
        beside += [*unread_grounding(candidate), *unread_logprobs(candidate.get("logprobsResult"))]
        self._grounded += read_grounding(candidate.get("groundingMetadata"))
        self._grounded += read_cited(candidate.get("citationMetadata"))
        tokens = read_logprobs(candidate.get("logprobsResult"))
        if tokens and self._texts:
            self._weighed = True
            return [TokensWeighed(self._texts[-1][0], tokens, self._choice)]
        if not self._weighed:  # else the mean is only that of what has been told
            beside += [(f"candidates.{key}", True) for key in ("logprobsResult", "avgLogprobs") if candidate.get(key)]
        return []

    def _cite(self) -> list[Delta]:
        grounded, self._grounded = self._grounded, []
        if not grounded:
            return []
        texts = [(part, "".join(text for _, text in said)) for part, said in groupby(self._texts, itemgetter(0))]
        deltas: list[Delta] = []
        for one in grounded:
            found = located(one, texts, self._begins)
            if found is not None and (cited := Cited(*found, self._choice)) not in deltas:  # some say it in every chunk
                deltas.append(cited)
        return deltas

    def _part(self, given: dict[str, Json], repairs: list[str]) -> list[Delta]:
        call = given.get("functionCall")
        if isinstance(call, dict) and self._call is not None and not call.get("name"):
            return self._grow(call, repairs)
        try:
            part = read_part(Fields(given))
        except BadRequest as bad:
            if call is not None:
                return [Failed(Fault("upstream", f"unreadable call in the provider's answer: {bad.fault.message}"))]
            part = Opaque(WIRE, given)
        match part:
            case ToolCall():
                return self._take_call(part, given, repairs)
            case Reasoning():
                return self._think(part)
            case Text():
                return self._say(part)
            case _:
                self._open = ""
                whole: Part = Opaque(WIRE, given) if isinstance(part, ToolResult) else part
                return [PartArrived(self._new_part(), whole, self._choice)]

    def _say(self, part: Text) -> list[Delta]:
        signature = part.extras.get(SIGNATURE)
        if isinstance(signature, str) and signature:
            self._turn.saw(signature)
            self._open = ""
            signed = Text(part.text, {SIGNATURE: signature})
            return [PartArrived(self._said(self._new_part(), part.text), signed, self._choice)]
        if not part.text:
            return []
        return [TextDelta(self._said(self._part_of("text"), part.text), part.text, self._choice)]

    def _said(self, part: int, text: str) -> int:
        self._texts.append((part, text))
        self._bytes += len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        return part

    def _think(self, part: Reasoning) -> list[Delta]:
        if not part.text and not part.signature:
            return []
        fresh = self._open != "reasoning"
        number = self._part_of("reasoning")
        deltas: list[Delta] = []
        if part.text or fresh:
            deltas.append(ReasoningDelta(number, part.text, choice=self._choice))
        if part.signature:
            self._turn.saw(part.signature)
            self._open = ""  # a proof closes what it proves
            deltas.append(ReasoningSigned(number, part.signature, part.wire, choice=self._choice))
        return deltas

    def _take_call(self, call: ToolCall, given: dict[str, Json], repairs: list[str]) -> list[Delta]:
        deltas = self._end_call(repairs, "a call was not ended")
        self._open = ""
        self._called = True
        self._turn.saw(call.signature)
        number = self._new_part()
        deltas.append(CallStarted(number, self._id_of(call, repairs), call.name, choice=self._choice))
        spelled = given.get("functionCall")
        if isinstance(spelled, dict) and _streams(spelled):
            self._call = _OpenCall(number, call)
            return deltas + self._grow(spelled, repairs)
        return [*deltas, *self._ended(number, call.arguments, call.signature, call.wire)]

    def _id_of(self, call: ToolCall, repairs: list[str]) -> str:
        """Its own id; else a derived one, which is no repair: calls need no ids in this wire."""
        derived = self._turn.next(call.name)
        id = call.id or derived
        if id in self._ids:
            repairs.append(f"the call id {id} was used before")
            id = derived
        self._ids.add(id)
        return id

    def _grow(self, call: dict[str, Json], repairs: list[str]) -> list[Delta]:
        """Another piece of a streaming call; the last one says that no more will come, often by saying nothing."""
        assert self._call is not None
        pieces = call.get("partialArgs")
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                self._call.arguments.add(piece)
        return [] if call.get("willContinue") is True else self._end_call(repairs, "")

    def _end_call(self, repairs: list[str], repair: str) -> list[Delta]:
        call, self._call = self._call, None
        if call is None:
            return []
        if repair:
            repairs.append(repair)
        if call.arguments.strange:
            # a call with an argument missing must not be judged and run as if it were whole
            path = call.arguments.strange[0]
            return [Failed(Fault("upstream", f"unreadable path of an argument in the provider's answer: {path}"))]
        return self._ended(call.part, call.arguments.text, call.signature, call.wire)

    def _ended(self, number: int, arguments: str, signature: str, wire: str) -> list[Delta]:
        return [
            ArgumentsDelta(number, arguments, self._choice),
            CallEnded(number, arguments, signature, wire, self._choice),
        ]

    def _finish(self, word: str, message: Json, repairs: list[str], beside: list[Beside]) -> list[Delta]:
        end = read_finish(word, message, called=self._called)
        if isinstance(end, Fault):
            return [Failed(end)]
        self.finished = True
        reason, detail = end
        if message and not detail:
            beside.append(("candidates.finishMessage", message))
        # a call that the token limit has cut off is never whole
        deltas = self._end_call(repairs, "a call was not ended") if reason == "tool_calls" else []
        return [*deltas, Finished(reason, detail, self._choice)]

    def _part_of(self, kind: str) -> int:
        """The number of the part that grows; a fresh one if the last part is of another kind."""
        if self._open != kind:
            self._open = kind
            return self._new_part()
        return self._next - 1

    def _new_part(self) -> int:
        self._next += 1
        return self._next - 1


def _unread_part(part: Mapping[str, Json]) -> list[Beside]:
    """A part of an unknown kind comes whole and is named by it."""
    call = part.get("functionCall")
    found = unread(call, _OF_CALL, "candidates.content.parts.functionCall.") if isinstance(call, dict) else []
    if isinstance(data := part.get("inlineData"), dict):
        found += unread(data, _OF_DATA, "candidates.content.parts.inlineData.")
    if part.keys() <= _OF_PART or not part.keys() & _HOLDS:
        return found
    return found + unread(part, _OF_PART, "candidates.content.parts.")


def _streams(call: dict[str, Json]) -> bool:
    return call.get("willContinue") is True or "partialArgs" in call
