import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json.jsonc import BadJson, line_of, read_jsonc

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_plain_json_means_what_it_always_meant(value: object) -> None:
    assert read_jsonc(json.dumps(value, indent=1)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n "b": 2,\n}', {"a": 1, "b": 2}),
        ('/* x, ] */ ["// no comment", "/* neither */",]', ["// no comment", "/* neither */"]),
        ('["a\\"//b" , /* , */ ]', ['a"//b']),
        ("\ufeff[1]", [1]),
        ("[1, 2] // end without a line break", [1, 2]),
        ('[",]"]', [",]"]),
    ],
)
def test_comments_and_trailing_commas_are_tolerated(text: str, value: object) -> None:
    assert read_jsonc(text) == value


@pytest.mark.parametrize(
    ("text", "line", "column"), [('{\n// x\n "a": }', 3, 7), ("[,]", 1, 2), ("[1 2]", 1, 4), ("[1,,2]", 1, 4)]
)
def test_an_error_names_its_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(BadJson) as bad:
        read_jsonc(text)
    assert (bad.value.line, bad.value.column) == (line, column)


def test_the_line_of_a_key_is_found() -> None:
    assert line_of('{\n "a": 1,\n "bé": 2}', "bé") == 3
    assert line_of("{}", "a") == 0
