"""Which calls wait for a person: a fold of events, oldest first, those put off at the end. Pure; knows no widgets."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, InvocationChanged


@dataclass(frozen=True, slots=True)
class WaitingCall:
    invocation: Invocation
    snoozed: bool = False
    """The person said: not now. It goes to the end, and no dialog opens for it."""

    @property
    def id(self) -> str:
        return self.invocation.id

    @property
    def turn(self) -> tuple[str, int]:
        return self.invocation.exchange_id, self.invocation.round

    @property
    def asked_at(self) -> float:
        return self.invocation.phases[-1].since if self.invocation.phases else 0.0


@dataclass(frozen=True, slots=True)
class Change:
    """What a batch of events did to the list."""

    began: tuple[str, ...] = ()
    """Calls that wait now and did not before."""
    ended: tuple[InvocationChanged, ...] = ()
    """The events that ended a wait."""


class WaitingCalls:
    def __init__(self, waiting: Iterable[Invocation] = ()) -> None:
        self._calls: dict[str, WaitingCall] = {call.id: WaitingCall(call) for call in waiting}

    def __len__(self) -> int:
        return len(self._calls)

    @property
    def calls(self) -> tuple[WaitingCall, ...]:
        """The oldest first; calls of one turn stay together, in the order in which the model wrote them."""
        began: dict[tuple[str, int], float] = {}
        for call in self._calls.values():
            began[call.turn] = min(call.asked_at, began.get(call.turn, call.asked_at))

        def place(call: WaitingCall) -> tuple[bool, float, tuple[str, int], int, float]:
            return call.snoozed, began[call.turn], call.turn, call.invocation.part, call.asked_at

        return tuple(sorted(self._calls.values(), key=place))

    def apply(self, batch: Iterable[Event]) -> Change:
        began: dict[str, None] = {}
        ended: list[InvocationChanged] = []
        for event in batch:
            if not isinstance(event, InvocationChanged):
                continue
            invocation = event.invocation
            known = self._calls.get(invocation.id)
            if invocation.is_waiting:
                same_wait = known is not None and known.invocation.state == invocation.state
                self._calls[invocation.id] = WaitingCall(invocation, known.snoozed if same_wait and known else False)
                if not same_wait:
                    began[invocation.id] = None
            elif known is not None:
                del self._calls[invocation.id]
                began.pop(invocation.id, None)
                ended.append(event)
        # one whose decision was void at once waits again: it has not ended
        return Change(tuple(began), tuple(event for event in ended if event.invocation.id not in self._calls))

    def snooze(self, invocation_id: str) -> bool:
        """Puts a call off; False = it does not wait any more."""
        return self._put(invocation_id, snoozed=True)

    def wake(self, invocation_id: str) -> bool:
        """Takes it back."""
        return self._put(invocation_id, snoozed=False)

    def _put(self, invocation_id: str, *, snoozed: bool) -> bool:
        call = self._calls.get(invocation_id)
        if call is None:
            return False
        self._calls[invocation_id] = replace(call, snoozed=snoozed)
        return True
