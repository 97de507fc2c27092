from callgate.core.calls.subject import Call
from callgate.core.rules.judgement import Judgement, Prepared
from callgate.core.rules.match import ExpressionError, parse
from callgate.core.rules.rule import Rule


def test_a_judgement_needs_nothing_but_the_rules_about_the_tool() -> None:
    call = Call("t", "", "", arguments='{"a":1}')
    rule = Prepared(Rule("allow", "t", when="args.a=1"), parse("args.a=1"))
    assert Judgement(call, 0).verdict([rule]).kind == "allow"
    assert Judgement(call, 0).verdict([]).kind == "ask"


def test_a_rule_that_is_bound_to_anything_is_no_plain_one() -> None:
    expression = parse("args.a=1")
    assert Prepared(Rule("allow"), expression).plain is expression
    for rule in (Rule("allow", uses=1), Rule("allow", expires=1.0), Rule("allow", fingerprint="f")):
        assert Prepared(rule, expression).plain is None
    assert Prepared(Rule("allow"), parse("")).plain is None
    assert Prepared(Rule("allow"), ExpressionError("bad", "(", 0)).plain is None


def test_the_first_rule_that_wants_a_review_is_named() -> None:
    rules = [Prepared(Rule("allow", id=name, review=name != "a"), parse("")) for name in "abc"]
    verdict = Judgement(Call("t", "", ""), 0).reviewing(rules)
    assert verdict is not None
    assert verdict.rule_ids == ("b",)
