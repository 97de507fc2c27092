import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.demo_tools import schema, text
from tests.upstream.demo.schemas import objects

from callgate.core.messages import Json
from callgate.upstream.demo.arguments import Words, stems

WORDS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(["read", "a.txt", "in", "Paris", "limit 5", "mode fast", "'quoted'", "7", "and", "flag", "-1",
                         "https://x.test", "*.py", "path", "note", "`ls`", "for", "items a,b", "here"]),
        max_size=12,
    ).map(" ".join),
)  # fmt: skip
NUMBER: Json = {"type": "number"}
TEXTS: Json = {"type": "array", "items": text()}


@given(objects(), WORDS, st.booleans(), st.sampled_from([None, "", "anything"]))
def test_arguments_always_fit_the_schema_or_are_asked_for(
    wanted: dict[str, Json], words: str, forced: bool, filler: str | None
) -> None:
    filled = Words(words, "do_it", words, forced=forced, filler=filler).fill(wanted)
    if not filled.missing:
        jsonschema_rs.validate(wanted, filled.values)


@given(objects())
def test_nothing_optional_is_made_up(wanted: dict[str, Json]) -> None:
    required = wanted["required"]
    assert isinstance(required, list)
    assert set(Words("").fill(wanted).values) <= set(map(str, required))


@pytest.mark.parametrize(
    ("properties", "words", "expected"),
    [
        ({"unit": {"enum": ["celsius", "fahrenheit"]}}, "in Fahrenheit please", {"unit": "fahrenheit"}),
        ({"recursive": {"type": "boolean"}}, "list it recursively", {"recursive": True}),
        ({"recursive": {"type": "boolean"}}, "not recursive", {"recursive": False}),
        ({"case_sensitive": {"type": "boolean"}}, "case sensitive", {"case_sensitive": True}),
        ({"limit": {"type": "integer"}}, "the first 5", {"limit": 5}),
        ({"max_results": {"type": "integer"}}, "at most 3 results", {"max_results": 3}),
        ({"depth": {"type": "integer"}}, "with a depth of 2", {"depth": 2}),
        ({"limit": {"type": "integer", "maximum": 3}}, "limit 9", {}),
        ({"start_line": {"type": "integer"}, "end_line": {"type": "integer"}}, "lines 3-10",
         {"start_line": 3, "end_line": 10}),
        ({"subject": text()}, 'subject "A day"', {"subject": "A day"}),
        ({"path": text()}, "read src/app", {"path": "src/app"}),
        ({"path": text("Directory to search in")}, "look in src", {"path": "src"}),
    ],
)  # fmt: skip
def test_optional_arguments_are_given_where_the_words_speak_of_them(
    properties: dict[str, Json], words: str, expected: dict[str, Json]
) -> None:
    assert Words(words, context=words).fill(schema([], **properties)).values == expected


@pytest.mark.parametrize(
    ("properties", "words", "expected"),
    [
        ({"a": NUMBER, "b": NUMBER}, "add 3 and 4.5", {"a": 3, "b": 4.5}),
        ({"path": text(), "content": text()}, 'write "hello, you" to out.txt',
         {"path": "out.txt", "content": "hello, you"}),
        ({"path": text(), "old_text": text(), "new_text": text()}, "replace 'a.b' with 'c' in d.py",
         {"path": "d.py", "old_text": "a.b", "new_text": "c"}),
        ({"file_paths": TEXTS}, "open a.py and b.py", {"file_paths": ["a.py", "b.py"]}),
        ({"path": text()}, "open the readme", {"path": "README.md"}),
        ({"timezone": text()}, "What time is it in Tokyo?", {"timezone": "Asia/Tokyo"}),
        ({"timezone": text()}, "timezone Europe/Vienna", {"timezone": "Europe/Vienna"}),
        ({"repo_path": text()}, "what is the git status", {"repo_path": "."}),
        ({"city": text()}, "What's the weather in New York today", {"city": "New York"}),
        ({"city": text()}, "rain in rio de janeiro", {"city": "rio de janeiro"}),
        ({"due_date": text()}, "due 2026-05-01", {"due_date": "2026-05-01"}),
        ({"url": text()}, "fetch https://x.test/a?b=1.", {"url": "https://x.test/a?b=1"}),
        ({"command": text()}, "please run ls -la for me", {"command": "ls -la"}),
        ({"command": text()}, "execute the command 'make all'", {"command": "make all"}),
        ({"command": text()}, "git push --force", {"command": "git push --force"}),
        ({"pattern": text("Glob")}, "find all python files", {"pattern": "**/*.py"}),
        ({"pattern": text("Glob")}, "find *.md in docs", {"pattern": "*.md"}),
        ({"pattern": text("Glob")}, "find .toml files", {"pattern": "**/*.toml"}),
        ({"query": text()}, "look for cats and dogs", {"query": "cats and dogs"}),
        ({"to": schema(["email"], email=text())}, "mail a@x.test", {"to": {"email": "a@x.test"}}),
        ({"mode": {"anyOf": [{"$ref": "#/$defs/mode"}, {"type": "null"}]}}, "slow please", {"mode": "slow"}),
        ({"startLine": NUMBER, "isRegexp": {"type": "boolean"}}, "TODO", {"startLine": 1, "isRegexp": False}),
    ],
)  # fmt: skip
def test_required_arguments_are_found_in_the_words(
    properties: dict[str, Json], words: str, expected: dict[str, Json]
) -> None:
    defs: Json = {"mode": {"enum": ["fast", "slow"], "type": "string"}}
    filled = Words(words, context=words).fill({**schema(list(properties), **properties), "$defs": defs})
    assert filled.values == expected
    assert filled.missing == ()


def test_what_is_required_and_unsaid_is_reported() -> None:
    filled = Words("read it").fill(schema(["path", "mode"], path=text(), mode=text(default="fast")))
    assert filled.values == {"mode": "fast"}
    assert filled.missing == ("path",)


def test_a_tool_called_by_name_takes_a_single_word_for_what_it_is_for() -> None:
    wanted = schema(["path"], path=text())
    assert Words("notes", forced=True).fill(wanted).values == {"path": "notes"}
    assert Words("notes").fill(wanted).missing == ("path",)


def test_a_schema_elsewhere_is_never_fetched() -> None:
    remote: dict[str, Json] = {"properties": {"path": {"$ref": "http://127.0.0.1:9/schema"}}, "required": ["path"]}
    assert Words("read a.txt").fill(remote).values == {"path": "a.txt"}


def test_a_schema_that_needs_itself_for_ever_still_ends() -> None:
    endless: dict[str, Json] = {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/a"}}}},
    }
    assert Words("x", filler="x").fill(endless).missing == ("a",)


@pytest.mark.parametrize(
    ("one", "other"),
    [("files", "file"), ("reading", "read"), ("searches", "search"), ("directories", "directory"), ("running", "run"),
     ("writes", "writing"), ("listed", "list"), ("readFile", "read_file"), ("fs.read-file", "fs ReadFiles")],
)  # fmt: skip
def test_forms_of_a_word_are_the_same(one: str, other: str) -> None:
    assert stems(one) == stems(other)
