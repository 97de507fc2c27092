from callgate.store.rule_import.report import Collecting


def test_what_cannot_be_said_exactly_restricts_all_or_is_left_out() -> None:
    collecting = Collecting("X")
    collecting.inexact("allow", ("a",), "A", "why")
    collecting.inexact("deny", ("b", "c"), "B", "why")
    collecting.add("ask", ("d",), "args.x=1", "D")
    collecting.add("ask", ("d",), "args.x=1", "D")
    report = collecting.report()
    assert [(rule.verdict, rule.tool, rule.when) for rule in report.rules] == [
        ("deny", "b", ""),
        ("deny", "c", ""),
        ("ask", "d", "args.x=1"),
    ]
    assert report.skipped == (("A", "why"),)
    assert report.widened[0][0] == "B"
    assert report.rules[0].note == "from X: B"


def test_remarks_say_the_line() -> None:
    collecting = Collecting("X", '{\n  "allow": [\n    "A(\\"b\\")"\n  ]\n}')
    collecting.skip('A("b")', "why")
    collecting.stricter("the list", "why", at="allow")
    collecting.skip("elsewhere", "why")
    assert [text for text, _ in collecting.report().skipped] == ['A("b") (line 3)', "elsewhere"]
    assert collecting.report().widened == (("the list (line 2)", "why"),)
