"""Rules in plain words, and why one may not count now."""

from dataclasses import replace

import pytest

from callgate.core.rules.match import ExpressionError
from callgate.core.rules.policy import Rule
from callgate.core.rules.rule_words import (
    about_words,
    is_grant,
    limit_words,
    origin_words,
    rule_words,
    span_words,
    state_of,
    when_words,
)
from callgate.core.tool import Tool

NOW = 1_000_000.0
READ = Tool("read_file", "built-in", "Reads a file.")


def test_a_rule_is_told_as_a_sentence() -> None:
    rule = Rule("allow", "read_file", "built-in", "claude-code", "args.path:src/**")
    assert rule_words(rule) == "allow read_file of built-in for claude-code when args.path fits src/**"
    assert rule_words(Rule("deny")) == "deny every tool"
    assert rule_words(Rule("ask", "x", review=True)) == "ask x, and review the result"
    assert about_words(Rule("ask", "git_*", "git")) == "git_* of git"


def test_an_expression_that_cannot_be_read_is_told_as_it_stands() -> None:
    assert rule_words(Rule("deny", "x", when="args.a=")) == "deny x when args.a="
    with pytest.raises(ExpressionError):
        when_words("args.a=")
    assert when_words(" ") == ""


def test_what_is_left_is_counted_down() -> None:
    assert limit_words(Rule("allow"), NOW) == ""
    assert limit_words(Rule("allow", uses=1, expires=NOW + 90), NOW) == "1 use left, for 2 min"
    assert limit_words(Rule("allow", uses=5, expires=NOW - 1), NOW) == "5 uses left, time is over"


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 min"), (60, "1 min"), (61, "2 min"), (7200, "2 h"), (86400 * 30, "30 days")]
)
def test_a_stretch_of_time_is_never_told_as_nothing(seconds: float, words: str) -> None:
    assert span_words(seconds) == words


def test_only_what_a_person_saved_is_a_grant() -> None:
    assert [is_grant(Rule("allow", origin=origin)) for origin in ("session", "workspace", "always")] == [True] * 3
    assert not is_grant(Rule("allow")) and not is_grant(Rule("allow", origin="setting"))
    assert origin_words(Rule("allow")) == "configuration file"
    assert origin_words(Rule("allow", origin="elsewhere")) == "elsewhere"


def test_a_rule_that_does_not_count_says_why() -> None:
    grant = Rule("allow", "read_file", "built-in", fingerprint=READ.fingerprint)
    assert state_of(grant, [READ], NOW).standing == "active"
    changed = replace(READ, description="Reads and sends a file.")
    assert state_of(grant, [changed], NOW).standing == "suspended"
    assert state_of(grant, [], NOW).standing == "active"
    assert state_of(replace(grant, expires=NOW), [READ], NOW).standing == "expired"
    assert state_of(replace(grant, uses=0), [READ], NOW).standing == "used_up"
    unreadable = state_of(replace(grant, when="(a"), [READ], NOW)
    assert unreadable.standing == "unreadable" and "never closed" in unreadable.reason


def test_nothing_is_claimed_of_tools_that_clients_bring_along() -> None:
    rule = Rule("allow", "read_file", "client", fingerprint="other")
    assert state_of(rule, [READ], NOW).standing == "active"


def test_a_choice_at_the_deadline_is_said() -> None:
    assert rule_words(Rule("ask", "x", at_deadline="allow")) == "ask x, and allow it if nobody decides in time"
