import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.rules.test_expression import Subject

from callgate.core.rules.glob import collapsed
from callgate.core.rules.judgement import Needle, needle_of
from callgate.core.rules.match import parse


@pytest.mark.parametrize(
    ("expression", "needle"),
    [
        ("command:'git push*'", Needle("command", "git push")),
        ("command:'* status'", Needle("command", " status")),
        ("args.name=main", Needle("args.name", "main")),
        ("args.n=5", None),  # 5.0 is 5 too
        ("args.path:/tmp/**", Needle("args.path", "/tmp/", collapsed=True)),
        ("args.path:**/x", Needle("args.path", "x", collapsed=True)),
        ("command:*x", Needle("command", "x")),
        ("command:*", None),
        ("command~'^git push'", Needle("command", "git push")),
        ("command~'a|b'", None),
        ("not command:git", None),
        ("command:git or command:ls", None),
        ("args.n>3 and command:ls*", Needle("command", "ls")),
        ("command:ls* and command:*status", Needle("command", "status")),
        ("word", None),
    ],
)
def test_a_needle_is_named_only_where_it_must_be_in_a_value(expression: str, needle: Needle | None) -> None:
    assert needle_of(parse(expression)) == needle


@given(
    st.from_regex(r"[ab*?/.]{1,6}", fullmatch=True), st.sampled_from([":", "="]), st.lists(st.text("ab1/.", max_size=6))
)
def test_without_its_needle_an_expression_never_holds(value: str, operator: str, values: list[str]) -> None:
    for field in ("command", "args.path"):
        expression = parse(f"{field}{operator}{value}")
        needle = needle_of(expression)
        if needle is None:
            continue
        texts = [collapsed(text) if needle.collapsed else text for text in values]
        if needle.text not in "\0".join(texts):
            assert not expression.holds(Subject(**{field: tuple(values)}))
