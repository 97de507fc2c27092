"""The list of waiting calls is what the events say."""

from dataclasses import replace

from tests.fakes.console import NOON, completed, reviewing, running, waiting

from callgate.core.calls.invocation import Invocation
from callgate.core.events import InvocationChanged
from callgate.ui.approvals.waiting import WaitingCalls


def events(*invocations: Invocation) -> list[InvocationChanged]:
    return [InvocationChanged(invocation, NOON) for invocation in invocations]


def ids(calls: WaitingCalls) -> list[str]:
    return [call.id for call in calls.calls]


def test_calls_are_listed_oldest_first() -> None:
    calls = WaitingCalls()
    change = calls.apply(events(waiting(id="b", at=NOON + 5), waiting(id="a"), running(id="c")))
    assert ids(calls) == ["a", "b"]
    assert set(change.began) == {"a", "b"}


def test_a_call_that_was_decided_anywhere_is_gone() -> None:
    calls = WaitingCalls([waiting(id="a"), waiting(id="b", at=NOON + 1)])
    change = calls.apply(events(completed(id="a")))
    assert ids(calls) == ["b"]
    assert [event.invocation.id for event in change.ended] == ["a"]


def test_a_call_that_came_and_went_in_one_batch_never_began() -> None:
    calls = WaitingCalls()
    assert calls.apply(events(waiting(id="a"), completed(id="a"))).began == ()
    assert len(calls) == 0


def test_a_result_to_review_is_a_new_wait() -> None:
    calls = WaitingCalls([waiting(id="a")])
    calls.snooze("a")
    assert calls.apply(events(reviewing(id="a"))).began == ("a",)
    assert not calls.calls[0].snoozed


def test_not_now_puts_it_at_the_end_until_it_is_woken() -> None:
    calls = WaitingCalls([waiting(id="a"), waiting(id="b", at=NOON + 1)])
    assert calls.snooze("a")
    assert ids(calls) == ["b", "a"]
    assert calls.apply(events(waiting(id="a"))).began == ()
    assert ids(calls) == ["b", "a"]
    assert calls.wake("a")
    assert ids(calls) == ["a", "b"]
    assert not calls.snooze("gone")


def test_calls_of_one_turn_stay_together_in_the_order_of_the_model() -> None:
    first, second, other = (
        replace(waiting(id=id, at=NOON + at), exchange_id=turn, part=part)
        for id, at, turn, part in (("a", 2, "e1", 0), ("b", 0, "e1", 1), ("c", 1, "e2", 0))
    )
    assert [call.id for call in WaitingCalls([other, second, first]).calls] == ["a", "b", "c"]
