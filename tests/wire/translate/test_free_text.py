import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json.text import mend
from callgate.core.tool import ToolSpec
from callgate.wire.translate.free_text import FreeText, as_function, unwrap, wrap

ANY_TEXT = st.text(st.characters() | st.sampled_from('\\"\n\ud83d\ude00u{}[],:'))
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)


def pieces_of(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[begin:end] for begin, end in pairwise(places)]


@given(ANY_TEXT)
def test_any_text_survives_being_wrapped(text: str) -> None:
    assert unwrap(wrap(text)) == mend(text)


@given(ANY_TEXT, st.booleans(), st.sampled_from(["input", "patch", "content"]), st.sampled_from([None, 1]))
def test_every_spelling_of_the_json_gives_the_text(text: str, ascii_only: bool, key: str, indent: int | None) -> None:
    assert unwrap(json.dumps({key: text}, ensure_ascii=ascii_only, indent=indent)) in (mend(text), text)
    assert unwrap(json.dumps(mend(text), ensure_ascii=ascii_only)) == mend(text)


@given(st.dictionaries(st.text(), JSON_VALUES, max_size=3), ANY_TEXT, st.booleans())
def test_other_arguments_are_skipped(before: dict[str, object], text: str, ascii_only: bool) -> None:
    others = {key: value for key, value in before.items() if key not in ("input", "patch", "content")}
    arguments = json.dumps({**others, "input": mend(text), "patch": "not this"}, ensure_ascii=ascii_only)
    assert unwrap(arguments) == mend(text)


@given(st.text(alphabet='{}[]",:\\und8 3input') | ANY_TEXT.map(wrap) | JSON_VALUES.map(json.dumps), st.data())
def test_any_chunking_gives_the_same_text(arguments: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, 200), max_size=8))
    whole, chunked = FreeText(), FreeText()
    expected = whole.feed(arguments)
    assert "".join(chunked.feed(piece) for piece in pieces_of(arguments, cuts)) == expected
    assert chunked.found is whole.found


@given(ANY_TEXT, st.data())
def test_what_is_known_of_unfinished_arguments_is_where_the_text_begins(text: str, data: st.DataObject) -> None:
    arguments = json.dumps({"input": mend(text)})
    cut = data.draw(st.integers(0, len(arguments)))
    assert mend(text).startswith(FreeText().feed(arguments[:cut]))


def test_text_is_given_out_as_soon_as_it_is_known() -> None:
    scanner = FreeText()
    pieces = ['{"inp', 'ut": "*** Be', "gin\\", "nPatch \\ud83d", "\\ude", '00!"', "}"]
    assert [scanner.feed(piece) for piece in pieces] == ["", "*** Be", "gin", "\nPatch ", "", "😀!", ""]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("", ""),
        ("{}", ""),
        (" { } ", ""),
        ('"bare"', "bare"),
        ('{"input":"a","input":"b"}', "a"),
        ('{"\\u0069nput":"a"}', "a"),
        ('{"input":["a"],"patch":"b"}', "b"),
        ('{"input":"cut o', "cut o"),
        ('{"input":"raw\nbreak"}', "raw\nbreak"),
        ('{"input":"\\d \\u12x"}', "\\d \\u12x"),
        ('{"input":"\\ud83d alone \\ude00"}', "\ufffd alone \ufffd"),
        ('{"other":"a"}', '{"other":"a"}'),
        ("*** Begin Patch", "*** Begin Patch"),
        ("[1]", "[1]"),
    ],
)
def test_odd_arguments_are_read_as_they_were_meant(arguments: str, text: str) -> None:
    assert unwrap(arguments) == text


def test_a_free_form_tool_becomes_a_function_that_tells_its_grammar() -> None:
    grammar = {"type": "grammar", "syntax": "lark", "definition": "start: /x+/"}
    function = as_function(ToolSpec("apply_patch", "Edits files.", variant="custom", format=grammar))
    assert (function.variant, function.format) == ("function", None)
    assert function.schema is not None
    assert function.schema["required"] == ["input"]
    assert "Edits files." in function.description
    assert "lark" in function.description
    assert "start: /x+/" in function.description


def test_a_free_form_tool_without_grammar_says_that_it_takes_text() -> None:
    assert as_function(ToolSpec("note", variant="custom")).description == "`input` is free text, not JSON."
