"""When the person's own click is the decision on a call."""

from dataclasses import replace

import pytest

from callgate.core.calls.binding import BindingChange
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.own_act import OwnAct
from callgate.core.rules.policy import Rule, TraceLine, Verdict
from callgate.core.rules.rule import SUSPENDED
from callgate.core.tool import PERSON_SOURCE, Annotations, Tool

TOOL = Tool("look", "src", annotations=Annotations(read_only=True, open_world=False))
OPEN = Verdict("ask", "no rule matched")


def call(tool: Tool = TOOL, arguments: str = "{}", **more: object) -> Invocation:
    made = Invocation("i", "e", "c", 1, 0, "k", tool.name, "gate", tool.source, "callgate", "", arguments=arguments)
    return replace(made, fingerprint=tool.fingerprint, **more)  # type: ignore[arg-type]


def test_a_call_that_nothing_speaks_against_is_decided_by_the_click() -> None:
    assert OwnAct(TOOL).decides(call(), OPEN, None)
    assert OwnAct(TOOL).decides(call(), Verdict("allow", "rule"), Rule("allow"))
    assert OwnAct(TOOL).decides(call(), Verdict("ask", "rule", "ask look"), Rule("ask"))


@pytest.mark.parametrize(
    ("verdict", "rule"),
    [
        (Verdict("deny", "no"), Rule("deny")),
        (replace(OPEN, unrecorded=True), None),
        (replace(OPEN, trace=(TraceLine("allow look", SUSPENDED),)), None),
        (Verdict("ask", "rules alone cannot allow it: it writes Callgate's own files", grantable=False), None),
        (Verdict("ask", "can't be read", "deny look"), Rule("deny")),
        (Verdict("ask", "High risk: keys", "ask look"), Rule("ask", note="High risk: keys")),
    ],
    ids=["denied", "unrecorded", "suspended", "a concern", "an unreadable rule", "high risk"],
)
def test_what_the_rules_hold_against_it_counts_more_than_the_click(verdict: Verdict, rule: Rule | None) -> None:
    assert not OwnAct(TOOL).decides(call(), verdict, rule)


def test_a_call_that_is_not_what_the_person_saw_is_not_decided() -> None:
    act = OwnAct(TOOL)
    assert not act.decides(call(replace(TOOL, description="other")), OPEN, None)
    assert not act.decides(call(source="elsewhere"), OPEN, None)
    assert not act.decides(call(change=BindingChange("offered")), OPEN, None)
    assert not act.decides(call(owner="client"), OPEN, None)
    asked = replace(TOOL, source=PERSON_SOURCE)
    assert not OwnAct(asked).decides(call(asked), OPEN, None)


def test_what_may_do_harm_is_asked_about() -> None:
    destroys = replace(TOOL, annotations=Annotations(destructive=True))
    assert not OwnAct(destroys).decides(call(destroys), OPEN, None)
    shell = Tool("bash", "src", tags=("terminal",))
    assert OwnAct(shell).decides(call(shell, '{"command": "ls"}'), OPEN, None)
    assert not OwnAct(shell).decides(call(shell, '{"command": "rm -rf build"}'), OPEN, None)


@pytest.mark.parametrize(
    "annotations",
    [
        Annotations(),
        Annotations(read_only=True),
        Annotations(read_only=True, open_world=True),
        Annotations(False, False),
    ],
)
def test_of_what_a_model_wrote_only_reading_here_counts(annotations: Annotations) -> None:
    tool = replace(TOOL, annotations=annotations)
    assert OwnAct(tool).decides(call(tool), OPEN, None)
    assert not OwnAct(tool, by_model=True).decides(call(tool), OPEN, None)
    assert OwnAct(TOOL, by_model=True).decides(call(), OPEN, None)
