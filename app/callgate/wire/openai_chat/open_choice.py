"""A choice that is being written: which calls the client knows of, under which number, with what sent so far."""

from dataclasses import dataclass

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    TextDelta,
)
from callgate.core.messages import CallVariant, Json

Said = (
    TextDelta
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


@dataclass(slots=True)
class _OpenCall:
    number: int
    variant: CallVariant
    sent: int = 0
    """Characters of its arguments."""
    muted: bool = False
    """The old style has room for one call; the others are not told."""


class OpenChoice:
    """Gives the deltas (`choices[].delta`) that tell of calls."""

    def __init__(self, legacy: bool) -> None:
        self.finished = False
        self.refused = False
        self._legacy = legacy
        self._calls: dict[int, _OpenCall] = {}
        self._count = 0

    @property
    def called(self) -> bool:
        return self._count > 0

    def follow(self, delta: Said) -> None:
        """The client has seen it, in the provider's own bytes."""
        match delta:
            case CallStarted():
                self._open(delta)
            case ArgumentsDelta() if delta.part in self._calls:
                self._calls[delta.part].sent += len(delta.text)
            case Finished():
                self.finished = True
            case RefusalDelta():
                self.refused = True
            case _:
                pass

    def start(self, delta: CallStarted) -> list[dict[str, Json]]:
        call = self._open(delta)
        if call.muted:
            return []
        if self._legacy:
            return [{"function_call": {"name": delta.name, "arguments": ""}}]
        spelled = "arguments" if call.variant == "function" else "input"
        inner: dict[str, Json] = {"name": delta.name, spelled: ""}
        return [{"tool_calls": [{"index": call.number, "id": delta.id, "type": call.variant, call.variant: inner}]}]

    def grow(self, delta: ArgumentsDelta) -> list[dict[str, Json]]:
        call = self._calls.get(delta.part)
        return [] if call is None else self._send(call, delta.text)

    def end(self, delta: CallEnded) -> list[dict[str, Json]]:
        """What has not been sent yet, and Gemini's proof where Google's own compatible service puts it."""
        call = self._calls.get(delta.part)
        if call is None:
            return []
        whole = delta.arguments or ("{}" if call.variant == "function" else "")
        pieces = self._send(call, whole[call.sent :])
        if delta.signature and delta.wire == "gemini" and not self._legacy and call.variant == "function":
            proof: Json = {"google": {"thought_signature": delta.signature}}
            nothing: Json = {"arguments": ""}  # clients look into it without asking whether it is there
            pieces.append({"tool_calls": [{"index": call.number, "function": nothing, "extra_content": proof}]})
        return pieces

    def _open(self, delta: CallStarted) -> _OpenCall:
        call = _OpenCall(self._count, delta.variant, muted=self._legacy and self._count > 0)
        self._count += 1
        self._calls[delta.part] = call
        return call

    def _send(self, call: _OpenCall, text: str) -> list[dict[str, Json]]:
        if not text or call.muted:
            return []
        call.sent += len(text)
        if self._legacy:
            return [{"function_call": {"arguments": text}}]
        spelled = "arguments" if call.variant == "function" else "input"
        return [{"tool_calls": [{"index": call.number, call.variant: {spelled: text}}]}]
