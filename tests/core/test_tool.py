from dataclasses import replace

from callgate.core.tool import Annotations, Tool

TOOL = Tool("f", "s", "says", {"type": "object", "properties": {"a": {}, "b": {}}})


def test_the_fingerprint_ignores_the_order_of_keys() -> None:
    turned = replace(TOOL, schema={"properties": {"b": {}, "a": {}}, "type": "object"})
    assert turned.fingerprint == TOOL.fingerprint


def test_the_fingerprint_changes_with_anything_that_was_approved() -> None:
    others = [
        replace(TOOL, name="g"),
        replace(TOOL, source="t"),
        replace(TOOL, description="says more"),
        replace(TOOL, schema={"type": "object"}),
        replace(TOOL, annotations=Annotations(destructive=True)),
        replace(TOOL, output_schema={}),
    ]
    assert len({TOOL.fingerprint, *(tool.fingerprint for tool in others)}) == len(others) + 1


def test_the_fingerprint_does_not_change_with_what_only_people_see() -> None:
    assert replace(TOOL, title="F", tags=("x",), enabled=False).fingerprint == TOOL.fingerprint
