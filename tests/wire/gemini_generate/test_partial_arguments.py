"""Arguments that stream in pieces."""

import json

import pytest

from callgate.core.messages import Json
from callgate.wire.gemini_generate.partial_arguments import PartialArguments


def put_together(*pieces: dict[str, Json]) -> object:
    arguments = PartialArguments()
    for piece in pieces:
        arguments.add(piece)
    assert arguments.strange == []
    return json.loads(arguments.text)


def test_texts_grow_and_other_values_replace() -> None:
    assert put_together(
        {"jsonPath": "$.city", "stringValue": "Zü", "willContinue": True},
        {"jsonPath": "$.city", "stringValue": "rich"},
        {"jsonPath": "$.days", "numberValue": 3.0},
        {"jsonPath": "$.share", "numberValue": 0.5},
        {"jsonPath": "$.exact", "boolValue": False},
        {"jsonPath": "$.zone", "nullValue": "NULL_VALUE"},
    ) == {"city": "Zürich", "days": 3, "share": 0.5, "exact": False, "zone": None}


def test_paths_lead_into_objects_and_lists() -> None:
    assert put_together(
        {"jsonPath": "$.a.b[1].c", "stringValue": "x"},
        {"jsonPath": "$.a.b[0]", "boolValue": True},
        {"jsonPath": "$['odd.name'].d", "numberValue": 1},
        {"json_path": '$["q"]', "string_value": "y"},
    ) == {"a": {"b": [True, {"c": "x"}]}, "odd.name": {"d": 1}, "q": "y"}


@pytest.mark.parametrize("path", ["$", "$..a", "$.a[*]", "$[0]", "$.a[99999999]", None])
def test_a_path_that_leads_nowhere_is_named(path: Json) -> None:
    arguments = PartialArguments()
    arguments.add({"jsonPath": path, "stringValue": "x"})
    assert arguments.strange == [str(path)]
