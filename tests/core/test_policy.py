from hypothesis import given
from hypothesis import strategies as st

from callgate.core.policy import Call, Policy, Rule, VerdictKind

CALL = Call("read_file", "built-in", "script", "m", '{"path":"/tmp/a"}', fingerprint="f1")


def test_nothing_matched_means_ask() -> None:
    verdict = Policy([Rule("allow", "other")]).judge(CALL, 0)
    assert (verdict.kind, verdict.rule) == ("ask", "")


def test_deny_beats_ask_beats_allow_however_specific() -> None:
    specific_allow = Rule("allow", "read_file", when="args.path:/tmp/a")
    assert Policy([specific_allow]).judge(CALL, 0).kind == "allow"
    assert Policy([specific_allow, Rule("ask")]).judge(CALL, 0).kind == "ask"
    assert Policy([specific_allow, Rule("ask"), Rule("deny")]).judge(CALL, 0).kind == "deny"


def test_a_rule_that_cannot_be_read_asks_and_says_so() -> None:
    verdict = Policy([Rule("allow", "read_*"), Rule("deny", "read_*", when="args.path~'('")]).judge(CALL, 0)
    assert verdict.kind == "ask"
    assert "cannot be read" in verdict.reason


def test_an_unreadable_rule_about_other_tools_changes_nothing() -> None:
    assert Policy([Rule("allow", "read_*"), Rule("deny", "write_*", when="(")]).judge(CALL, 0).kind == "allow"


def test_a_pattern_that_takes_too_long_asks() -> None:
    slow = Rule("allow", when="args.path~'(a|aa)+$'")
    call = Call("read_file", "built-in", "script", arguments='{"path":"' + "a" * 60 + '!"}')
    assert Policy([slow]).judge(call, 0).kind == "ask"


def test_expired_and_used_up_rules_do_not_apply() -> None:
    assert Policy([Rule("allow", expires=10.0)]).judge(CALL, 9.9).kind == "allow"
    assert Policy([Rule("allow", expires=10.0)]).judge(CALL, 10.0).kind == "ask"
    assert Policy([Rule("allow", uses=0)]).judge(CALL, 0).kind == "ask"


def test_a_grant_is_suspended_when_the_definition_changed() -> None:
    verdict = Policy([Rule("allow", "read_file", fingerprint="f0")]).judge(CALL, 0)
    assert verdict.kind == "ask"
    assert "definition has changed" in verdict.trace[0].outcome


def test_the_trace_names_every_rule_that_was_tried() -> None:
    rules = [Rule("allow", "read_*"), Rule("deny", "write_*"), Rule("ask", when="args.path:/etc/**")]
    trace = Policy(rules).judge(CALL, 0).trace
    assert [line.outcome for line in trace if line.layer] == ["matched", "arguments do not match"]


verdicts = st.sampled_from(["allow", "ask", "deny"])
rules = st.builds(
    Rule,
    verdicts,
    st.sampled_from(["*", "read_*", "read_file", "write"]),
    when=st.sampled_from(["", "args.path:/tmp/**", "args.path:/etc/**", "("]),
)


@given(st.lists(rules, max_size=6), rules)
def test_adding_a_deny_rule_never_widens_access(before: list[Rule], extra: Rule) -> None:
    order: tuple[VerdictKind, ...] = ("allow", "ask", "deny")
    deny = Rule("deny", extra.tool, when=extra.when)
    old, new = Policy(before).judge(CALL, 0).kind, Policy([*before, deny]).judge(CALL, 0).kind
    assert order.index(new) >= order.index(old) or (old == "ask" and new == "ask")


@given(st.lists(rules, max_size=6))
def test_a_tool_that_nothing_could_refuse_is_never_refused(all_rules: list[Rule]) -> None:
    policy = Policy(all_rules)
    if not policy.could_refuse(CALL.tool, CALL.source, CALL.agent, 0):
        assert policy.judge(CALL, 0).kind != "deny"
