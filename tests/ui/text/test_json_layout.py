"""Arguments laid out: nothing lost, nothing that can pass for something else."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.ui.text.json_layout import (
    SEGMENT,
    doubled_keys,
    indented,
    is_json,
    laid_out,
    plain_lines,
    problem,
    spoken,
    summary,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_numbers_order_and_doubled_keys_stay_as_they_were() -> None:
    assert list(laid_out('{"b":1.50,"a":1e2,"b":[]}')) == ["{", '  "b": 1.50,', '  "a": 1e2,', '  "b": []', "}"]


def test_an_escaped_string_is_shown_as_what_it_says() -> None:
    assert list(laid_out(r'{"command":"\u0072m \u202e"}'))[1] == '  "command": "rm ⟨U+202E RLO⟩"'


def test_every_line_of_a_long_string_carries_a_bar() -> None:
    lines = list(laid_out(json.dumps({"content": 'one\n"path": "/safe"', "path": "/etc"})))
    assert lines == ["{", '  "content": (2 lines)', "    │ one", '    │ "path": "/safe"', '  "path": "/etc"', "}"]


def test_a_very_long_line_is_cut_for_the_screen_and_says_so() -> None:
    lines = list(laid_out(json.dumps({"a": "x" * (2 * SEGMENT + 1)})))
    assert lines[1] == f'  "a": ({2 * SEGMENT + 1:,} characters)'
    assert [line[:6] for line in lines[2:-1]] == ["    │ ", "    ┊ ", "    ┊ "]
    assert sum(line.count("x") for line in lines) == 2 * SEGMENT + 1


@given(JSON)
def test_indenting_for_the_editor_changes_no_value(value: object) -> None:
    assert json.loads(indented(json.dumps(value))) == value
    assert json.loads(indented(json.dumps(value, ensure_ascii=False))) == value


def test_hidden_characters_are_escaped_in_the_editor() -> None:
    assert "\\u202e" in indented('{"a":"\u202e"}')


@given(st.text())
def test_plain_lines_hold_the_whole_text(text: str) -> None:
    assert len(list(plain_lines(text))) >= text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Empty"),
        ("[1]", "object is expected"),
        ('{"a":}', "Line 1, column 6"),
        ('{"a":NaN}', "NaN is not JSON"),
        ("{" * 3, "Line 1"),
        ('{"a":' * 100_000, "deeply"),
    ],
)
def test_what_is_wrong_is_said_in_words(text: str, words: str) -> None:
    assert words in problem(text)


def test_an_object_and_free_text_have_no_problem() -> None:
    assert problem('{"a": 1}') == ""
    assert problem("anything", "custom") == ""


def test_doubled_keys_are_found_at_any_depth() -> None:
    assert doubled_keys('{"x":{"a":1,"a":2},"b":1}') == ("a",)
    assert doubled_keys("not json") == ()


def test_spoken_gives_keys_and_decoded_strings() -> None:
    assert list(spoken(r'{"k":["\u0061",1]}')) == ["k", "a"]


def test_a_summary_is_one_short_line() -> None:
    assert summary('{"command":"ls -l\\n"}') == "ls -l"
    assert summary('{"path":"a","limit":4}') == "path: a, limit: 4"
    assert summary("free\ntext") == "free text"
    assert len(summary(json.dumps({"a": "x" * 900}))) == 160


def test_a_megabyte_in_one_string_is_cut_into_lines_quickly() -> None:
    text = json.dumps({"a": "x" * 1_000_000})
    began = time.perf_counter()
    assert is_json(text)
    assert len(list(laid_out(text))) == 503
    assert time.perf_counter() - began < 2
