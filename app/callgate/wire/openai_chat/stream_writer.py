"""Deltas of any wire → chunks that every client of this one can bear.

The rules that clients really depend on: the role once a choice; id, type and name once a call; calls numbered densely
in order of appearance; arguments always strings; the same id, model and time in every chunk; usage in the last only;
nothing after a choice has ended, though some providers say that it has with every piece of it.
"""

import re
import time
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
from callgate.core.ids import new_id
from callgate.core.json.text import parse_object
from callgate.core.messages import (
    File,
    Image,
    Json,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from callgate.core.request import ChatRequest
from callgate.wire.codec import Frame
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.openai_chat.errors import error_body
from callgate.wire.openai_chat.finish import write_finish
from callgate.wire.openai_chat.open_choice import OpenChoice, Said
from callgate.wire.openai_chat.reasoning_details import proven_details, read_details
from callgate.wire.openai_chat.usage import write_usage
from callgate.wire.openai_logprobs import write_logprobs
from callgate.wire.sse import SseParser, comment, sse, warning

_DONE = re.compile(rb"data: ?\[DONE\]\s*")


class ChatStreamWriter:
    def __init__(self, request: ChatRequest) -> None:
        self._model = request.model
        self._include_usage = request.include_usage
        self._legacy = request.legacy_functions
        self._count = request.sampling.n or 1
        self._id = ""
        self._created = 0
        self._choices: dict[int, OpenChoice] = {}
        self._usage: Usage | None = None
        self._usage_sent = False
        self._failed = False
        self._done = False

    def write(self, delta: Delta) -> bytes:
        if self._failed or self._done:
            return b""
        match delta:
            case Started():
                return self._start(delta)
            case UsageReported():
                self._usage = delta.usage
                return b""
            case Failed():
                return self._fail(delta.fault)
            case _:
                return self._begin() + self._say(delta)

    def follow(self, frame: Frame) -> None:
        if _DONE.fullmatch(frame.raw):
            self._done = True
        if len(self._choices) < self._count or b'"reasoning_details"' in frame.raw:
            self._follow_chunk(frame.raw)
        signed = b'"thought_signature"' in frame.raw
        for delta in frame.deltas:
            match delta:
                case Started():
                    self._id, self._model, self._created = delta.id, delta.model or self._model, delta.created
                case UsageReported():
                    self._usage, self._usage_sent = delta.usage, True
                case Failed():
                    self._failed = True
                case _:
                    self._choice(delta.choice).follow(delta, signed)

    def keep_alive(self) -> bytes:
        """An empty delta: comments do not reset every client's timer. Before the first chunk nothing else is safe, and
        after the usage neither: clients forget it at the next chunk."""
        if not self._choices or self._usage_sent or self._failed or self._done:
            return comment("keep-alive")
        return self._chunk(0, {})

    def warn(self, text: str) -> bytes:
        return warning(text)

    def close(self) -> bytes:
        if self._done:
            return b""
        self._done = True
        last = b"" if self._failed else b"".join(self._finish(*open) for open in sorted(self._choices.items()))
        if self._include_usage and self._usage is not None and not self._usage_sent and not self._failed:
            last += sse({**self._head(), "choices": [], "usage": write_usage(self._usage)})
        return last + sse("[DONE]")

    def _start(self, delta: Started) -> bytes:
        if self._choices:
            return b""
        self._id, self._created = delta.id, delta.created
        self._model = delta.model or self._model
        return self._begin()

    def _begin(self) -> bytes:
        """The role of every choice asked for, choice 0 first: clients index their list by what they see first."""
        if self._choices:
            return b""
        return b"".join(self._open(index) for index in range(self._count))

    def _open(self, index: int) -> bytes:
        self._choice(index)
        return self._chunk(index, {"role": "assistant", "content": None})

    def _choice(self, index: int) -> OpenChoice:
        return self._choices.setdefault(index, OpenChoice(self._legacy))

    def _say(self, delta: Said) -> bytes:
        index = delta.choice
        opened = b"" if index in self._choices else self._open(index)
        choice = self._choice(index)
        match delta:
            case Finished():
                choice.end_with = delta
                return opened
            case TextDelta():
                choice.said(delta.part, len(delta.text))
                return opened + self._text(index, "content", delta.text)
            case Cited():
                choice.cite(delta)
                return opened
            case TokensWeighed():
                said: Json = {"content": write_logprobs(delta.tokens, always_bytes=False), "refusal": None}
                return opened + self._chunk(index, {}, logprobs=said)
            case RefusalDelta():
                choice.refused = True
                return opened + self._text(index, "refusal", delta.text)
            case ReasoningDelta():
                return opened + self._text(index, "reasoning_content", delta.text)
            case ReasoningSigned():
                return opened + self._sign(index, delta.signature, delta.wire)
            case CallStarted():
                return opened + self._chunks(index, choice.start(delta))
            case ArgumentsDelta():
                return opened + self._chunks(index, choice.grow(delta))
            case CallEnded():
                return opened + self._chunks(index, choice.end(delta))
            case PartArrived():
                return opened + self._whole(delta.part, delta.value, index)
            case _:
                assert_never(delta)

    def _whole(self, part: int, value: Part, index: int) -> bytes:
        match value:
            case Text():
                self._choice(index).said(part, len(value.text))
                return self._text(index, "content", value.text)
            case Refusal():
                return self._say(RefusalDelta(part, value.text, index))
            case Reasoning():
                return self._text(index, "reasoning_content", value.text) + self._sign(
                    index, value.signature, value.wire
                )
            case ToolCall():
                started = CallStarted(part, value.id, value.name, value.variant, choice=index)
                ended = CallEnded(part, value.arguments, value.signature, value.wire, index)
                return self._say(started) + self._say(ended)
            case Image() | File() | Opaque() | ToolResult():
                return b""  # no place for them in this wire; a warning says so
            case _:
                assert_never(value)

    def _text(self, index: int, key: str, text: str) -> bytes:
        return self._chunk(index, {key: text}) if text else b""

    def _sign(self, index: int, signature: str, wire: str) -> bytes:
        """Proofs of other wires have no place here; the exchange remembers them."""
        if wire != WIRE:
            return b""
        return self._chunks(index, self._choice(index).sign(proven_details(signature)))

    def _finish(self, index: int, choice: OpenChoice) -> bytes:
        end = choice.end_with
        if end is None or choice.finished:
            return b""
        choice.finished = True
        before = self._chunks(index, [*choice.release(), *choice.annotations()])
        if end.reason == "refusal" and end.detail and not choice.refused:
            before += self._text(index, "refusal", end.detail)
        word = write_finish(end.reason, called=choice.called, legacy=self._legacy)
        return before + self._chunk(index, {}, word)

    def _fail(self, fault: Fault) -> bytes:
        self._failed = True
        return sse({"error": error_body(fault)})

    def _chunks(self, index: int, pieces: list[dict[str, Json]]) -> bytes:
        return b"".join(self._chunk(index, piece) for piece in pieces)

    def _chunk(self, index: int, piece: dict[str, Json], finish: str | None = None, logprobs: Json = None) -> bytes:
        choice: dict[str, Json] = {"index": index, "delta": piece, "logprobs": logprobs, "finish_reason": finish}
        chunk: dict[str, Json] = {**self._head(), "choices": [choice]}
        self._usage_sent = False  # clients have forgotten what an earlier chunk told
        if self._include_usage:
            chunk["usage"] = None
        return sse(chunk)

    def _head(self) -> dict[str, Json]:
        self._id = self._id or new_id("chatcmpl").replace("_", "-")
        self._created = self._created or int(time.time())
        return {"id": self._id, "object": "chat.completion.chunk", "created": self._created, "model": self._model}

    def _follow_chunk(self, raw: bytes) -> None:
        """What the deltas do not tell: choices in which nothing was said yet, and the provider's own details."""
        parser = SseParser()
        for event in (*parser.feed(raw), *parser.flush()):
            chunk = parse_object(event.data) if event.data else None
            choices = chunk.get("choices") if chunk else None
            for choice in choices if isinstance(choices, list) else ():
                if isinstance(choice, dict) and isinstance(index := choice.get("index"), int):
                    said = choice.get("delta")
                    details = said.get("reasoning_details") if isinstance(said, dict) else None
                    self._choice(index).follow_details(read_details(details))
