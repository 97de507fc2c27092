import pytest

from callgate.upstream.model_names import model_names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b'{"object":"list","data":[{"id":"a"},{"id":"b"},{"id":"a"}]}', ("a", "b")),
        (b'{"data":[{"type":"model","id":"claude"}],"has_more":false}', ("claude",)),
        (b'{"models":[{"name":"models/gemini-2"}]}', ("gemini-2",)),
        (b'{"object":"list","data":[]}', ()),
        (b'{"object":"list","data":null}', ()),
        (b'{"hello":"world"}', None),
        (b'{"data":{"id":"x"}}', None),
        (b'{"data":["x"]}', None),
        (b"<html>", None),
        (b"", None),
        (b"[]", None),
    ],
)
def test_lists_of_models_are_told_from_everything_else(body: bytes, names: tuple[str, ...] | None) -> None:
    assert model_names(body) == names
