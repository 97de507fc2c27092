"""The rule that a decision saves."""

from dataclasses import replace

from tests.fakes.samples import waiting

from callgate.core.calls.invocation import Decision
from callgate.core.rules.grant import grant
from callgate.core.rules.policy import Call, Policy, Rule

CALL = replace(waiting("read_file"), fingerprint="abc")


def test_an_approval_is_bound_to_the_definition_that_was_seen() -> None:
    decision = Decision("approve", scope="always", when="args.path:src/**", uses=3, expires=9.0)
    assert grant(CALL, decision) == Rule(
        "allow",
        "read_file",
        "built-in",
        when="args.path:src/**",
        uses=3,
        expires=9.0,
        origin="always",
        fingerprint="abc",
    )


def test_a_denial_keeps_its_reason_and_holds_for_any_definition() -> None:
    rule = grant(CALL, Decision("deny", scope="session", reason="private"))
    assert (rule.verdict, rule.note, rule.fingerprint, rule.when) == ("deny", "private", "", "")


def test_a_clients_own_tool_is_granted_to_that_client_only_if_its_name_is_proven() -> None:
    own = replace(CALL, owner="client", agent_proven=True)
    assert grant(own, Decision("approve", scope="session")).agent == "claude-code"
    assert grant(replace(CALL, agent_proven=True), Decision("approve", scope="session")).agent == "*"


def test_a_grant_made_for_a_claimed_name_counts_and_is_bound_to_the_tool_not_to_the_name() -> None:
    own = replace(CALL, owner="client", source="client")
    rule = grant(own, Decision("approve", scope="always"))
    assert (rule.agent, rule.fingerprint) == ("*", "abc")
    call = Call(own.tool, own.source, own.agent, fingerprint="abc")
    assert Policy([rule]).judge(call, 0).kind == "allow"
    assert Policy([rule]).judge(replace(call, fingerprint="other"), 0).kind == "ask"


def test_a_denial_of_a_clients_own_tool_is_for_the_claimed_name() -> None:
    assert grant(replace(CALL, owner="client"), Decision("deny", scope="always")).agent == "claude-code"
