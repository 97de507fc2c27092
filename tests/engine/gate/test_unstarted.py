"""What is allowed and has not started rests on the rules that are in force."""

from dataclasses import replace

import pytest
from tests.fakes.samples import waiting

from callgate.core.calls.invocation import Allow, Invocation, advance
from callgate.core.rules.policy import Verdict
from callgate.engine.gate.unstarted import Unstarted, Withdrawn


def allowed(name: str, *rules: str, by: str = "rule") -> Invocation:
    verdict = Verdict("allow", "", rule_id=rules[0] if rules else "", rule_ids=rules)
    return advance(replace(waiting(), id=name), Allow("Setting", by, verdict), 1.0)  # type: ignore[arg-type]


def test_a_call_starts_only_while_every_rule_that_it_rests_on_is_in_force() -> None:
    in_force = ["a", "b"]
    unstarted = Unstarted(lambda: in_force)
    call = allowed("one", "a", "b")
    unstarted.start(call)
    in_force.remove("b")
    with pytest.raises(Withdrawn):
        unstarted.start(call)


@pytest.mark.parametrize("by", ["person", "setting", "deadline"])
def test_what_no_rule_has_decided_is_withdrawn_by_none(by: str) -> None:
    Unstarted(lambda: ()).start(allowed("one", "a", by=by))


def test_those_that_lost_a_rule_are_woken_once_and_the_others_not() -> None:
    in_force = ["a", "b"]
    unstarted = Unstarted(lambda: in_force)
    woken: list[str] = []
    for name, rule in (("one", "a"), ("two", "b"), ("three", "a")):
        unstarted.add(allowed(name, rule))
        unstarted.wake_with(name, lambda name=name: woken.append(name))
    unstarted.discard("three")
    assert [call.id for call in unstarted.resting_on("a")] == ["one"]
    in_force.remove("a")
    unstarted.rules_changed()
    unstarted.rules_changed()
    assert woken == ["one"]
