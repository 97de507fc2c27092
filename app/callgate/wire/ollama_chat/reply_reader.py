"""A reply, whole or line by line: response objects → deltas. How they were framed is not known here."""

from collections.abc import Mapping
from datetime import datetime

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.errors import BadRequest, Fault
from callgate.core.ids import new_id
from callgate.core.json.fields import Fields
from callgate.core.messages import FinishReason, Image, Json, Usage, token_count
from callgate.wire.ollama_chat.calls import read_call
from callgate.wire.ollama_chat.errors import fault_of
from callgate.wire.ollama_chat.ids import TurnIds
from callgate.wire.openai_logprobs import read_logprobs, unread_logprobs
from callgate.wire.unknown_fields import Beside, unread

_KNOWN = frozenset(
    (
        "model",
        "created_at",
        "message",
        "done",
        "done_reason",
        "total_duration",
        "load_duration",
        "prompt_eval_count",
        "prompt_eval_duration",
        "eval_count",
        "eval_duration",
        "logprobs",
    )
)
_OF_MESSAGE = frozenset(("role", "content", "thinking", "tool_calls", "images"))
_OF_CALL = frozenset(("id", "function"))
_OF_FUNCTION = frozenset(("name", "arguments", "index"))
_ENDS: dict[str, FinishReason] = {"length": "length", "content_filter": "content_filter"}


class ReplyReader:
    """What one response object after another adds to a reply."""

    def __init__(self) -> None:
        self._ids: TurnIds | None = None
        self._taken: set[str] = set()
        self._parts = 0
        self._open = ""
        """What the last part is, as long as more can be added to it: `text`, `reasoning` or nothing."""
        self._called = False
        self.finished = False

    def take(self, chunk: Mapping[str, Json], repairs: list[str], beside: list[Beside]) -> list[Delta]:
        if chunk.get("error"):
            return [Failed(fault_of(dict(chunk)))]
        deltas: list[Delta] = []
        if self._ids is None:
            created = chunk.get("created_at")
            # the moment tells this turn from all others, and gives the same ids whenever the same bytes are read
            self._ids = TurnIds(created if isinstance(created, str) and created else new_id("turn"))
            model = chunk.get("model")
            deltas.append(Started("", model if isinstance(model, str) else "", _seconds(created)))
        repairs += _look_alikes(chunk, _KNOWN)
        message = chunk.get("message")
        if isinstance(message, dict):
            repairs += [*_look_alikes(message, _OF_MESSAGE), *_unreadable(message)]
            deltas += self._message(message, self._ids, repairs)
            beside += unread(message, _OF_MESSAGE, "message.")
        elif not chunk.get("done"):
            repairs.append("a piece had no message")
        if tokens := read_logprobs(chunk.get("logprobs")):
            beside += unread_logprobs(chunk.get("logprobs"), "logprobs.")
            if self._open == "text":
                deltas.append(TokensWeighed(self._parts - 1, tokens))
        beside += unread(chunk, _KNOWN)
        if chunk.get("done") is True:
            deltas += self._end(chunk)
        return deltas

    def _message(self, message: Mapping[str, Json], ids: TurnIds, repairs: list[str]) -> list[Delta]:
        deltas: list[Delta] = []
        thinking, content = message.get("thinking"), message.get("content")
        if isinstance(thinking, str) and thinking:
            deltas.append(ReasoningDelta(self._part_of("reasoning"), thinking))
        if isinstance(content, str) and content:
            deltas.append(TextDelta(self._part_of("text"), content))
        images = message.get("images")
        for image in images if isinstance(images, list) else ():
            if isinstance(image, str):
                deltas.append(PartArrived(self._new_part(), Image("image/png", image)))
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            deltas += self._call(call, ids, repairs)
        return deltas

    def _call(self, given: Json, ids: TurnIds, repairs: list[str]) -> list[Delta]:
        try:
            call = read_call(Fields(given))
        except BadRequest as bad:
            return [Failed(Fault("upstream", f"unreadable call in the provider's answer: {bad.fault.message}"))]
        function = given.get("function") if isinstance(given, dict) else None
        if isinstance(given, dict) and isinstance(function, dict):
            repairs += [*_look_alikes(given, _OF_CALL), *_look_alikes(function, _OF_FUNCTION)]
            if not isinstance(function.get("arguments"), dict):
                repairs.append("a call's arguments were no object")
        if not call.name:
            return [Failed(Fault("upstream", "a call in the provider's answer has no name"))]
        made = ids.next(call.name)
        call_id = call.id or made
        if call_id in self._taken:
            repairs.append("two calls had the same id")
            call_id = made
        self._taken.add(call_id)
        self._called = True
        number = self._new_part()
        return [
            CallStarted(number, call_id, call.name),
            ArgumentsDelta(number, call.arguments),
            CallEnded(number, call.arguments),
        ]

    def _end(self, chunk: Mapping[str, Json]) -> list[Delta]:
        self.finished = True
        usage = Usage(token_count(chunk.get("prompt_eval_count")), token_count(chunk.get("eval_count")))
        counted: list[Delta] = [UsageReported(usage)] if usage.total else []
        word = chunk.get("done_reason")
        reason = _ENDS.get(word, "stop") if isinstance(word, str) else "stop"
        return [*counted, Finished("tool_calls" if self._called and reason == "stop" else reason)]

    def _part_of(self, kind: str) -> int:
        if self._open != kind:
            self._new_part()
            self._open = kind
        return self._parts - 1

    def _new_part(self) -> int:
        self._open = ""
        self._parts += 1
        return self._parts - 1


def _look_alikes(value: Mapping[str, Json], known: frozenset[str]) -> list[str]:
    """Clients in Go read keys in any case: one would run a call that nobody has judged."""
    found = [key for key in value if key not in known and key.casefold() in known]
    return [f"the key {key!r} is read as another by some clients" for key in found[:1]]


def _unreadable(message: Mapping[str, Json]) -> list[str]:
    """What makes the official package fail."""
    found = [] if isinstance(message.get("role"), str) else ["a message had no role"]
    for name in ("content", "thinking"):
        if not isinstance(message.get(name), str | None):
            found.append(f"{name} was no string")
    if not isinstance(message.get("tool_calls"), list | None):
        found.append("the calls were no list")
    return found


def _seconds(created: Json) -> int:
    try:
        return int(datetime.fromisoformat(created).timestamp()) if isinstance(created, str) else 0
    except (ValueError, OverflowError):
        return 0
