from callgate.core.rules.rule import Rule


def test_a_rule_says_itself_in_one_line() -> None:
    assert str(Rule("deny")) == "deny *"
    rule = Rule("allow", "fetch_*", "web", "codex", "urls:x", review=True)
    assert str(rule) == "allow fetch_* of web for codex when urls:x and review the result"


def test_a_rule_says_what_happens_at_the_deadline() -> None:
    assert str(Rule("ask", "x", at_deadline="allow")) == "ask x and allow at the deadline"
