"""Deltas → a client's stream, with one open block at a time and dense indexes, whatever the deltas came from.

Deltas of other parts that arrive while a call is open wait until it ends: a call is never cut in two. `message_delta`
is held until `close`, because it must carry the final usage.
"""

from dataclasses import dataclass, field
from typing import Literal, assert_never

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
from callgate.core.json.text import dump_text, parse_object
from callgate.core.messages import CallVariant, Citation, Json, Part, Reasoning, Text, ToolCall, Usage
from callgate.wire.anthropic_messages.arguments import FREE_TEXT, write_input
from callgate.wire.anthropic_messages.blocks import own_signature
from callgate.wire.anthropic_messages.citations import write_citation
from callgate.wire.anthropic_messages.errors import error_event
from callgate.wire.anthropic_messages.ids import fit_id
from callgate.wire.anthropic_messages.response import message_id, write_block
from callgate.wire.anthropic_messages.stop import write_stop
from callgate.wire.anthropic_messages.usage import write_usage
from callgate.wire.codec import Frame
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


@dataclass(slots=True)
class _Block:
    """The open block."""

    kind: Literal["text", "thinking", "call", "other"]
    part: int | None
    """None: relayed, and nothing heard of its part yet."""
    variant: CallVariant = "function"
    sent: list[str] = field(default_factory=list[str])
    """A call's arguments so far."""
    signed: bool = False


class MessagesWriter:
    def __init__(self, model: str) -> None:
        self._model = model
        self._started = False
        self._index = 0
        """Of the next block to open."""
        self._block: _Block | None = None
        self._waiting: list[PartDelta] = []
        self._usage: Usage | None = None
        self._finish: Finished | None = None
        self._called = False
        self._refused = False
        self._delta_sent = False
        self._over = False

    def write(self, delta: Delta) -> bytes:
        if self._over:
            return b""
        match delta:
            case Started():
                return self._start(delta.id, delta.model)
            case UsageReported():
                self._usage = delta.usage
                return b""
            case Failed():
                self._over = True
                return sse(error_event(delta.fault), "error")
            case Finished():
                if delta.choice:
                    return b""
                self._finish = delta
                return self._end_all()
            case _:
                if delta.choice:
                    return b""  # the wire has one answer to a request
                return self._start() + self._take(delta)

    def follow(self, frame: Frame) -> None:
        parser = SseParser()
        for event in parser.feed(frame.raw) + parser.flush():
            value = parse_object(event.data) if event.data is not None else None
            if value is not None:
                self._relayed(value)
        for delta in frame.deltas:
            self._heard(delta)

    def keep_alive(self) -> bytes:
        return _event({"type": "ping"}) if self._started and not self._over else comment("keep-alive")

    def warn(self, text: str) -> bytes:
        return warning(text)

    def close(self) -> bytes:
        if self._over:
            return b""
        self._over = True
        written = self._start() + self._end_all()
        if not self._delta_sent:
            finish = self._finish or Finished("stop")
            stop = write_stop(finish.reason, finish.detail, called=self._called, refused=self._refused)
            written += _event({"type": "message_delta", "delta": stop, "usage": write_usage(self._usage)})
        return written + _event({"type": "message_stop"})

    def _start(self, id: str = "", model: str = "") -> bytes:
        if self._started:
            return b""
        self._started = True
        message: dict[str, Json] = {
            "id": message_id(id),
            "type": "message",
            "role": "assistant",
            "model": model or self._model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": write_usage(self._usage),
        }
        return _event({"type": "message_start", "message": message})

    def _take(self, delta: PartDelta) -> bytes:
        block = self._block
        if block is not None and block.kind == "call" and block.part != delta.part:
            self._waiting.append(delta)
            return b""
        match delta:
            case TextDelta():
                return self._text(delta.part, delta.text)
            case Cited():
                return self._cite(delta.part, delta.citation)
            case TokensWeighed():
                return b""  # no place for them in this wire; a warning says so
            case RefusalDelta():
                self._refused = True
                return self._text(delta.part, delta.text)
            case ReasoningDelta():
                return self._think(delta.part, delta.text)
            case ReasoningSigned():
                return self._sign(delta.part, own_signature(delta.signature, delta.wire))
            case CallStarted():
                return self._open_call(delta)
            case ArgumentsDelta():
                return self._argue(delta.text)
            case CallEnded():
                return self._end_call(delta.arguments)
            case PartArrived():
                return self._whole(delta.part, delta.value)
            case _:
                assert_never(delta)

    def _text(self, part: int, text: str) -> bytes:
        if not text:
            return b""
        opened = self._ensure("text", part, {"type": "text", "text": ""})
        return opened + self._delta({"type": "text_delta", "text": text})

    def _cite(self, part: int, citation: Citation) -> bytes:
        """Of the block that is open, as a whole; in a block that has ended nothing can be said."""
        block, spelled = self._block, write_citation(citation)
        if spelled is None or block is None or block.kind != "text" or block.part not in (None, part):
            return b""
        return self._delta({"type": "citations_delta", "citation": spelled})

    def _think(self, part: int, text: str) -> bytes:
        if not text:
            return b""  # the block opens with its first word or its signature: it may never get either
        opened = self._ensure("thinking", part, {"type": "thinking", "thinking": "", "signature": ""})
        return opened + self._delta({"type": "thinking_delta", "thinking": text})

    def _sign(self, part: int, signature: str) -> bytes:
        if not signature:
            return b""
        opened = self._ensure("thinking", part, {"type": "thinking", "thinking": "", "signature": ""})
        if self._block is None or self._block.signed:
            return opened  # a second signature would replace the first
        self._block.signed = True
        return opened + self._delta({"type": "signature_delta", "signature": signature})

    def _open_call(self, delta: CallStarted) -> bytes:
        self._called = True
        block: dict[str, Json] = {"type": "tool_use", "id": fit_id(delta.id), "name": delta.name, "input": {}}
        opened = self._ensure("call", delta.part, block)
        if self._block is not None:
            self._block.variant = delta.variant
        return opened

    def _argue(self, text: str) -> bytes:
        block = self._block
        # free text is no JSON: it is sent as an object, whole, when the call ends
        if block is None or block.kind != "call" or block.variant == "custom" or not text:
            return b""
        block.sent.append(text)
        return self._delta({"type": "input_json_delta", "partial_json": text})

    def _end_call(self, arguments: str) -> bytes:
        block = self._block
        if block is None or block.kind != "call":
            return b""
        if block.variant == "custom":
            rest = dump_text({FREE_TEXT: arguments})
        elif not block.sent:
            # at least one delta: some clients read the arguments nowhere else
            rest = arguments if _is_object(arguments) else dump_text(write_input(arguments))
        else:
            sent = "".join(block.sent)
            rest = arguments.removeprefix(sent) if arguments.startswith(sent) else ""
        written = self._delta({"type": "input_json_delta", "partial_json": rest}) if rest else b""
        return written + self._close_block() + self._resume()

    def _whole(self, part: int, value: Part) -> bytes:
        match value:
            case Text():
                return self._text(part, value.text)
            case Reasoning() if not value.redacted:
                signature = own_signature(value.signature, value.wire)
                return self._think(part, value.text) + self._sign(part, signature)
            case ToolCall():
                started = CallStarted(part, value.id, value.name, value.variant)
                return self._open_call(started) + self._end_call(value.arguments)
            case _:
                return self._block_at_once(part, write_block(value, same=False))

    def _block_at_once(self, part: int, block: dict[str, Json] | None) -> bytes:
        if block is None:
            return b""
        text, input = block.get("text"), block.get("input")
        if block.get("type") == "text" and isinstance(text, str):
            return self._text(part, text)
        if not isinstance(input, dict):
            return self._ensure("other", part, block) + self._close_block()
        opened = self._ensure("other", part, {**block, "input": {}})
        arguments = dump_text(input)
        sent = "".join(self._block.sent) if self._block is not None else ""
        rest = arguments.removeprefix(sent) if arguments.startswith(sent) else ""
        fragment = self._delta({"type": "input_json_delta", "partial_json": rest}) if rest else b""
        return opened + fragment + self._close_block()

    def _ensure(self, kind: Literal["text", "thinking", "call", "other"], part: int, block: dict[str, Json]) -> bytes:
        """The block of this part is the open one: words go on, and so does what was relayed in part."""
        open_block = self._block
        if open_block is not None and open_block.kind == kind != "call" and open_block.part in (None, part):
            open_block.part = part
            return b""
        closed = self._close_block()
        self._block = _Block(kind, part)
        started = _event({"type": "content_block_start", "index": self._index, "content_block": block})
        self._index += 1
        return closed + started

    def _delta(self, delta: dict[str, Json]) -> bytes:
        return _event({"type": "content_block_delta", "index": self._index - 1, "delta": delta})

    def _close_block(self) -> bytes:
        if self._block is None:
            return b""
        self._block = None
        return _event({"type": "content_block_stop", "index": self._index - 1})

    def _resume(self) -> bytes:
        """What waited for a call to end; it may open the next call, and the rest waits on."""
        waiting, self._waiting = self._waiting, []
        return b"".join([self._take(delta) for delta in waiting])

    def _end_all(self) -> bytes:
        written = b""
        while self._block is not None or self._waiting:
            written += self._close_block() + self._resume()
        return written

    def _relayed(self, value: dict[str, Json]) -> None:
        match value.get("type"):
            case "message_start":
                self._started = True
            case "content_block_start":
                self._relayed_start(value)
            case "content_block_delta":
                self._relayed_delta(value.get("delta"))
            case "content_block_stop":
                self._block = None
            case "message_delta":
                delta = value.get("delta")
                if isinstance(delta, dict) and delta.get("stop_reason") is not None:
                    self._delta_sent = True
            case "message_stop" | "error":
                self._over = True
            case _:
                pass

    def _relayed_start(self, value: dict[str, Json]) -> None:
        index, block = value.get("index"), value.get("content_block")
        self._index = (index if isinstance(index, int) else self._index) + 1
        match block.get("type") if isinstance(block, dict) else "":
            case "text":
                self._block = _Block("text", None)
            case "thinking":
                self._block = _Block("thinking", None)
            case "tool_use":
                self._block = _Block("call", None)
                self._called = True
            case _:
                self._block = _Block("other", None)

    def _relayed_delta(self, delta: Json) -> None:
        fragment = delta.get("partial_json") if isinstance(delta, dict) else None
        if self._block is not None and isinstance(fragment, str):
            self._block.sent.append(fragment)

    def _heard(self, delta: Delta) -> None:
        """What a relayed frame meant, as far as writing on depends on it."""
        block = self._block
        match delta:
            case UsageReported():
                self._usage = delta.usage
            case Finished():
                self._finish = delta
            case TextDelta() | ReasoningDelta() | CallStarted() | PartArrived() if block is not None:
                block.part = delta.part
            case ReasoningSigned() if block is not None:
                block.signed = True
            case _:
                pass


def _is_object(arguments: str) -> bool:
    return parse_object(arguments) is not None


def _event(data: dict[str, Json]) -> bytes:
    return sse(data, str(data["type"]))
