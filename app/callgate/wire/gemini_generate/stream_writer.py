"""Deltas of any wire → responses that every client of this one can bear.

The rules that clients really depend on: each chunk is a whole response with at least one candidate, and each of those
has a part; a call comes whole in one part; the end and the usage come last; no comments, no end mark.
"""

from dataclasses import dataclass, field
from typing import assert_never

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
    RefusalDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.ids import new_id
from callgate.core.messages import Citation, Json, Refusal, Text, TokenLogprob, ToolCall, Usage
from callgate.wire.codec import Frame
from callgate.wire.gemini_generate.errors import error_body
from callgate.wire.gemini_generate.finish import write_finish
from callgate.wire.gemini_generate.grounding import Grounded, segment_of, write_grounding
from callgate.wire.gemini_generate.logprobs import write_logprobs
from callgate.wire.gemini_generate.usage import write_usage
from callgate.wire.gemini_generate.written_part import Spelled, call, spell, thought
from callgate.wire.sse import sse

_LINE_BREAKS = tuple((mark.encode(), f"\\u{ord(mark):04x}".encode()) for mark in "\u0085\u2028\u2029")
"""Legal in JSON, but Google's Python client takes them for the end of a line: written as escapes."""
KEEP_ALIVE = b"\n"
"""A comment makes Google's own Python client fail, and an empty part would stay in the client's history."""

WARNINGS = "callgateWarnings"
"""A field of the last response: Google's clients leave out fields that they do not know."""

Spoken = (
    TextDelta
    | Cited
    | TokensWeighed
    | RefusalDelta
    | ReasoningDelta
    | ReasoningSigned
    | CallStarted
    | ArgumentsDelta
    | CallEnded
    | PartArrived
    | Finished
)


@dataclass(slots=True)
class _Candidate:
    """What has been said in one candidate."""

    calls: dict[int, CallStarted] = field(default_factory=dict[int, CallStarted])
    """Calls that have begun; they are written when they are whole."""
    arguments: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    refused: bool = False
    finish: Spelled | None = None
    told: bool = False
    """The client has been sent the end."""
    texts: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    citations: list[tuple[int, Citation]] = field(default_factory=list[tuple[int, Citation]])
    tokens: list[TokenLogprob] = field(default_factory=list[TokenLogprob])

    def note(self, delta: Spoken) -> None:
        match delta:
            case TextDelta():
                self.texts.setdefault(delta.part, []).append(delta.text)
            case PartArrived(value=Text(text=text)):
                self.texts.setdefault(delta.part, []).append(text)
            case Cited():
                self.citations.append((delta.part, delta.citation))
            case TokensWeighed():
                self.tokens.extend(delta.tokens)
            case CallStarted():
                self.calls[delta.part] = delta
            case ArgumentsDelta():
                self.arguments.setdefault(delta.part, []).append(delta.text)
            case RefusalDelta() | PartArrived(value=Refusal()):
                self.refused = True
            case Finished():
                self.finish = write_finish(delta.reason, delta.detail, refused=self.refused)
            case _:
                pass

    def annotations(self) -> Spelled:
        """What its words rest on, and how likely they were; places are counted over all of its text."""
        if not self.citations:
            return write_logprobs(self.tokens)
        begins: dict[int, int] = {}
        said = {part: "".join(pieces) for part, pieces in self.texts.items()}
        at = 0
        for part, text in said.items():
            begins[part] = at
            at += len(text.encode("utf-8", "replace"))
        cited = [
            Grounded(citation, segment_of(citation, said.get(part, ""), begins.get(part, 0)))
            for part, citation in self.citations
        ]
        return {**write_grounding(cited, with_parts=False), **write_logprobs(self.tokens)}


class GenerateWriter:
    def __init__(self, model: str) -> None:
        self._model = model
        self._id = ""
        self._candidates: dict[int, _Candidate] = {}
        self._usage: Usage | None = None
        self._usage_told: Usage | None = None
        self._warning = ""
        self._over = False

    def write(self, delta: Delta) -> bytes:
        if self._over:
            return b""
        match delta:
            case Started():
                self._id = self._id or delta.id
                self._model = delta.model or self._model
                return b""
            case UsageReported():
                self._usage = delta.usage
                return b""
            case Failed():
                self._over = True
                return _event(error_body(delta.fault))
            case _:
                candidate = self._candidate(delta.choice)
                candidate.note(delta)
                part = _spelled(delta, candidate)
                return self._chunk({delta.choice: {}}, part) if part is not None else b""

    def follow(self, frame: Frame) -> None:
        for delta in frame.deltas:
            match delta:
                case Started():
                    self._id, self._model = delta.id, delta.model or self._model
                case UsageReported():
                    self._usage = self._usage_told = delta.usage
                case Failed():
                    self._over = True
                case Cited() | TokensWeighed():
                    pass  # told already
                case _:
                    candidate = self._candidate(delta.choice)
                    candidate.note(delta)
                    candidate.told = candidate.told or isinstance(delta, Finished)

    def keep_alive(self) -> bytes:
        return KEEP_ALIVE

    def warn(self, text: str) -> bytes:
        self._warning = text
        return b""

    def close(self) -> bytes:
        """The end of every candidate, and the usage, which may have come after it."""
        if self._over:
            return b""
        self._over = True
        ended = {index: one.finish for index, one in sorted(self._candidates.items()) if one.finish is not None}
        untold = {
            index: {**finish, **self._candidates[index].annotations()}
            for index, finish in ended.items()
            if not self._candidates[index].told
        }
        if not untold and self._usage == self._usage_told and not self._warning:
            return b""
        # usage alone repeats the end: a chunk without candidates makes clients forget the whole turn
        last = untold or ended
        return self._chunk(last, {"text": ""}, self._usage) if last else b""

    def _candidate(self, index: int) -> _Candidate:
        return self._candidates.setdefault(index, _Candidate())

    def _chunk(self, candidates: dict[int, Spelled], part: Spelled, usage: Usage | None = None) -> bytes:
        self._id = self._id or new_id("resp")
        chunk: dict[str, Json] = {
            "candidates": [
                {"content": {"role": "model", "parts": [part]}, **finish, "index": index}
                for index, finish in candidates.items()
            ],
        }
        if usage is not None:
            chunk["usageMetadata"] = write_usage(usage)
        if self._warning:
            chunk[WARNINGS] = self._warning
        return _event({**chunk, "modelVersion": self._model, "responseId": self._id})


def _spelled(delta: Spoken, candidate: _Candidate) -> Spelled | None:
    """The part that a delta becomes, if it becomes one."""
    match delta:
        case TextDelta() | RefusalDelta():
            return {"text": delta.text} if delta.text else None
        case ReasoningDelta():
            return thought(delta.text, "", "")
        case ReasoningSigned():
            return thought("", delta.signature, delta.wire)
        case CallStarted() | ArgumentsDelta() | Cited() | TokensWeighed():
            return None
        case CallEnded():
            started = candidate.calls.pop(delta.part, None)
            streamed = "".join(candidate.arguments.pop(delta.part, []))
            if started is None:
                return None
            arguments = delta.arguments or streamed
            return call(
                ToolCall(
                    started.id, started.name, arguments, started.variant, signature=delta.signature, wire=delta.wire
                )
            )
        case PartArrived():
            return spell(delta.value)
        case Finished():
            # the explanation of a refusal has no other place; words of refusal have been said already
            explained = delta.reason == "refusal" and delta.detail and not candidate.refused
            return {"text": delta.detail} if explained else None
        case _:
            assert_never(delta)


def _event(body: dict[str, Json]) -> bytes:
    event = sse(body)
    for mark, escape in _LINE_BREAKS:
        event = event.replace(mark, escape)
    return event
