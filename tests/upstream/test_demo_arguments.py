import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.demo_tools import schema, text
from tests.upstream.schemas import objects

from callgate.core.messages import Json
from callgate.upstream.demo_arguments import fill, free_text

WORDS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(["read", "a.txt", "in", "Paris", "limit=5", "mode: fast", "'quoted'", "7", "and", "flag", "-1",
                         "https://x.test", "*.py", "path=", "note", "`ls`", "for", "items=a,b"]),
        max_size=12,
    ).map(" ".join),
)  # fmt: skip


@given(objects(), WORDS)
def test_arguments_always_fit_the_schema(wanted: dict[str, Json], words: str) -> None:
    jsonschema_rs.validate(wanted, fill(wanted, words, tool="do_it").values)


@given(objects())
def test_nothing_optional_is_made_up(wanted: dict[str, Json]) -> None:
    required = wanted["required"]
    assert isinstance(required, list)
    assert set(fill(wanted, "").values) <= set(map(str, required))


@pytest.mark.parametrize(
    ("properties", "words", "expected"),
    [
        ({"unit": {"enum": ["celsius", "fahrenheit"]}}, "in Fahrenheit please", {"unit": "fahrenheit"}),
        ({"recursive": {"type": "boolean"}}, "list it recursively", {"recursive": True}),
        ({"recursive": {"type": "boolean"}}, "not recursive", {"recursive": False}),
        ({"case_sensitive": {"type": "boolean"}}, "case sensitive", {"case_sensitive": True}),
        ({"limit": {"type": "integer"}}, "the first 5", {"limit": 5}),
        ({"max_results": {"type": "integer"}}, "at most 3 results", {"max_results": 3}),
        ({"ratio": {"type": "number"}}, "ratio=0.5", {"ratio": 0.5}),
        ({"limit": {"type": "integer", "maximum": 3}}, "limit 9", {}),
        ({"start_line": {"type": "integer"}, "end_line": {"type": "integer"}}, "lines 3-10",
         {"start_line": 3, "end_line": 10}),
        ({"title": text()}, 'title: "A day"', {"title": "A day"}),
        ({"path": text()}, "in src/app", {"path": "src/app"}),
    ],
)  # fmt: skip
def test_optional_arguments_are_given_where_the_words_speak_of_them(
    properties: dict[str, Json], words: str, expected: dict[str, Json]
) -> None:
    assert fill(schema([], **properties), words).values == expected


@pytest.mark.parametrize(
    ("properties", "words", "expected"),
    [
        ({"a": {"type": "number"}, "b": {"type": "number"}}, "add 3 and 4.5", {"a": 3, "b": 4.5}),
        ({"path": text(), "content": text()}, 'write "hello, you" to out.txt',
         {"path": "out.txt", "content": "hello, you"}),
        ({"files": {"type": "array", "items": text()}}, "compare 'a' with 'b'", {"files": ["a", "b"]}),
        ({"file_paths": {"type": "array", "items": text()}}, "open a.py and b.py", {"file_paths": ["a.py", "b.py"]}),
        ({"timezone": text()}, "What time is it in Tokyo?", {"timezone": "Asia/Tokyo"}),
        ({"repo_path": text()}, "what is the git status", {"repo_path": "."}),
        ({"to": schema(["email"], email=text())}, "mail a@x.test", {"to": {"email": "a@x.test"}}),
    ],
)  # fmt: skip
def test_required_arguments_are_found_in_the_words(
    properties: dict[str, Json], words: str, expected: dict[str, Json]
) -> None:
    filled = fill(schema(list(properties), **properties), words)
    assert filled.values == expected
    assert filled.missing == ()


def test_what_is_required_and_unsaid_is_reported() -> None:
    filled = fill(schema(["path", "mode"], path=text(), mode=text(default="fast")), "read it")
    assert filled.values == {"path": "", "mode": "fast"}
    assert filled.missing == ("path",)


def test_free_text_is_not_exact_and_announced_text_is() -> None:
    wanted = schema(["query"], query=text())
    assert fill(wanted, "look for cats").exact == ("query",)
    assert fill(wanted, "cats galore").exact == ()


def test_a_tool_called_by_name_takes_a_single_word_for_what_it_is_for() -> None:
    wanted = schema(["path"], path=text())
    assert fill(wanted, "notes", eager=True).values == {"path": "notes"}
    assert fill(wanted, "notes").missing == ("path",)


def test_a_custom_tool_gets_its_text() -> None:
    assert free_text("run `print(1)`", "python") == "print(1)"
    assert free_text("hello there", "echo") == "hello there"
