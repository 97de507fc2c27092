"""The rule that a decision saves."""

from dataclasses import replace

from tests.fakes.samples import waiting

from callgate.core.grant import grant
from callgate.core.invocation import Decision
from callgate.core.policy import Rule

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


def test_a_clients_own_tool_is_granted_to_that_client_only() -> None:
    assert grant(replace(CALL, owner="client"), Decision("approve", scope="session")).agent == "claude-code"
    assert grant(CALL, Decision("approve", scope="session")).agent == "*"
