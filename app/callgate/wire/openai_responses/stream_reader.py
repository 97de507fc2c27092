"""A provider's events → frames. Event types that are not known here are relayed and mean nothing.

Tolerates what compatible servers do (arguments only at the end, no `created`, items only in the final response), and
names each such thing as a repair, because a strict client would stumble over it.
"""

from collections.abc import Mapping

from callgate.core.deltas import Delta, Failed, Finished, Started, UsageReported
from callgate.core.errors import Fault
from callgate.core.messages import Json
from callgate.wire.codec import Frame
from callgate.wire.json_text import parse_object
from callgate.wire.openai_responses.errors import read_fault
from callgate.wire.openai_responses.ids import response_id
from callgate.wire.openai_responses.incoming import Incoming
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at
from callgate.wire.openai_responses.response import read_finish, read_usage
from callgate.wire.openai_responses.unread import unread_response
from callgate.wire.openai_responses.waiting_frames import WaitingFrames
from callgate.wire.sse import SseEvent, SseParser

_LIFECYCLE = ("response.created", "response.in_progress", "response.queued")
_FAILURES = ("response.failed", "response.cancelled", "error")
_DONE = "[DONE]"
"""The end of a Chat stream; some servers send it here too."""


class ResponsesStreamReader:
    def __init__(self) -> None:
        self._parser = SseParser()
        self._incoming = Incoming()
        self._started = False
        self._ended = False
        self._waiting = WaitingFrames()

    def decode(self, data: bytes) -> list[Frame]:
        return [frame for event in self._parser.feed(data) for frame in self._frames(event)]

    def flush(self) -> list[Frame]:
        frames = [frame for event in self._parser.flush() for frame in self._frames(event)]
        if not self._ended:
            self._ended = True
            fault = Fault("upstream", "The provider's stream ended before the response was complete.")
            unheard = b"".join(frame.raw for frame in self._waiting.rest())
            frames.append(Frame(unheard, (Failed(fault),)))
        return frames

    def _frames(self, event: SseEvent) -> list[Frame]:
        frame = self._frame(event)
        return self._waiting.take(frame, () if self._ended else self._incoming.undecided)

    def _frame(self, event: SseEvent) -> Frame:
        flaws = (event.flaw,) if event.flaw else ()
        if event.data is None:
            return Frame(event.raw, (), flaws)
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
        return Frame(event.raw, tuple(deltas), (*flaws, *repairs), tuple(beside))

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
