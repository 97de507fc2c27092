"""References and joined schemas."""

import pytest

from callgate.core.errors import Unspeakable
from callgate.wire.gemini_generate.schema_merge import MAX_CHAIN, MAX_SCHEMAS, Definitions, merge, resolve

ROOT = {"$defs": {"a/b": {"type": "string"}, "list": [{"type": "null"}]}, "type": "object"}


def test_a_reference_within_the_schema_is_found() -> None:
    assert resolve(ROOT, "#") == ROOT
    assert resolve(ROOT, "#/$defs/a~1b") == {"type": "string"}
    assert resolve(ROOT, "#/$defs/list/0") == {"type": "null"}


@pytest.mark.parametrize("reference", ["#/$defs/none", "#/type", "https://example.org/s", "#/$defs/list/7"])
def test_any_other_reference_is_not(reference: str) -> None:
    assert resolve(ROOT, reference) is None


def test_joined_schemas_hold_what_both_hold() -> None:
    one = {"properties": {"a": {}}, "required": ["a"], "enum": [1, 2], "title": "one"}
    other = {"properties": {"b": {}}, "required": ["b", "a"], "enum": [2, 3], "title": "other"}
    assert merge(one, other) == {
        "properties": {"a": {}, "b": {}},
        "required": ["a", "b"],
        "enum": [2],
        "title": "other",
    }


def test_a_cycle_and_an_endless_chain_end() -> None:
    definitions = Definitions(ROOT)
    assert definitions.look_up("#", ("#",)) is None
    assert definitions.look_up("#", tuple(str(number) for number in range(MAX_CHAIN))) is None
    assert definitions.look_up("#", ()) == ROOT


def test_a_schema_that_unfolds_without_measure_is_refused() -> None:
    definitions = Definitions(ROOT)
    with pytest.raises(Unspeakable):
        for _ in range(MAX_SCHEMAS + 1):
            definitions.count()


def test_names_in_references_are_unescaped_and_anchors_are_not_the_root() -> None:
    root = {"$defs": {"A B": {"type": "string"}, "x/y%": {"type": "null"}}}
    assert resolve(root, "#/$defs/A%20B") == {"type": "string"}
    assert resolve(root, "#/$defs/x~1y%25") == {"type": "null"}
    assert resolve(root, "#anchor") is None
    assert resolve(root, "#") == root
