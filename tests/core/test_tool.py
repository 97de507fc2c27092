from dataclasses import replace

from callgate.core.tool import Annotations, Tool, ToolSpec

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


SPEC = ToolSpec("f", "says", {"type": "object", "properties": {"a": {}, "b": {}}})


def test_a_clients_tool_has_a_fingerprint_of_what_was_approved() -> None:
    others = [
        replace(SPEC, name="g"),
        replace(SPEC, description="says more"),
        replace(SPEC, schema={"type": "object"}),
        replace(SPEC, format={"type": "grammar"}),
        replace(SPEC, namespace="n"),
        TOOL,
    ]
    assert len({SPEC.fingerprint, *(tool.fingerprint for tool in others)}) == len(others) + 1


def test_a_clients_tool_keeps_its_fingerprint_whatever_the_wire_does_with_it() -> None:
    turned = replace(SPEC, schema={"properties": {"b": {}, "a": {}}, "type": "object"})
    marked = replace(SPEC, extras={"cache_control": {"type": "ephemeral"}}, strict=True)
    assert {turned.fingerprint, marked.fingerprint} == {SPEC.fingerprint}
    assert replace(SPEC, schema=None).fingerprint == replace(SPEC, schema={}).fingerprint


def test_no_definition_is_too_odd_for_a_fingerprint() -> None:
    odd = replace(TOOL, description="half \ud83d", schema={"maximum": 2**70})
    assert odd.fingerprint != replace(odd, schema={"maximum": 2**71}).fingerprint


def test_fingerprints_that_grants_were_saved_with_stay_as_they_are() -> None:
    assert TOOL.fingerprint == "4ba5d5a32aea094daa99db2e7ceaed1a"
