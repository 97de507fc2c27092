"""Ids of calls that a server has used before: constant ones, or numbers that begin anew with each turn.

Clients file results under them, so a repeated one would lead to the result of an earlier call.
"""

from collections.abc import Iterable
from dataclasses import replace

from callgate.core.deltas import CallStarted, Delta
from callgate.core.ids import new_id
from callgate.core.messages import Message, ToolCall
from callgate.wire.codec import Frame

REPAIR = "a call had the id of an earlier one"


def ids_in(messages: Iterable[Message]) -> frozenset[str]:
    return frozenset(
        part.id
        for message in messages
        if message.role == "assistant"
        for part in message.parts
        if isinstance(part, ToolCall) and part.id
    )


def with_fresh_ids(frame: Frame, taken: frozenset[str]) -> Frame:
    """The same, with ids that no earlier call has; what only one wire can spell keeps its own."""
    if not any(_repeats(delta, taken) for delta in frame.deltas):
        return frame
    deltas = tuple(
        replace(delta, id=new_id("call")) if isinstance(delta, CallStarted) and _repeats(delta, taken) else delta
        for delta in frame.deltas
    )
    return replace(frame, deltas=deltas, repairs=(*frame.repairs, REPAIR))


def _repeats(delta: Delta, taken: frozenset[str]) -> bool:
    return isinstance(delta, CallStarted) and delta.id in taken and delta.variant != "built_in"
