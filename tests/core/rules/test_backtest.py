from dataclasses import replace

from callgate.core.calls.invocation import Invocation
from callgate.core.gate_mode import GateMode
from callgate.core.rules.backtest import back_test
from callgate.core.rules.policy import Rule

CALL = Invocation(
    "i", "e", "c", 1, 0, "call", "read_file", "gate", "built-in", "script", "m", "Completed", '{"path":"docs/a"}'
)
PAST = [
    CALL,
    replace(CALL, id="j", reason="Denied"),
    replace(CALL, id="k", arguments='{"path":"/etc/passwd"}'),
    replace(CALL, id="l", tool="rm"),
]


def test_a_rule_is_tried_on_past_calls_and_says_which_of_them_were_refused() -> None:
    rule = Rule("allow", "read_file", when="args.path:docs/**", uses=1, expires=1.0, fingerprint="old")
    tested = back_test(rule, PAST, 100.0)
    assert [invocation.id for invocation in tested.matched] == ["i", "j"]
    assert [invocation.id for invocation in tested.denied_before] == ["j"]
    assert tested.words(rule) == "would have allowed 2 past calls of 4, 1 of which was refused"


def test_the_gate_falls_back_to_rules_when_its_time_is_over() -> None:
    assert GateMode("observe", 10.0).at(9.9).kind == "observe"
    assert GateMode("observe", 10.0).at(10.0) == GateMode()
    assert GateMode("ask").at(1e12).kind == "ask"
