"""A choice that is being written: which calls the client knows of, under which number, with what sent so far.

Calls are told one after the other, though they may arrive interleaved: OpenAI's own stream helper takes a call for
complete as soon as another one speaks. The first open call streams live, the others wait for its end.
"""

from dataclasses import dataclass, field

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Cited,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    TextDelta,
    TokensWeighed,
)
from callgate.core.messages import CallVariant, Json, Text
from callgate.wire.openai_chat.annotations import write_annotation
from callgate.wire.openai_chat.reasoning_details import Details, merge, missing
from callgate.wire.openai_chat.thought_signature import SIGNER, write_signature

Said = (
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
"""Deltas of one choice."""


@dataclass(slots=True, eq=False)
class _OpenCall:
    number: int
    variant: CallVariant
    sent: int = 0
    """Characters of its arguments."""
    muted: bool = False
    """The old style has room for one call; the others are not told."""
    signed: bool = False
    """The client has the provider's proof."""
    ended: bool = False
    waiting: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])
    """What is told of it once those before it have ended."""


class OpenChoice:
    """Gives the deltas (`choices[].delta`) that tell of calls."""

    def __init__(self, legacy: bool) -> None:
        self.finished = False
        """The client has been told its end."""
        self.end_with: Finished | None = None
        """The end that the client is told last of all."""
        self.refused = False
        self._details: Details = []
        """The `reasoning_details` that the client has seen in the provider's own bytes."""
        self._legacy = legacy
        self._calls: dict[int, _OpenCall] = {}
        """By part."""
        self._queue: list[_OpenCall] = []
        """The calls that have not ended; the first of them streams live."""
        self._count = 0
        self._texts: dict[int, int] = {}
        """Where each text part begins in the whole content."""
        self._length = 0
        self._cited: list[Cited] = []

    @property
    def called(self) -> bool:
        return self._count > 0

    def follow(self, delta: Said, signed: bool) -> None:
        """The client has seen it in the provider's own bytes, `signed` where they hold a call's proof."""
        match delta:
            case CallStarted():
                self._open(delta).signed = signed
            case ArgumentsDelta() if delta.part in self._calls:
                call = self._calls[delta.part]
                call.sent += len(delta.text)
                call.signed = call.signed or signed
            case CallEnded() if delta.part in self._calls:
                self._end(self._calls[delta.part])
            case Finished():
                self.finished = True
            case TextDelta():
                self.said(delta.part, len(delta.text))
            case PartArrived(value=Text(text=text)):
                self.said(delta.part, len(text))
            case RefusalDelta():
                self.refused = True
            case _:
                pass

    def said(self, part: int, length: int) -> None:
        """So many characters of content have been told."""
        if part not in self._texts:
            self._texts[part] = self._length
        self._length += length

    def cite(self, delta: Cited) -> None:
        self._cited.append(delta)

    def annotations(self) -> list[dict[str, Json]]:
        """All that is cited, at once: OpenAI's own stream helper can't join two lists of it."""
        begins = [*self._texts.values(), self._length]
        ends = dict(zip(self._texts, begins[1:], strict=True))
        spelled: list[Json] = []
        for delta in self._cited:
            begin = self._texts.get(delta.part, 0)
            annotation = write_annotation(delta.citation, begin, ends.get(delta.part, self._length) - begin)
            spelled += [] if annotation is None else [annotation]
        return [{"annotations": spelled}] if spelled else []

    def follow_details(self, entries: Details) -> None:
        for entry in entries:
            merge(self._details, entry)

    def sign(self, entries: Details) -> list[dict[str, Json]]:
        """The proof of thoughts, as far as the client does not have it."""
        pieces = missing(entries, self._details)
        return [{"reasoning_details": [*pieces]}] if pieces else []

    def start(self, delta: CallStarted) -> list[dict[str, Json]]:
        call = self._open(delta)
        if call.muted:
            return []
        if self._legacy:
            return self._tell(call, [{"function_call": {"name": delta.name, "arguments": ""}}])
        spelled = "arguments" if call.variant == "function" else "input"
        inner: dict[str, Json] = {"name": delta.name, spelled: ""}
        known: Json = {"index": call.number, "id": delta.id, "type": call.variant, call.variant: inner}
        return self._tell(call, [{"tool_calls": [known]}])

    def grow(self, delta: ArgumentsDelta) -> list[dict[str, Json]]:
        call = self._calls.get(delta.part)
        return [] if call is None else self._tell(call, self._send(call, delta.text))

    def end(self, delta: CallEnded) -> list[dict[str, Json]]:
        """What has not been sent yet, and Gemini's proof."""
        call = self._calls.get(delta.part)
        if call is None:
            return []
        whole = delta.arguments or ("{}" if call.variant == "function" else "")
        pieces = self._send(call, whole[call.sent :])
        provable = not (call.signed or self._legacy or call.variant == "custom")
        if delta.signature and delta.wire == SIGNER and provable:
            call.signed = True
            proof = write_signature(delta.signature)
            nothing: Json = {"arguments": ""}  # clients look into it without asking whether it is there
            pieces.append({"tool_calls": [{"index": call.number, "function": nothing, "extra_content": proof}]})
        return self._tell(call, pieces) + self._end(call)

    def release(self) -> list[dict[str, Json]]:
        """All that still waits: the choice is over."""
        pieces = [piece for call in self._queue for piece in call.waiting]
        self._queue.clear()
        return pieces

    def _open(self, delta: CallStarted) -> _OpenCall:
        call = _OpenCall(self._count, delta.variant, muted=self._legacy and self._count > 0)
        self._count += 1
        self._calls[delta.part] = call
        self._queue.append(call)
        return call

    def _tell(self, call: _OpenCall, pieces: list[dict[str, Json]]) -> list[dict[str, Json]]:
        if call not in self._queue or self._queue[0] is call:
            return pieces
        call.waiting += pieces
        return []

    def _end(self, call: _OpenCall) -> list[dict[str, Json]]:
        """The call is over; what the next ones have waited to say."""
        call.ended = True
        pieces: list[dict[str, Json]] = []
        while self._queue and self._queue[0].ended:
            self._queue.pop(0)
            if self._queue:
                pieces += self._queue[0].waiting
                self._queue[0].waiting = []
        return pieces

    def _send(self, call: _OpenCall, text: str) -> list[dict[str, Json]]:
        if not text or call.muted:
            return []
        call.sent += len(text)
        if self._legacy:
            return [{"function_call": {"arguments": text}}]
        spelled = "arguments" if call.variant == "function" else "input"
        return [{"tool_calls": [{"index": call.number, call.variant: {spelled: text}}]}]
