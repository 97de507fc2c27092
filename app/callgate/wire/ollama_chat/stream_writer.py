"""Deltas of any wire → lines that every client of this one can bear: a call comes whole, the end and the usage last."""

import time
from collections.abc import Iterable

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    RefusalDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json, Refusal, TokenLogprob, ToolCall, Usage
from callgate.wire.codec import Frame
from callgate.wire.ollama_chat.errors import error_under_200
from callgate.wire.ollama_chat.wire_traits import TRAITS
from callgate.wire.ollama_chat.written_part import Spelled, end, moment, part_of_message
from callgate.wire.openai_logprobs import write_logprobs

_LINE_BREAKS = tuple((mark.encode(), f"\\u{ord(mark):04x}".encode()) for mark in "\u0085\u2028\u2029")
"""Legal in JSON, but the official Python package takes them for the end of a line: written as escapes."""


class LinesWriter:
    def __init__(self, model: str) -> None:
        self._model = model
        self._began = time.monotonic_ns()
        self._calls: dict[int, tuple[CallStarted, list[str]]] = {}
        """Calls that have begun; they are written when they are whole."""
        self._finish: Finished | None = None
        self._usage: Usage | None = None
        self._refused = False
        self._warning = ""
        self._over = False

    def write(self, delta: Delta) -> bytes:
        if self._over:
            return b""
        match delta:
            case Started():
                self._model = delta.model or self._model
                return b""
            case UsageReported():
                self._usage = delta.usage
                return b""
            case Failed():
                self._over = True
                return _line(error_under_200(delta.fault))
            case _ if delta.choice:
                return b""  # one answer is all that the wire has room for
            case TokensWeighed():
                return self._piece({}, delta.tokens)
            case _:
                said = self._said(delta)
                return self._piece(said) if said else b""

    def _said(self, delta: Delta) -> Spelled:
        """What a delta adds to the message."""
        match delta:
            case TextDelta():
                return {"content": delta.text} if delta.text else {}
            case RefusalDelta():
                self._refused = True
                return {"content": delta.text} if delta.text else {}
            case ReasoningDelta():
                return {"thinking": delta.text} if delta.text else {}
            case CallStarted():
                self._calls[delta.part] = (delta, [])
            case ArgumentsDelta() if delta.part in self._calls:
                self._calls[delta.part][1].append(delta.text)
            case CallEnded() if delta.part in self._calls:
                begun, streamed = self._calls.pop(delta.part)
                return part_of_message(ToolCall(begun.id, begun.name, delta.arguments or "".join(streamed)))
            case PartArrived():
                self._refused = self._refused or isinstance(delta.value, Refusal)
                return part_of_message(delta.value)
            case Finished():
                self._finish = delta
                # the explanation of a refusal has no other place; words of refusal have been said already
                explained = delta.reason == "refusal" and not self._refused
                return {"content": delta.detail} if explained and delta.detail else {}
            case _:
                pass
        return {}

    def follow(self, frame: Frame) -> None:
        for delta in frame.deltas:
            match delta:
                case Started():
                    self._model = delta.model or self._model
                case Failed() | Finished():
                    self._over = True
                case _:
                    pass

    def keep_alive(self) -> bytes:
        """A piece without words: clients read each line as JSON, so white space or a comment would break them."""
        return b"" if self._over else self._piece({})

    def warn(self, text: str) -> bytes:
        self._warning = text
        return b""

    def close(self) -> bytes:
        if self._over or self._finish is None:
            return b""
        self._over = True
        took = time.monotonic_ns() - self._began
        last = end(self._finish.reason, self._usage, took, refused=self._refused)
        if self._warning:
            last[TRAITS.warnings_field] = self._warning
        return self._line({}, last)

    def _piece(self, said: Spelled, tokens: Iterable[TokenLogprob] = ()) -> bytes:
        weighed: Spelled = {"logprobs": write_logprobs(tokens, always_bytes=False)} if tokens else {}
        return self._line(said, {"done": False, **weighed})

    def _line(self, said: Spelled, rest: Spelled) -> bytes:
        message: Json = {"role": "assistant", "content": "", **said}
        return _line({"model": self._model, "created_at": moment(time.time()), "message": message, **rest})


def _line(body: Spelled) -> bytes:
    line = dump_bytes(body) + b"\n"
    for mark, escape in _LINE_BREAKS:
        line = line.replace(mark, escape)
    return line
