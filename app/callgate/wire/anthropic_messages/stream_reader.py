"""A provider's stream → frames.

Lenient where compatible servers are sloppy (several blocks open at once, no stops, no event names), and every such
leniency is named in the frame's repairs. A stream without `message_stop` has failed.
"""

from dataclasses import replace

from callgate.core.deltas import CallStarted, Failed, Finished, PartArrived, Started, UsageReported
from callgate.core.errors import Fault
from callgate.core.ids import new_id
from callgate.core.json.text import parse_object
from callgate.core.messages import Json, Reasoning
from callgate.wire.anthropic_messages.blocks import WIRE
from callgate.wire.anthropic_messages.errors import fault_of, read_error
from callgate.wire.anthropic_messages.open_block import (
    Heard,
    OpenBlock,
    OpenCall,
    OpenOpaque,
    OpenRedacted,
    OpenText,
    OpenThinking,
    Parts,
)
from callgate.wire.anthropic_messages.stop import read_stop
from callgate.wire.anthropic_messages.unknown_fields import unread_block, unread_message, unread_usage
from callgate.wire.anthropic_messages.usage import merge_usage, read_usage
from callgate.wire.codec import Frame
from callgate.wire.sse import SseEvent, SseParser
from callgate.wire.sse_noise import SseNoise
from callgate.wire.unknown_fields import unread

_OVERLAP = "several blocks are open at once"
_OF_MESSAGE_DELTA = frozenset(("type", "delta", "usage"))
_OF_DELTA = frozenset(("type", "text", "thinking", "signature", "partial_json", "citation"))
_SHOWN = 200
"""Characters of an unreadable event that are worth showing."""


class MessagesReader:
    def __init__(self) -> None:
        self._parser = SseParser()
        self._stray = SseNoise()
        self._parts = Parts()
        self._open: dict[int, OpenBlock] = {}
        self._waiting: list[Frame] = []
        """Since a call's arguments began with an empty object: a client that had it would lose what follows."""
        self._newest = 0
        self._begun = 0
        """How many blocks have begun."""
        self._ids: set[str] = set()
        self._usage: dict[str, Json] = {}
        self._overlapped = False
        self._started = False
        self._finished = False
        self._ended = False

    def decode(self, data: bytes) -> list[Frame]:
        return [frame for event in self._parser.feed(data) for frame in self._frames(event)]

    def flush(self) -> list[Frame]:
        frames = [frame for event in self._parser.flush() for frame in self._frames(event)]
        frames += self._waiting
        if not self._ended:
            self._ended = True
            frames.append(Frame(b"", (Failed(self._broken_off()),)))
        return frames

    def _broken_off(self) -> Fault:
        if not self._started and self._stray.said.strip():
            return read_error(0, bytes(self._stray.said), {})
        return Fault("upstream", "the provider's stream ended before its end (no message_stop)")

    def _frames(self, event: SseEvent) -> list[Frame]:
        frame = self._frame(event)
        self._waiting.append(frame)
        if not self._ended and any(isinstance(block, OpenCall) and block.waits for block in self._open.values()):
            return []
        frames, self._waiting = self._waiting, []
        return [replace(one, repairs=frame.repairs or one.repairs) for one in frames] if len(frames) > 1 else frames

    def _frame(self, event: SseEvent) -> Frame:
        flaws = [event.flaw] if event.flaw else []
        if event.data is None:
            return Frame(event.raw, (), tuple(flaws) or self._stray.take(event.raw))
        self._stray.forget()
        if self._ended:  # nobody has judged what comes now, so no client gets it
            return Frame(event.raw, (), ("the stream went on after its end",))
        heard = Heard(repairs=flaws)
        value = parse_object(event.data)
        if value is not None:
            self._hear(value, event.event, heard)
        elif event.data.strip() == "[DONE]":
            heard.repairs.append("[DONE] does not belong in this wire")
        else:
            self._ended = True
            heard.deltas.append(Failed(Fault("upstream", f"unreadable event in the stream: {event.data[:_SHOWN]}")))
        confessed = value is not None and value.get("type") == "error" and isinstance(value.get("error"), dict)
        return Frame(event.raw, tuple(heard.deltas), tuple(heard.repairs), tuple(heard.beside), confessed)

    def _hear(self, value: dict[str, Json], name: str, heard: Heard) -> None:
        if not name:
            heard.repairs.append("the event has no name")  # clients discard such events
        if not value.get("type"):
            heard.repairs.append("the event does not say its type")
        match value.get("type") or name:
            case "message_start":
                self._start(value.get("message"), heard)
            case "content_block_start":
                self._open_block(value, heard)
            case "content_block_delta":
                self._add(value, heard)
            case "content_block_stop":
                self._stop_block(value, heard)
            case "message_delta":
                self._message_delta(value, heard)
            case "message_stop":
                self._ensure_started(heard)
                self._end_blocks(heard)
                if not self._finished:
                    self._finish(None, {}, heard)
                self._ended = True
            case "error":
                self._ended = True
                heard.deltas.append(Failed(fault_of(value, 0)))
            case "ping":
                pass
            case other:  # the wire says to ignore what is unknown
                heard.beside.append((other if isinstance(other, str) else "event", True))

    def _start(self, message: Json, heard: Heard) -> None:
        if self._started:
            heard.repairs.append("a second message_start")
            return
        self._started = True
        given = message if isinstance(message, dict) else {}
        if given.get("content"):
            heard.repairs.append("message_start held content")  # clients would take it for part of the answer
        elif given and not isinstance(given.get("content"), list):
            heard.repairs.append("message_start had no list of content")  # clients add to it without looking
        id, model = given.get("id"), given.get("model")
        heard.deltas.append(Started(id if isinstance(id, str) else "", model if isinstance(model, str) else ""))
        heard.beside.extend(unread_message(given))
        if given and not isinstance(given.get("usage"), dict):
            heard.repairs.append("message_start had no usage")  # clients add to it without looking
        self._report(given.get("usage"), heard)

    def _ensure_started(self, heard: Heard) -> None:
        if not self._started:
            heard.repairs.append("message_start is missing")
            self._start({}, heard)

    def _report(self, usage: Json, heard: Heard) -> None:
        if isinstance(usage, dict):
            heard.beside.extend(unread_usage(usage))
            self._usage = merge_usage(self._usage, usage)
            heard.deltas.append(UsageReported(read_usage(self._usage)))

    def _open_block(self, value: dict[str, Json], heard: Heard) -> None:
        self._ensure_started(heard)
        block = value.get("content_block")
        if not isinstance(block, dict):
            heard.repairs.append("content_block_start without a block")
            return
        index = self._index(value, self._newest + 1 if self._open else self._newest)
        if index in self._open:
            heard.repairs.append("content_block_stop is missing")
            self._open.pop(index).end(heard)
        self._overlapped = self._overlapped or bool(self._open)
        self._note_overlap(heard)
        if value.get("index") != self._begun:
            heard.repairs.append("blocks were not numbered from 0 in order")  # clients find them by their place
        self._begun += 1
        self._newest = index
        self._open[index] = self._block(block, heard)

    def _block(self, block: dict[str, Json], heard: Heard) -> OpenBlock:
        heard.beside.extend(unread_block(block))
        match block.get("type"):
            case "text":
                return OpenText(self._parts, heard, block.get("text"), block.get("citations"))
            case "thinking":
                return OpenThinking(self._parts, heard, block)
            case "redacted_thinking":
                data = block.get("data")
                redacted = Reasoning(signature=data if isinstance(data, str) else "", redacted=True, wire=WIRE)
                heard.deltas.append(PartArrived(self._parts.take(), redacted))
                return OpenRedacted()
            case "tool_use":
                return self._call(block, heard)
            case _:
                return OpenOpaque(self._parts, block)

    def _call(self, block: dict[str, Json], heard: Heard) -> OpenBlock:
        id, name = block.get("id"), block.get("name")
        if not isinstance(name, str) or not name:
            self._ended = True
            heard.deltas.append(Failed(Fault("upstream", "the provider sent a tool call without a name")))
            return OpenOpaque(self._parts, block)
        if not isinstance(id, str) or not id:
            heard.repairs.append("the call has no id")
            id = new_id("call")
        elif id in self._ids:
            heard.repairs.append(f"the call id {id} was used before")
            id = new_id("call")
        self._ids.add(id)
        part = self._parts.take()
        heard.deltas.append(CallStarted(part, id, name))
        return OpenCall(part, block.get("input"))

    def _add(self, value: dict[str, Json], heard: Heard) -> None:
        self._ensure_started(heard)
        delta = value.get("delta")
        index = self._index(value, self._newest)
        if not isinstance(delta, dict):
            heard.repairs.append("content_block_delta without a delta")
            return
        self._note_overlap(heard)
        heard.beside.extend(unread(delta, _OF_DELTA, "content.delta."))
        block = self._open.get(index) or self._unopened(index, delta, heard)
        if block is not None:
            block.add(delta, heard)

    def _unopened(self, index: int, delta: dict[str, Json], heard: Heard) -> OpenBlock | None:
        heard.repairs.append("a delta for a block that is not open")
        match delta.get("type"):
            case "text_delta":
                self._open[index] = OpenText(self._parts, heard)
            case "thinking_delta":
                self._open[index] = OpenThinking(self._parts, heard, {})
            case _:
                return None
        self._newest = index
        return self._open[index]

    def _stop_block(self, value: dict[str, Json], heard: Heard) -> None:
        self._note_overlap(heard)
        block = self._open.pop(self._index(value, self._newest), None)
        if block is None:
            heard.repairs.append("content_block_stop for a block that is not open")
        else:
            block.end(heard)

    def _message_delta(self, value: dict[str, Json], heard: Heard) -> None:
        self._ensure_started(heard)
        delta = value.get("delta")
        given = delta if isinstance(delta, dict) else {}
        reason = given.get("stop_reason")
        if reason is not None:
            self._end_blocks(heard)
        heard.beside.extend((*unread(value, _OF_MESSAGE_DELTA), *unread_message(given)))
        self._report(value.get("usage"), heard)
        if reason is not None and not self._finished:
            self._finish(reason, given, heard)

    def _finish(self, reason: Json, given: dict[str, Json], heard: Heard) -> None:
        self._end_blocks(heard)
        self._finished = True
        if reason is None:
            heard.repairs.append("stop_reason is missing")
        stop = read_stop(reason, given.get("stop_sequence"), given.get("stop_details"), called=bool(self._ids))
        if stop.repair:
            heard.repairs.append(stop.repair)
        heard.deltas.append(Finished(stop.finish, stop.detail))

    def _end_blocks(self, heard: Heard) -> None:
        for index in sorted(self._open):
            heard.repairs.append("content_block_stop is missing")
            self._open.pop(index).end(heard)

    def _note_overlap(self, heard: Heard) -> None:
        """From the first overlap on, no event of a block may be relayed: clients bear one open block at a time."""
        if self._overlapped:
            heard.repairs.append(_OVERLAP)

    @staticmethod
    def _index(value: dict[str, Json], otherwise: int) -> int:
        index = value.get("index")
        return index if isinstance(index, int) else otherwise
