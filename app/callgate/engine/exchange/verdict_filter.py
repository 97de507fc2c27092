"""What becomes of a held reply once its calls are settled: what the client gets of it, and what the model is told.

A call that was refused or answered never reaches the client. The model is asked again with its result; where it can't
be, the client is told in words instead.
"""

from dataclasses import replace

from callgate.core.calls.invocation import Invocation
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta, Finished, TextDelta, UsageReported
from callgate.core.errors import Fault, PeerFault
from callgate.core.messages import Message, Part, Text, ToolCall, ToolResult
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering
from callgate.engine.exchange.round_calls import CallKey, RoundCalls
from callgate.wire.built_in_calls import takes_words

_AFTER_ALL_PARTS = 1_000_000


class VerdictFilter:
    def __init__(self, calls: RoundCalls, splice: DeltaRenumbering, *, can_ask_again: bool, paused: bool) -> None:
        """`paused`: the provider wants to be asked again anyway."""
        self._settled = calls.settled
        self._splice = splice
        self.released = calls.released
        self._kept = calls.settled.keys() - self.released
        self.asks_again = can_ask_again and all(_can_be_told(calls.settled[key]) for key in self._kept)
        """Whether the model can be told what became of its calls."""
        self.finishes = (not self._kept or bool(self.released) or not self.asks_again) and not paused
        """The client has its finish with this reply."""
        edited = any(calls.settled[key].edited_arguments is not None for key in self.released)
        unjudged = calls.unfinished - calls.passing
        self.is_whole = not self._kept and not edited and not unjudged and self.finishes
        """The client may have the reply as it came."""

    def rewritten(self, delta: Delta) -> list[Delta]:
        """What the client gets of a delta of a reply that is not whole."""
        match delta:
            case CallStarted() | ArgumentsDelta() | CallEnded():
                return self._of_call(delta)
            case Finished() if self.finishes and not self.asks_again:
                return self._told_in_words(delta)
            case Finished() | UsageReported():
                visible = self._splice.add(delta)
                return visible if self.finishes else []
            case _:
                return self._splice.add(delta)

    def results(self) -> tuple[ToolResult, ...]:
        """One for every call that did not go to the client, for the model."""
        return tuple(_result_of(self._settled[key]) for key in sorted(self._kept)) if self.asks_again else ()

    def said(self, message: Message) -> Message:
        """The model's turn as its history shall have it: edited calls as edited, and none without a result."""
        parts = [self._as_settled((0, index), part) for index, part in enumerate(message.parts)]
        kept: list[Part] = [part for part in parts if part is not None]
        note = self._note(0)
        if note and not self.asks_again:
            kept.append(Text(note))
        return replace(message, parts=tuple(kept))

    def _of_call(self, delta: CallStarted | ArgumentsDelta | CallEnded) -> list[Delta]:
        key = (delta.choice, delta.part)
        if key not in self.released:
            return []
        edited = self._settled[key].edited_arguments
        if edited is None or isinstance(delta, CallStarted):
            return self._splice.add(delta)
        if isinstance(delta, ArgumentsDelta):
            return []
        whole = ArgumentsDelta(delta.part, edited, delta.choice)
        changed = replace(delta, arguments=edited, signature="", wire="")  # a proof is of the very call
        return [*self._splice.add(whole), *self._splice.add(changed)]

    def _told_in_words(self, delta: Finished) -> list[Delta]:
        note = self._note(delta.choice)
        still_calls = any(choice == delta.choice for choice, _ in self.released)
        reason = delta.reason if still_calls or delta.reason != "tool_calls" else "stop"
        told = self._splice.add(TextDelta(_AFTER_ALL_PARTS, note, delta.choice)) if note else []
        return [*told, *self._splice.add(replace(delta, reason=reason))]

    def _note(self, choice: int) -> str:
        """What became of a choice's refused calls, as their results would tell it."""
        results = (self._settled[key].result for key in sorted(self._kept) if key[0] == choice)
        return "\n\n".join(result.text for result in results if result is not None)

    def _as_settled(self, key: CallKey, part: Part) -> Part | None:
        if not isinstance(part, ToolCall) or key not in self._settled:
            return part
        if key in self._kept and not self.asks_again:
            return None
        edited = self._settled[key].edited_arguments
        return part if edited is None else replace(part, arguments=edited, signature="", wire="")


def _can_be_told(invocation: Invocation) -> bool:
    return invocation.variant != "built_in" or takes_words(invocation.tool)


def _result_of(invocation: Invocation) -> ToolResult:
    if invocation.result is None:
        # Cancelled without a time-out: the exchange itself is being cancelled and never asks again
        raise PeerFault(Fault("upstream", f"the call of {invocation.tool} was cancelled"))
    return invocation.result
