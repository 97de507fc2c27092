"""What was lowered on the way up, undone on the way back: delta by delta, for one reply."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Delta, PartArrived
from callgate.core.messages import ToolCall
from callgate.wire.translate.first_call import FirstCallOnly, Place
from callgate.wire.translate.free_text import FreeText, unwrap
from callgate.wire.translate.names import ToolKey, ToolNames
from callgate.wire.translate.stops import StopEmulation


class ReplyTranslator(Protocol):
    """Stateful: each reply needs its own."""

    def restore(self, delta: Delta) -> list[Delta]: ...


class Chain:
    """Restorers one after the other; with none, every delta passes as it is."""

    def __init__(self, restorers: Sequence[ReplyTranslator]) -> None:
        self._restorers = restorers

    def restore(self, delta: Delta) -> list[Delta]:
        deltas = [delta]
        for restorer in self._restorers:
            deltas = [restored for each in deltas for restored in restorer.restore(each)]
        return deltas


@dataclass(frozen=True, slots=True)
class Changes:
    """What was lowered and shows in the reply."""

    names: ToolNames | None = None
    free_text: frozenset[ToolKey] = frozenset()
    """Lowered keys of the free-form tools that became functions."""
    first_call_only: bool = False
    stops: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """False: a reply is what the provider says, word for word."""
        return self != Changes()

    def restorer(self) -> ReplyTranslator:
        restorers: list[ReplyTranslator] = []
        if self.stops:
            restorers.append(StopEmulation(self.stops))
        if self.first_call_only:
            restorers.append(FirstCallOnly())
        if self.names is not None:
            restorers.append(CallTranslator(self.names, self.free_text))
        return Chain(restorers)


@dataclass(slots=True)
class _OpenText:
    """A free-form call whose text is coming in."""

    scanner: FreeText = field(default_factory=FreeText)
    sent: list[str] = field(default_factory=list[str])


class CallTranslator:
    """Calls under the names that the client knows, free-form ones as text."""

    def __init__(self, names: ToolNames, free_text: frozenset[ToolKey]) -> None:
        self._names = names
        self._free_text = free_text
        self._open: dict[Place, _OpenText] = {}

    def restore(self, delta: Delta) -> list[Delta]:
        match delta:
            case CallStarted():
                return [self._started(delta)]
            case ArgumentsDelta():
                return self._grown(delta)
            case CallEnded():
                return self._ended(delta)
            case PartArrived(value=ToolCall() as call):
                return [replace(delta, value=self._whole(call))]
            case _:
                return [delta]

    def _started(self, delta: CallStarted) -> CallStarted:
        if delta.variant == "built_in":
            return delta  # its name is the wire's own, whatever tools are called
        key = (delta.namespace, delta.name)
        namespace, name = self._names.restore(key)
        if key not in self._free_text:
            return replace(delta, namespace=namespace, name=name)
        self._open[delta.choice, delta.part] = _OpenText()
        return replace(delta, namespace=namespace, name=name, variant="custom")

    def _grown(self, delta: ArgumentsDelta) -> list[Delta]:
        opened = self._open.get((delta.choice, delta.part))
        if opened is None:
            return [delta]
        text = opened.scanner.feed(delta.text)
        opened.sent.append(text)
        return [replace(delta, text=text)] if text else []

    def _ended(self, delta: CallEnded) -> list[Delta]:
        opened = self._open.pop((delta.choice, delta.part), None)
        if opened is None:
            return [delta]
        text, sent = unwrap(delta.arguments), "".join(opened.sent)
        rest = text.removeprefix(sent) if text.startswith(sent) else ""
        grown: list[Delta] = [ArgumentsDelta(delta.part, rest, delta.choice)] if rest else []
        return [*grown, replace(delta, arguments=text)]

    def _whole(self, call: ToolCall) -> ToolCall:
        key = (call.namespace, call.name)
        namespace, name = self._names.restore(key)
        restored = replace(call, namespace=namespace, name=name)
        if key not in self._free_text:
            return restored
        return replace(restored, variant="custom", arguments=unwrap(call.arguments))
