"""What is written is always valid UTF-8, and what is read always can be written."""

import json
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json import text as json_text
from callgate.core.json.text import MOST_LEVELS, dump_bytes, dump_text, mend, parse, parse_object


def test_a_pair_of_surrogates_is_joined_and_a_lone_one_replaced() -> None:
    assert mend("\ud83d\ude00!") == "😀!"
    assert mend("half \ud83d") == "half \ufffd"


def test_lone_surrogates_do_not_break_writing() -> None:
    assert dump_bytes({"a": ["\ud83d", {"\ud83d": 1}]}) == '{"a":["\ufffd",{"\ufffd":1}]}'.encode()


def test_text_outside_ascii_is_written_as_it_is() -> None:
    assert dump_text({"stadt": "Zürich"}) == '{"stadt":"Zürich"}'


def test_what_orjson_refuses_is_still_written() -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _ in range(300):
        inner["a"] = {}
        inner = inner["a"]  # type: ignore[assignment]
    assert dump_text(deep).count("{") == 301  # type: ignore[arg-type]
    assert dump_text({"n": 10**30}) == '{"n":1000000000000000000000000000000}'


def test_an_escaped_lone_surrogate_is_read_as_a_replacement() -> None:
    assert parse(b'{"a":"\\ud83d"}') == {"a": "\ufffd"}


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a":Infinity}', "[" * 100_000])
def test_what_is_no_json_is_refused_with_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize("levels", [MOST_LEVELS + 1, 500, 1_000, 1_020, 5_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"])
def test_what_is_nested_beyond_all_reason_is_refused(levels: int, opening: str, closing: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse(opening * levels + "1" + closing * levels)


def test_what_is_deep_but_sane_is_read_and_written_again() -> None:
    for text in ("[" * MOST_LEVELS + "]" * MOST_LEVELS, "[" + ",".join(["[]"] * 1_000) + "]"):
        assert dump_text(parse(text)) == text
        assert parse(text.encode()) == parse(text)


def test_only_an_object_is_an_object() -> None:
    assert parse_object('{"a":1}') == {"a": 1}
    assert parse_object("[1]") is None
    assert parse_object("<html>") is None


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.sampled_from([None, 1]))
def test_a_large_object_read_in_slices_is_the_same_as_one_read_at_once(
    value: dict[str, object], indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent).encode("utf-8", "replace")
    whole = parse(text)
    with mock.patch.object(json_text, "SLICED_BYTES", 1):
        assert json_text._sliced(text) in (whole, None)
        assert parse(text) == whole


@given(st.text(alphabet='{}[]",:\\ue1 -.0tn\n', max_size=30))
def test_what_is_refused_at_once_is_refused_in_slices(text: str) -> None:
    try:
        whole = parse(text)
    except ValueError:
        with mock.patch.object(json_text, "SLICED_BYTES", 1), pytest.raises(ValueError):
            parse(text)
        return
    with mock.patch.object(json_text, "SLICED_BYTES", 1):
        assert parse(text) == whole


def test_a_large_object_is_read_in_slices() -> None:
    entries = [{"role": "user", "content": f"Zürich {number}"} for number in range(60_000)]
    text = (
        json.dumps({"model": "m", "messages": entries, "n": 1e400, "flag": True}).replace("Infinity", "1e400").encode()
    )
    assert len(text) > json_text.SLICED_BYTES
    assert json_text._sliced(text) == {"model": "m", "messages": entries, "n": None, "flag": True}
