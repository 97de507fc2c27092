"""Whether a JSON Schema can be used for a tool's arguments. Pure; schemas elsewhere are never fetched."""

from collections.abc import Mapping

import jsonschema_rs

from callgate.core.messages import Json

DEEPEST = 128
"""Deeper schemas are attacks on recursive code, not tools."""


def schema_problem(schema: Mapping[str, Json]) -> str:
    """Why a schema can't be used; empty = it can. One that refers to itself is fine."""
    if _too_deep(dict(schema)):
        return f"it is nested deeper than {DEEPEST} levels"
    kind = schema.get("type")
    if kind is not None and kind != "object":
        return f'it must describe an object, "type": "object", not {kind!r}'
    try:
        jsonschema_rs.validator_for(dict(schema), retriever=_never_fetched)
    except ValueError as broken:
        return str(broken).partition("\n")[0]
    return ""


def _never_fetched(address: str) -> Json:
    raise ValueError(f"schemas elsewhere are not fetched: {address}")


def _too_deep(schema: Json) -> bool:
    layer: list[Json] = [schema]
    for _ in range(DEEPEST):
        layer = [
            below
            for value in layer
            for below in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
        ]
        if not layer:
            return False
    return True
