import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json.splice import with_text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"model":"a/b"}', b'{"model":"b"}'),
        (b'{ "x" : [1.0, 1e2], "model"\t:\r\n "a" , "y":"\\u00e9"}', None),
        (b'{"m":{"model":"inner"},"l":["model","in"],"v":"model","model":"a"}', None),
        (b'{"\\u006dodel":"a","model":"c"}', b'{"\\u006dodel":"b","model":"b"}'),
        (b'{"s":"\\"model\\":\\"x\\" }{[","model":"a"}', None),
        (b'{"model":null,"x":"y"}', None),
        (b'{"model":["y"],"x":1}', None),
        (b"{}", None),
    ],
)
def test_only_the_texts_of_the_object_itself_are_exchanged(body: bytes, expected: bytes | None) -> None:
    assert with_text(body, "model", "b") == (body.replace(b'"a"', b'"b"') if expected is None else expected)


def test_a_name_that_needs_escapes_is_spelled_with_them() -> None:
    assert orjson.loads(with_text(b'{"model":"a"}', "model", 'a "quoted" \\ näme')) == {"model": 'a "quoted" \\ näme'}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["model", "x", 'q"}']), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["model", "a", "\\", '"model":']), _JSON), st.booleans())
def test_any_object_means_the_same_but_for_that_text(value: dict[str, object], indented: bool) -> None:
    body = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indented else None)
    expected = value | ({"model": "other"} if isinstance(value.get("model"), str) else {})
    assert orjson.loads(with_text(body, "model", "other")) == expected
