import json
import random

import pytest

from callgate.core.json.jsonc import BadJson, read_jsonc
from callgate.core.messages import Json
from callgate.tools.toolset_text import put_toolset, remove_toolset

TEXT = """// all mine
{
  // for reading
  "reader": {
    "tools": ["read_file"], // more to come
    "description": "old"
  },
  /* the other */ "other": { "tools": ["a", "b"] }, // last
}
"""


def read(text: str) -> dict[str, Json]:
    value = read_jsonc(text)
    assert isinstance(value, dict)
    return value


def test_one_set_changes_and_every_comment_and_other_set_stays() -> None:
    text = put_toolset(TEXT, "reader", {"tools": ["read_file", "x"], "icon": "book"})
    assert read(text) == {"reader": {"tools": ["read_file", "x"], "icon": "book"}, "other": {"tools": ["a", "b"]}}
    for comment in ("// all mine", "// for reading", "// more to come", "/* the other */", "// last"):
        assert comment in text


def test_a_new_set_comes_last_also_behind_a_trailing_comma() -> None:
    text = put_toolset(TEXT, "fresh", {"tools": ["c"]})
    assert list(read(text)) == ["reader", "other", "fresh"]
    assert list(read(put_toolset('{"a": {"tools": ["x"]}}', "b", {"tools": ["y"]}))) == ["a", "b"]
    assert list(read(put_toolset("", "b", {"tools": ["y"]}))) == ["b"]
    assert list(read(put_toolset("{ /* none */ }", "b", {"tools": ["y"]}))) == ["b"]


def test_a_set_gets_another_name_in_its_place() -> None:
    text = put_toolset(TEXT, "leser", {"tools": ["read_file"], "description": "old"}, "reader")
    assert list(read(text)) == ["leser", "other"]
    assert "// more to come" in text


@pytest.mark.parametrize("name", ["reader", "other"])
def test_a_set_goes_and_the_rest_stays_readable(name: str) -> None:
    text = remove_toolset(TEXT, name)
    assert name not in read(text)
    assert len(read(text)) == 1
    assert "// all mine" in text


def test_a_broken_text_is_refused_and_not_touched() -> None:
    for bad in ("{ half", "[1]", '{"a": }'):
        with pytest.raises(BadJson):
            put_toolset(bad, "x", {"tools": ["y"]})


def test_any_row_of_changes_leaves_what_a_plain_object_would_hold() -> None:
    order = random.Random(7)
    text, mirror = TEXT, read(TEXT)
    for _ in range(120):
        name = order.choice(["reader", "other", "third", "fourth"])
        if order.random() < 0.35:
            text = remove_toolset(text, name)
            mirror.pop(name, None)
            continue
        body: dict[str, Json] = {"tools": [order.choice("abc") for _ in range(order.randint(1, 6))]}
        if order.random() < 0.5:
            body["description"] = order.choice(['with "quotes" // and', "plain"])
        text = put_toolset(text, name, body)
        mirror[name] = body
        assert json.dumps(read(text), sort_keys=True) == json.dumps(mirror, sort_keys=True)
