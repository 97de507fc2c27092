"""How built-in tools are defined: schemas in few words, and arguments read back by name.

Arguments have been checked against the schema before a tool sees them, so reading one never fails.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from callgate.core.messages import Json
from callgate.core.tool import Annotations, Schema, Tool, is_confined
from callgate.core.wording import Wording
from callgate.tools.builtin.source import SOURCE_NAME, AsyncRun, BuiltinTool, Prepare, Run, StateRun
from callgate.tools.builtin.wordings import WORDINGS

READS = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)


def define(
    run: Run | AsyncRun,
    name: str,
    title: str,
    description: str,
    properties: Mapping[str, Json],
    *,
    required: tuple[str, ...] = (),
    tags: tuple[str, ...],
    annotations: Annotations = READS,
    prepare: Prepare | None = None,
    run_previewed: StateRun | None = None,
    wall: str = "",
    undoable: bool = False,
) -> BuiltinTool:
    schema: Schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    tool = Tool(
        name,
        SOURCE_NAME,
        description,
        schema,
        title=title,
        tags=tags,
        annotations=annotations,
        wording=_wording(name, wall),
        wall=wall,
        undoable=undoable,
    )
    return BuiltinTool(tool, run, prepare, run_previewed)


def _wording(name: str, wall: str) -> Wording:
    wording = WORDINGS.get(name, Wording())
    # "with your own rights" is not true behind a wall, and the wall has a line of its own
    return replace(wording, disclaimer="") if is_confined(wall) else wording


def text(description: str, default: str | None = None) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "string", "description": description}
    return schema if default is None else {**schema, "default": default}


def count(description: str, default: int | None = None, most: int | None = None) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "integer", "minimum": 1, "description": description}
    if most is not None:
        schema["maximum"] = most
    return schema if default is None else {**schema, "default": default}


def flag(description: str, default: bool = False) -> dict[str, Json]:
    return {"type": "boolean", "description": description, "default": default}


def string(arguments: Mapping[str, Json], key: str, default: str = "") -> str:
    return cast(str, arguments.get(key, default))


def number(arguments: Mapping[str, Json], key: str, default: int) -> int:
    return cast(int, arguments.get(key, default))


def chosen(arguments: Mapping[str, Json], key: str) -> bool:
    return bool(arguments.get(key, False))
