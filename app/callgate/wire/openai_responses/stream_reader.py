"""A provider's events → frames. Event types that are not known here are relayed and mean nothing.

Tolerates what compatible servers do (arguments only at the end, no `created`, items only in the final response), and
names each such thing as a repair, because a strict client would stumble over it.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from callgate.core.deltas import CallStarted, Delta, Failed, Finished, Started, UsageReported
from callgate.core.errors import Fault
from callgate.core.json.text import parse_object
from callgate.core.messages import Json
from callgate.wire.codec import Frame
from callgate.wire.openai_responses.errors import read_error, read_fault
from callgate.wire.openai_responses.ids import response_id
from callgate.wire.openai_responses.item_reader import ItemReader
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at
from callgate.wire.openai_responses.response import read_finish, read_usage
from callgate.wire.openai_responses.unknown_fields import unread_response
from callgate.wire.sse import SseEvent, SseParser
from callgate.wire.sse_noise import SseNoise


class WaitingFrames:
    """Frames that wait until it is known whether an item asks the client for something.

    Kinds of items that are not known here tell at their end whether they were calls. Had their beginning gone on
    by then, the client would hold one that may be refused; so what came since waits with it, and a call is then
    told where it began.
    """

    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._begun: dict[int, int] = {}
        """An undecided item → which of the frames began it."""

    def take(self, frame: Frame, undecided: Collection[int]) -> list[Frame]:
        """What may go on after this frame. `undecided`: the items of which nobody knows yet, now that it was read."""
        if not undecided and not self._frames:
            return [frame]
        for item in [item for item in self._begun if item not in undecided]:
            frame = self._told_where_it_began(frame, self._begun.pop(item))
        for item in undecided:
            self._begun.setdefault(item, len(self._frames))
        self._frames.append(frame)
        return [] if undecided else self.rest()

    def rest(self) -> list[Frame]:
        frames, self._frames = self._frames, []
        return frames

    def _told_where_it_began(self, frame: Frame, place: int) -> Frame:
        started = tuple(delta for delta in frame.deltas if isinstance(delta, CallStarted))
        first = self._frames[place]
        self._frames[place] = replace(first, deltas=(*first.deltas, *started))
        return replace(frame, deltas=tuple(delta for delta in frame.deltas if not isinstance(delta, CallStarted)))


_LIFECYCLE = ("response.created", "response.in_progress", "response.queued")
_FAILURES = ("response.failed", "response.cancelled", "error")
_DONE = "[DONE]"
"""The end of a Chat stream; some servers send it here too."""


class ResponsesStreamReader:
    def __init__(self) -> None:
        self._parser = SseParser()
        self._stray = SseNoise()
        self._incoming = ItemReader()
        self._started = False
        self._ended = False
        self._waiting = WaitingFrames()

    def decode(self, data: bytes) -> list[Frame]:
        return [frame for event in self._parser.feed(data) for frame in self._frames(event)]

    def flush(self) -> list[Frame]:
        frames = [frame for event in self._parser.flush() for frame in self._frames(event)]
        if not self._ended:
            self._ended = True
            fault = self._broken_off()
            unheard = b"".join(frame.raw for frame in self._waiting.rest())
            frames.append(Frame(unheard, (Failed(fault),)))
        return frames

    def _broken_off(self) -> Fault:
        if not self._started and self._stray.said.strip():
            return read_error(0, bytes(self._stray.said), {})
        return Fault("upstream", "The provider's stream ended before the response was complete.")

    def _frames(self, event: SseEvent) -> list[Frame]:
        frame = self._frame(event)
        return self._waiting.take(frame, () if self._ended else self._incoming.undecided)

    def _frame(self, event: SseEvent) -> Frame:
        flaws = (event.flaw,) if event.flaw else ()
        if event.data is None:
            return Frame(event.raw, (), flaws or self._stray.take(event.raw))
        self._stray.forget()
        if event.data.strip() == _DONE:
            return Frame(event.raw, (), ("[DONE] does not belong in this wire",))
        if self._ended:  # nobody has judged what comes now, so no client gets it
            return Frame(event.raw, (), ("the stream went on after its end",))
        value = parse_object(event.data)
        if value is None:
            self._ended = True
            return Frame(event.raw, (Failed(Fault("upstream", "The provider sent an event that is no JSON object.")),))
        deltas, repairs = self._read(value, text_at(value, "type") or event.event)
        beside, self._incoming.beside = self._incoming.beside, []
        # the package of this wire passes over a bare `error` event
        confessed = text_at(value, "type") == "response.failed" and bool(object_at(value, "response"))
        return Frame(event.raw, tuple(deltas), (*flaws, *repairs), tuple(beside), confessed)

    def _read(self, event: Mapping[str, Json], kind: str) -> tuple[list[Delta], list[str]]:
        response = object_at(event, "response")
        if kind in _FAILURES or (not kind and "error" in event):
            self._ended = True
            usage = read_usage(response)
            failed = Failed(read_fault(response or event))
            return ([UsageReported(usage), failed] if usage else [failed]), []
        repairs: list[str] = []
        if not text_at(event, "type"):
            repairs.append("an event did not say its type")
        deltas = self._start(response, repairs) if kind in _LIFECYCLE else []
        if kind in _LIFECYCLE and response.get("output"):
            repairs.append(f"{kind} held items")
        if kind in ("response.completed", "response.incomplete"):
            deltas += self._finish(response, kind, repairs)
        elif kind not in _LIFECYCLE:
            deltas += self._incoming.read(kind, event, repairs)
        if not self._started and (deltas or kind.startswith("response.")):
            deltas = [*self._start(response, repairs), *deltas]
            repairs.append("the stream did not begin with response.created")
        failed = next((place for place, delta in enumerate(deltas) if isinstance(delta, Failed)), None)
        if failed is not None:
            self._ended = True
            deltas = deltas[: failed + 1]
        return deltas, repairs

    def _start(self, response: Mapping[str, Json], repairs: list[str]) -> list[Delta]:
        if self._started:
            return []
        self._started = True
        identifier = text_at(response, "id")
        if not identifier:
            identifier = response_id("")
            repairs.append("the response has no id")
        return [Started(identifier, text_at(response, "model"), integer_at(response, "created_at"))]

    def _finish(self, response: Mapping[str, Json], kind: str, repairs: list[str]) -> list[Delta]:
        self._ended = True
        self._incoming.beside += unread_response(response)
        output = objects_at(response, "output")
        deltas = self._incoming.finish(output, repairs)
        if not self._incoming.is_told_in(output):
            repairs.append("an item was not finished, or is missing or another in the final response")
        usage = read_usage(response)
        if usage is not None:
            deltas.append(UsageReported(usage))
        said: dict[str, Json] = {**response, "status": kind.removeprefix("response.")}
        return [*deltas, Finished(read_finish(said, called=self._incoming.called))]
