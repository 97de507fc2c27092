import pytest

from callgate.core.schema.form_schema import Schemas, Undescribed, merge, types_of

ROOT = {
    "$defs": {
        "a/b": {"type": "string"},
        "loop": {"$ref": "#/$defs/loop"},
        "named": {"$anchor": "here", "type": "integer"},
        "elsewhere": {"$id": "other.json", "type": "boolean", "$defs": {"in": {"type": "null"}}},
        "ü": {"type": "array"},
    },
    "type": "object",
}


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ("#/$defs/a~1b", "string"),
        ("#here", "integer"),
        ("other.json", "boolean"),
        ("other.json#/$defs/in", "null"),
        ("#", "object"),
        ("#/$defs/%C3%BC", "array"),
    ],
)
def test_a_reference_inside_of_the_schema_is_followed(reference: str, kind: str) -> None:
    assert Schemas(ROOT).flat({"$ref": reference})["type"] == kind


@pytest.mark.parametrize("reference", ["#/$defs/none", "https://example.com/schema", "#nowhere", "#/$defs/loop"])
def test_a_reference_that_leads_nowhere_is_said_to(reference: str) -> None:
    with pytest.raises(Undescribed):
        Schemas(ROOT).flat({"$ref": reference})


def test_what_stands_beside_a_reference_counts_more_than_what_it_points_to() -> None:
    root = {"$defs": {"s": {"type": "string", "description": "theirs", "maxLength": 3}}}
    flat = Schemas(root).flat({"$ref": "#/$defs/s", "description": "own"})
    assert (flat["description"], flat["maxLength"]) == ("own", 3)


def test_parts_of_all_of_are_joined() -> None:
    parts = [
        {"properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"properties": {"a": {"maxLength": 2}, "b": {}}, "required": ["b"], "additionalProperties": False},
    ]
    flat = Schemas({}).flat({"allOf": parts, "type": "object"})
    assert flat["required"] == ["a", "b"]
    assert flat["properties"]["a"] == {"allOf": [{"type": "string"}, {"maxLength": 2}]}  # type: ignore[index,call-overload]
    assert flat["additionalProperties"] is False


def test_types_that_exclude_each_other_can_not_be_described() -> None:
    with pytest.raises(Undescribed):
        merge({"type": "string"}, {"type": "integer"})
    assert merge({"type": ["string", "number"]}, {"type": "integer"})["type"] == "integer"
    assert merge({"enum": [1, 2, "2"]}, {"enum": ["2", 2.0, 1]})["enum"] == [1, "2"]


def test_a_number_includes_whole_ones() -> None:
    assert types_of({"type": ["integer", "number", "nonsense"]}) == ("number",)
    assert types_of({"type": 7}) == ()
