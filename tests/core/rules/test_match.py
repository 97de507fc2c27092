import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.rules.glob import collapsed, glob_matches
from callgate.core.rules.match import ExpressionError, MatchTimeout, parse, quoted
from callgate.core.rules.policy import Call


def call(**arguments: object) -> Call:
    return Call("run_command", "built-in", "claude-code", "opus", orjson.dumps(arguments).decode())


@pytest.mark.parametrize(
    ("expression", "holds"),
    [
        ("", True),
        ("tool:run_*", True),
        ("tool:get_*", False),
        ("tool:run_* and agent:claude-*", True),
        ("tool:run_* agent:codex", False),
        ("agent:codex or agent:claude-code", True),
        ("not tool:run_*", False),
        ("not (tool:get_* or agent:codex)", True),
        ("args.path:/tmp/**", True),
        ("args.path:/tmp/*", False),
        ("args.path='/tmp/a/b.txt'", True),
        ("args.count>2", True),
        ("args.count>=3 and args.count<4", True),
        ("args.count=3", True),
        ("args.files.name:b*", True),
        ("args.missing:*", False),
        ("args.flag=true", True),
        ("args.nothing=null", True),
        (r"args.path~'\.txt$'", True),
        ("tmp", True),
        ('"a/b.txt"', True),
        ("absent", False),
    ],
)
def test_expressions_mean_what_they_say(expression: str, holds: bool) -> None:
    subject = call(path="/tmp/a/b.txt", count=3, flag=True, nothing=None, files=[{"name": "a"}, {"name": "bc"}])
    assert parse(expression).holds(subject) is holds


@pytest.mark.parametrize(
    ("expression", "position", "says"),
    [
        ("tool:", 5, "a value is missing"),
        ("(tool:a", 0, "never closed"),
        ("tool:a)", 6, "closes nothing"),
        ("and tool:a", 0, "missing before 'and'"),
        ("tool:a or", 9, "missing here"),
        ("not", 3, "missing here"),
        ("colour:red", 0, "no field 'colour'"),
        ("args:1", 0, "needs a path"),
        ("args.a..b:1", 6, "a name is missing beside this dot"),
        ("args.a.:1", 6, "a name is missing beside this dot"),
        ("dur>soon", 4, "needs a number"),
        ("args.x~'('", 8, "not a regular expression"),
        ("'abc", 0, "never closed"),
        ("tool:'a'b", 8, "space is missing"),
        (":x", 0, "field name is missing"),
        ("()", 1, "missing before this parenthesis"),
    ],
)
def test_errors_point_at_the_place(expression: str, position: int, says: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(expression)
    assert caught.value.position == position
    assert says in caught.value.message
    assert caught.value.pointed().splitlines()[1].index("^") == position


def test_a_path_with_dots_cannot_pass_for_another_folder() -> None:
    assert not parse("args.path:/tmp/**").holds(call(path="/tmp/../etc/passwd"))
    assert parse("args.path:/etc/**").holds(call(path="/tmp/../etc/passwd"))


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("/a/../b", "/b"),
        ("a//b/./c", "a/b/c"),
        ("https://h/a/../b", "https://h/b"),
        ("../x", "../x"),
        ("/../x", "/x"),
        ("/", "/"),
    ],
)
def test_paths_are_collapsed(path: str, plain: str) -> None:
    assert collapsed(path) == plain


def test_a_hostile_pattern_is_stopped_in_time() -> None:
    started = time.perf_counter()
    with pytest.raises(MatchTimeout):
        parse("args.x~'(a|aa)+$'").holds(call(x="a" * 60 + "!"))
    assert time.perf_counter() - started < 1


def test_double_stars_cross_folders_and_single_ones_do_not() -> None:
    assert glob_matches("src/**/test_*", "src/test_a") and glob_matches("src/**/test_*", "src/a/b/test_c")
    assert glob_matches("get_?", "get_a") and not glob_matches("src/*", "src/a/b")


def test_an_expression_explains_itself_in_words() -> None:
    said = parse("tool:run_* and (dur>500ms or not status=200)").words()
    assert said == "tool fits run_* and (dur is more than 500ms or not (status is 200))"


@given(st.text(max_size=40))
def test_any_text_either_parses_or_says_where_it_does_not(text: str) -> None:
    try:
        parse(text)
    except ExpressionError as bad:
        assert 0 <= bad.position <= len(text)
        assert bad.pointed()


@given(st.text(min_size=1, max_size=30))
def test_a_quoted_value_reads_back_as_the_same(value: str) -> None:
    try:
        spelled = quoted(value)
    except ValueError:
        assert value.endswith("\\")
        return
    (compare,) = [parse(f"args.x={spelled}")]
    assert compare.holds(call(x=value)) or "\x00" in value


@pytest.mark.parametrize("expression", ["(" * 60 + "a" + ")" * 60, "not " * 60 + "a"])
def test_an_expression_nested_too_deeply_says_so(expression: str) -> None:
    with pytest.raises(ExpressionError, match="nested too deeply"):
        parse(expression)


@pytest.mark.parametrize(("expression", "position"), [("args.x~(", 7), ('args.x~"a("', 9), ("tool:a args.x~'*'", 15)])
def test_the_caret_stands_under_the_part_of_a_pattern_that_is_wrong(expression: str, position: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(expression)
    assert caught.value.position == position
