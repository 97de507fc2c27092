"""JSON Schemas of tools: whether one can be used, and the validator made of it. Pure; nothing elsewhere is fetched."""

from collections.abc import Mapping

import jsonschema_rs

from callgate.core.messages import Json

DEEPEST = 128
"""Deeper schemas are attacks on recursive code, not tools."""
_DRAFTS = "json-schema.org/"


def compiled(schema: Mapping[str, Json]) -> jsonschema_rs.Validator:
    """A validator; an empty schema lets everything pass. Raises `ValueError` where the schema can't be used."""
    said = dict(schema)
    if _DRAFTS not in str(said.get("$schema", _DRAFTS)):
        del said["$schema"]  # a dialect of somebody's own: read as what MCP takes for granted, not refused
    return jsonschema_rs.validator_for(said or True, retriever=_never_fetched)


def schema_problem(schema: Mapping[str, Json], *, of_arguments: bool = True) -> str:
    """Why a schema can't be used; empty = it can. One that refers to itself is fine."""
    if _too_deep(dict(schema)):
        return f"it is nested deeper than {DEEPEST} levels"
    kind = schema.get("type")
    if of_arguments and kind is not None and kind != "object":
        return f'it must describe an object, "type": "object", not {kind!r}'
    try:
        compiled(schema)
    except ValueError as broken:
        return str(broken).partition("\n")[0]
    return ""


def _never_fetched(address: str) -> Json:
    """A schema comes from a stranger: looking at it must not make a request."""
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
