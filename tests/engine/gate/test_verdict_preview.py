"""What the gate will say is told early: as certain only where nothing that is still to come could change it."""

import pytest
from tests.fakes.samples import sample_invocation

from callgate.core.calls.invocation import Invocation
from callgate.core.gate_mode import GateMode
from callgate.core.json.partial import PartialJson
from callgate.core.rules.policy import Policy, Rule
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.verdict_preview import Foreseer, VerdictPreview

NOW = 1000.0


class Rules:
    def __init__(self, *rules: Rule) -> None:
        self._rules = rules

    def rules(self) -> tuple[Rule, ...]:
        return self._rules

    def add(self, rule: Rule, scope: object) -> Rule:
        raise AssertionError("foreseeing saves nothing")

    def problem_with(self, rule: Rule, scope: object) -> str:
        raise AssertionError("foreseeing saves nothing")

    def enter_turn(self, conversation_id: str, exchange_id: str, *, begins: bool) -> str:
        raise AssertionError("foreseeing starts nothing")

    def use(self, rule_id: str) -> None:
        raise AssertionError("foreseeing uses nothing up")

    def on_change(self, listener: object) -> None: ...


def foreseen(text: str, *rules: Rule, mode: str = "rules", conduct: GateConduct | None = None) -> VerdictPreview:
    gate = Gate(Bus(), Rules(*rules), conduct or GateConduct(), lambda *_: "", clock=lambda: NOW)
    if mode != "rules":
        gate.set_mode(GateMode(mode))  # type: ignore[arg-type]
    foreseer = Foreseer(gate, Policy(rules), clock=lambda: NOW)
    invocation: Invocation = sample_invocation(tool="get_weather")
    return foreseer.foresee(invocation, PartialJson(text).sketch())


ALLOW = Rule("allow", "get_*")
ALLOW_PARIS = Rule("allow", "get_*", when="args.city:Par*")
DENY_ROME = Rule("deny", "get_*", when="args.city:Rome")
DENY_OTHER = Rule("deny", "get_*", when="not args.city:Rome")


@pytest.mark.parametrize(
    ("text", "rules", "kind", "certain"),
    [
        ("{", (), "ask", True),
        ("{", (ALLOW,), "allow", False),
        ('{"city": "Par', (ALLOW_PARIS,), "ask", False),
        ('{"city": "Paris", ', (ALLOW_PARIS,), "allow", False),
        ('{"city": "Paris"}', (ALLOW_PARIS,), "allow", True),
        ('{"city": "Rome", ', (ALLOW, DENY_ROME), "deny", True),
        ('{"city": "Rom', (ALLOW, DENY_ROME), "allow", False),
        ('{"city": "Paris", ', (ALLOW, DENY_OTHER), "deny", False),
        ("{", (Rule("deny", "get_*"),), "deny", True),
        ("{", (Rule("ask", "get_*"), ALLOW), "ask", True),
        ("{", (Rule("ask", "get_*"), DENY_ROME), "ask", False),
        ("{", (Rule("allow", "get_*", uses=1, id="r1"),), "allow", False),
        ("", (), "ask", True),
    ],
)
def test_what_is_certain_stays_so(text: str, rules: tuple[Rule, ...], kind: str, certain: bool) -> None:
    seen = foreseen(text, *rules)
    assert (seen.kind, seen.certain) == (kind, certain)


def test_the_rule_that_speaks_is_named() -> None:
    assert foreseen('{"city": "Rome", ', DENY_ROME).rule == str(DENY_ROME)


def test_the_mode_of_the_gate_counts() -> None:
    assert foreseen("{", ALLOW, mode="ask") == VerdictPreview(
        "ask", True, str(ALLOW), "the gate asks about everything now"
    )
    assert foreseen("{", mode="observe").kind == "allow"


def test_where_nobody_is_asked_nothing_is_said_about_asking() -> None:
    assert foreseen("{", conduct=GateConduct(on_ask="deny")).kind == "deny"
    assert foreseen("{", conduct=GateConduct(on_ask="allow")).kind == "allow"
