import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.config.argv_template import BadTemplate, BadValue, check_places, read_template


@pytest.mark.parametrize(
    ("argv", "arguments", "expected"),
    [
        (["ls", "{path}"], {"path": "a b; rm -rf /"}, ["ls", "a b; rm -rf /"]),
        (["ls", "--in={path}"], {"path": "-x"}, ["ls", "--in=-x"]),
        (["ls", "--depth={n?}", "end"], {}, ["ls", "end"]),
        (["ls", "--depth={n?}"], {"n": 3}, ["ls", "--depth=3"]),
        (["ls", "--depth={n?}"], {"n": None}, ["ls"]),
        (["cat", "{files*}"], {"files": ["a", "b"]}, ["cat", "a", "b"]),
        (["cat", "-e={files*}"], {"files": ["a", "b"]}, ["cat", "-e=a", "-e=b"]),
        (["cat", "{files*}"], {"files": []}, ["cat"]),
        (["cat", "{files*}"], {}, ["cat"]),
        (["jq", "{{{key}}}"], {"key": "a"}, ["jq", "{a}"]),
        (["x", "{flag}", "{n}", "{o}"], {"flag": True, "n": -1.5, "o": {"a": [1]}}, ["x", "true", "-1.5", '{"a":[1]}']),
        (["git", "log", "--", "{path}"], {"path": "-rf"}, ["git", "log", "--", "-rf"]),
        (["x", "{a}{b}"], {"a": "1", "b": ""}, ["x", "1"]),
    ],
)
def test_templates_are_filled_one_argument_a_place(argv: list, arguments: dict, expected: list) -> None:
    assert list(read_template(argv).fill(arguments)) == expected


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ([], "names no program"),
        ([" "], "names no program"),
        (["{program}"], "program itself"),
        (["x", "{a b}"], "names no argument"),
        (["x", "{}"], "names no argument"),
        (["x", "{a"], "stands alone"),
        (["x", "a}"], "stands alone"),
        (["x", "{a*}{b*}"], "more than one list"),
    ],
)
def test_bad_templates_are_refused(argv: list, says: str) -> None:
    with pytest.raises(BadTemplate, match=says):
        read_template(argv)


@pytest.mark.parametrize(
    ("argv", "arguments", "says"),
    [
        (["git", "log", "{ref}"], {"ref": "--output=/etc/passwd"}, "would be read as an option"),
        (["cat", "{files*}"], {"files": ["ok", "--help"]}, "would be read as an option"),
        (["ls", "{path}"], {"path": "a\x00b"}, "NUL"),
        (["ls", "{path}"], {}, "missing"),
    ],
)
def test_values_that_a_command_line_must_not_have_are_refused(argv: list, arguments: dict, says: str) -> None:
    with pytest.raises(BadValue, match=says):
        read_template(argv).fill(arguments)


def test_values_may_begin_with_a_dash_where_the_tool_says_so() -> None:
    assert read_template(["x", "{a}"], option_values=True).fill({"a": "--help"}) == ("x", "--help")


@pytest.mark.parametrize(
    ("place", "schema", "says"),
    [
        ("{a}", {"properties": {"b": {}}}, "no such property"),
        ("{a}", {}, "it has: none"),
        ("{a}", {"properties": {"a": {}}}, "does not require it"),
        ("{a*}", {"properties": {"a": {"type": "string"}}}, "is no array"),
    ],
)
def test_places_must_go_with_the_schema(place: str, schema: dict, says: str) -> None:
    with pytest.raises(BadTemplate, match=says):
        check_places(read_template(["x", place]), schema)


def test_places_that_go_with_the_schema_are_fine() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "array"}, "c": {}}, "required": ["a"]}
    check_places(read_template(["x", "{a}", "{b*}", "{c?}"]), schema)


@given(st.text(alphabet=st.characters(blacklist_characters="\x00", blacklist_categories=("Cs",))))
def test_any_text_stays_one_argument(value: str) -> None:
    assert read_template(["x", "--", "{a}", "end"]).fill({"a": value}) == ("x", "--", value, "end")
