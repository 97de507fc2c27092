"""Deltas → the events of a streamed response, in the grammar that the strictest client checks.

Every item is added before its deltas and done after them, ids never change, numbers only rise, and the final response
lists exactly the items that were streamed. One call is told after the other, as the service does it: LangChain takes
the arguments of whichever item comes for those of the last one.
"""

from collections.abc import Mapping
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
from callgate.core.errors import Fault
from callgate.core.json.text import parse_object
from callgate.core.messages import FinishReason, Image, Json, Opaque, Part, Reasoning, Refusal, Text, Usage
from callgate.core.request import ChatRequest
from callgate.wire.codec import Frame
from callgate.wire.openai_responses.envelope import Envelope, created_at, ending
from callgate.wire.openai_responses.errors import event_error
from callgate.wire.openai_responses.ids import item_id, response_id
from callgate.wire.openai_responses.ledger import Ledger
from callgate.wire.openai_responses.lenient import integer_at
from callgate.wire.openai_responses.marks import ITEM, WIRE
from callgate.wire.openai_responses.open_items import OpenItems, Words
from callgate.wire.openai_responses.output import CUT_SHORT, image_item, usable_signature
from callgate.wire.sse import SseParser, comment, sse, warning

PartDelta = (
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
)


class ResponsesStreamWriter:
    """Writes choice 0: the wire knows no other."""

    def __init__(self, request: ChatRequest) -> None:
        self._envelope = Envelope(request)
        self._ledger = Ledger()
        self._open = OpenItems(self._ledger, self._emit)
        self._call: int | None = None
        """The part of the call that is being told; what comes of other parts waits."""
        self._waiting: list[PartDelta] = []
        self._usage: Usage | None = None
        self._finish: FinishReason | None = None
        self._refused = False
        """A refusal has come in words: it needs no explanation beside them."""

    def write(self, delta: Delta) -> bytes:
        if self._ledger.ended or getattr(delta, "choice", 0) != 0:
            return b""
        match delta:
            case Started():
                return self._begin(delta)
            case UsageReported():
                self._usage = delta.usage
                return b""
            case Failed():
                return self._begin() + self._fail(delta.fault)
            case Finished():
                return self._begin() + self._end_output(delta)
            case _:
                return self._begin() + self._write_part(delta)

    def follow(self, frame: Frame) -> None:
        parser = SseParser()
        for event in (*parser.feed(frame.raw), *parser.flush()):
            value = parse_object(event.data) if event.data else None
            if value is not None:
                self._follow_event({"type": event.event, **value}, frame.deltas)
        for delta in frame.deltas:
            if isinstance(delta, UsageReported):
                self._usage = delta.usage
            elif isinstance(delta, RefusalDelta):
                self._refused = True

    def keep_alive(self) -> bytes:
        """Clients that break on `in_progress` do so only before `created`; the ones that time out need an event."""
        if not self._ledger.begun or self._ledger.ended:
            return comment("keep-alive")
        return self._emit("response.in_progress", {"response": self._response("in_progress")})

    def warn(self, text: str) -> bytes:
        return warning(text)

    def close(self) -> bytes:
        if self._ledger.ended:
            return b""
        if self._finish is None:
            return self._begin() + self._fail(Fault("upstream", "The answer ended before it was complete."))
        late = self._close_items(self._finish)  # some providers go on after they have said that it ended
        status, reason = ending(self._finish)
        output = self._ledger.finished_items()
        response = self._response(status, output=output, usage=self._usage, reason=reason)
        return late + self._emit(f"response.{status}", {"response": response})

    def _begin(self, started: Started | None = None) -> bytes:
        ledger = self._ledger
        if ledger.begun:
            return b""
        ledger.id = response_id(started.id if started else "")
        ledger.model = started.model if started else ""
        ledger.created = created_at(started.created if started else 0)
        return self._emit("response.created", {"response": self._response("in_progress")}) + self._emit(
            "response.in_progress", {"response": self._response("in_progress")}
        )

    def _write_part(self, delta: PartDelta) -> bytes:
        if self._call not in (None, delta.part):
            self._waiting.append(delta)
            return b""
        match delta:
            case TextDelta():
                return self._words(delta.part, "output_text", delta.text)
            case Cited():
                return self._open.cite(delta.part, delta.citation)
            case TokensWeighed():
                self._open.weigh(delta.part, delta.tokens)
                return b""
            case RefusalDelta():
                return self._words(delta.part, "refusal", delta.text)
            case ReasoningDelta():
                return self._open.reasoning(delta.part, delta.text, delta.id)
            case ReasoningSigned():
                return self._open.sign(delta.part, usable_signature(delta.signature, delta.wire), delta.id)
            case CallStarted():
                self._call = None if delta.variant == "built_in" else delta.part
                return self._open.start_call(delta)
            case ArgumentsDelta():
                return self._open.arguments(delta.part, delta.text)
            case CallEnded():
                self._call = None
                return self._open.end_call(delta.part, delta.arguments, delta.extras) + self._resume()
            case PartArrived():
                return self._whole(delta.part, delta.value)
            case _:
                assert_never(delta)

    def _resume(self) -> bytes:
        """What waited for a call to end; it may begin the next call, and the rest waits on."""
        waiting, self._waiting = self._waiting, []
        return b"".join([self._write_part(delta) for delta in waiting])

    def _words(self, part: int | None, kind: Words, text: str) -> bytes:
        self._refused = self._refused or kind == "refusal"
        return self._open.words(part, kind, text)

    def _whole(self, part: int, value: Part) -> bytes:
        match value:
            case Text():
                self._open.mark(part, value.extras)
                return self._words(part, "output_text", value.text)
            case Refusal():
                self._open.mark(part, value.extras)
                return self._words(part, "refusal", value.text)
            case Reasoning():
                signature = usable_signature(value.signature, value.wire)
                text = b"" if value.redacted else self._open.reasoning(part, value.text, value.id)
                return text + self._open.sign(part, signature, value.id)
            case Opaque(wire=wire, value=dict(item)) if wire == WIRE:
                return self._open.whole_item(self._open.identified(item))
            case Image(extras=extras) if isinstance(extras.get(ITEM), dict):
                item = extras[ITEM]
                return self._open.whole_item(self._open.identified(item)) if isinstance(item, dict) else b""
            case Image() if value.data:
                return self._open.whole_item(image_item(self._mint("ig"), value))
            case _:
                return b""  # another wire's own: there is no word for it here, and a warning says so

    def _mint(self, prefix: str) -> str:
        return item_id(prefix, self._ledger.id, self._ledger.next_index)

    def _end_output(self, delta: Finished) -> bytes:
        written = b""
        if delta.reason == "refusal" and not self._refused:
            written = self._words(None, "refusal", delta.detail)
        self._finish = delta.reason
        return written + self._close_items(delta.reason)

    def _close_items(self, finish: FinishReason) -> bytes:
        written, cut = b"", finish in CUT_SHORT
        while self._call is not None:
            part, self._call = self._call, None
            written += self._open.end_call(part, "", cut=cut) + self._resume()
        return written + self._open.close_all("incomplete" if cut else "completed")

    def _fail(self, fault: Fault) -> bytes:
        """Half-open items stay so: a client that acts on finished calls must not act on these."""
        response = self._response(
            "failed", output=self._ledger.finished_items(), usage=self._usage, error=event_error(fault)
        )
        return self._emit("response.failed", {"response": response})

    def _response(
        self,
        status: str,
        *,
        output: list[Json] | None = None,
        usage: Usage | None = None,
        reason: str | None = None,
        error: dict[str, Json] | None = None,
    ) -> dict[str, Json]:
        ledger = self._ledger
        return self._envelope.response(
            ledger.id,
            ledger.model,
            ledger.created,
            status,
            output=output or [],
            usage=usage,
            reason=reason,
            error=error,
        )

    def _emit(self, kind: str, fields: Mapping[str, Json]) -> bytes:
        event: dict[str, Json] = {"type": kind, "sequence_number": self._ledger.sequence, **fields}
        self._ledger.note(event)
        return sse(event, kind)

    def _follow_event(self, event: Mapping[str, Json], deltas: tuple[Delta, ...]) -> None:
        self._ledger.note(event)
        index = integer_at(event, "output_index", -1)
        if index >= 0:
            self._open.follow(event, index, deltas)
