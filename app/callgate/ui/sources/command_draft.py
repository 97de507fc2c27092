"""A command tool as a person types it, made into settings. Pure; says what is wrong in words."""

import re
import shlex
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from callgate.core.config.argv_template import BadTemplate, read_template
from callgate.core.config.command_settings import CommandToolSettings
from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.core.messages import Json

TYPES: Final = ("string", "integer", "number", "boolean", "array")
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str = "string"
    description: str = ""


@dataclass(frozen=True, slots=True)
class CommandDraft:
    source: str
    name: str
    command: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    """What is known of the places in the command; those that are not listed are texts."""
    folder: str = ""
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a command line."""

    name: str
    optional: bool
    many: bool


def slots_of(command: str) -> tuple[Slot, ...]:
    """The places for arguments, each once; raises `UserFault` where the line can't be read."""
    found: dict[str, Slot] = {}
    for place in read_template(words_of(command)).places:
        known = found.get(place.name)
        found[place.name] = Slot(
            place.name,
            place.count != "one" and (known is None or known.optional),
            place.count == "many" or (known is not None and known.many),
        )
    return tuple(found.values())


def words_of(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as bad:
        raise UserFault(f"The command can't be read: {str(bad).lower()}.") from bad


def make_tool(draft: CommandDraft) -> CommandToolSettings:
    """Raises `UserFault`."""
    if not _NAME.fullmatch(draft.name):
        raise UserFault("Give the tool a name of letters, digits, '_' and '-'.")
    try:
        slots = slots_of(draft.command)
    except BadTemplate as bad:
        raise UserFault(f"The command can't be used: {bad}.") from bad
    known = {parameter.name: parameter for parameter in draft.parameters}
    properties: dict[str, Json] = {
        slot.name: _property(known.get(slot.name, Parameter(slot.name)), many=slot.many) for slot in slots
    }
    said: dict[str, object] = {
        "name": draft.name,
        "argv": list(words_of(draft.command)),
        "description": draft.description,
        "cwd": draft.folder,
        "schema": {
            "type": "object",
            "properties": properties,
            "required": [slot.name for slot in slots if not slot.optional],
            "additionalProperties": False,
        },
    }
    if draft.read_only:
        said["annotations"] = {"readOnlyHint": True}
    try:
        return CommandToolSettings.model_validate(said)
    except ValidationError as bad:
        raise UserFault(_first(bad)) from bad


def make_source(draft: CommandDraft, before: SourceSettings | None = None) -> SourceSettings:
    """A source with the tool in it, or one that had others with it added. Raises `UserFault`."""
    tool = make_tool(draft)
    if before is not None:
        if any(one.name == tool.name for one in before.tools):
            raise UserFault(f"{before.name} has a tool named {tool.name} already.")
        return before.model_copy(update={"tools": (*before.tools, tool)})
    try:
        return SourceSettings(name=draft.source, kind="command", tools=(tool,))
    except ValidationError as bad:
        raise UserFault("Give the source a name of letters, digits, '_', '.' and '-'.") from bad


def _property(parameter: Parameter, *, many: bool) -> dict[str, Json]:
    said: dict[str, Json] = {"type": "array", "items": {"type": "string"}} if many else {"type": parameter.type}
    if parameter.description:
        said["description"] = parameter.description
    return said


def _first(bad: ValidationError) -> str:
    error = bad.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(step) for step in error['loc'])}: {error['msg'].removeprefix('Value error, ')}".lstrip(": ")
