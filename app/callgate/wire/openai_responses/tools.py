"""Tools and the choice among them. Namespaces group functions; what is no function or custom tool is the provider's."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields, check_schema, check_tool_name, wrong_type
from callgate.core.messages import Json
from callgate.core.request import ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.openai_responses.marks import ADDITIONAL, CHOICE, NAMESPACE, WIRE, leftover, mapping, own
from callgate.wire.openai_strict import is_strict

NAME_PATTERN = "^[a-zA-Z0-9_-]+$"

AnyTool = ToolSpec | HostedTool


def read_tools(values: Sequence[Json], path: str = "tools", *, additional: bool = False) -> list[AnyTool]:
    """`additional`: they come in an item of the input, which is written back with them."""
    tools: list[AnyTool] = []
    for index, value in enumerate(values):
        tools += _read_tool(Fields(value, path, index=index), additional)
    return tools


def came_as_item(tool: ToolSpec | HostedTool) -> bool:
    """Whether an `additional_tools` item offers it, for as long as that is part of the history."""
    return ADDITIONAL in (tool.extras if isinstance(tool, ToolSpec) else mapping(tool.value))


def write_tools(tools: Iterable[AnyTool], *, native: bool) -> list[Json]:
    """Those of `additional_tools` items are left to their items. Raises `Unspeakable` for a foreign hosted tool."""
    written: list[Json] = []
    group = ""
    for tool in tools:
        match tool:
            case HostedTool(wire=wire):
                if wire != WIRE:
                    raise Unspeakable(f"A tool hosted by a provider of {wire} cannot be used here.", "tools")
                if ADDITIONAL not in mapping(tool.value):
                    written.append(tool.value)
                    group = ""
            case ToolSpec() if native and ADDITIONAL in tool.extras:
                continue
            case ToolSpec() if tool.namespace:
                if tool.namespace != group:
                    written.append(_group(tool, native))
                    group = tool.namespace
                _append_to_group(written[-1], _write_tool(tool, native))
            case ToolSpec():
                written.append(_write_tool(tool, native))
                group = ""
    return written


def without_removed(item: Json, tools: Iterable[AnyTool]) -> Json:
    """An `additional_tools` item with only those functions that are still offered."""
    offered = {
        (tool.namespace, tool.name) for tool in tools if isinstance(tool, ToolSpec) and ADDITIONAL in tool.extras
    }

    def kept(value: Json, namespace: str) -> bool:
        tool = mapping(value)
        return tool.get("type") not in ("function", "custom") or (namespace, tool.get("name")) in offered

    remaining: list[Json] = []
    for value in _list(mapping(item).get("tools")):
        if isinstance(value, dict) and value.get("type") == "namespace":
            name = value.get("name")
            inner = [tool for tool in _list(value.get("tools")) if kept(tool, name if isinstance(name, str) else "")]
            if inner:
                remaining.append({**value, "tools": inner})
        elif kept(value, ""):
            remaining.append(value)
    return {**mapping(item), "tools": remaining}


def read_tool_choice(fields: Fields) -> tuple[ToolChoice | None, dict[str, Json]]:
    """The choice, and what of it only this wire can say."""
    value = fields.raw("tool_choice")
    match value:
        case None:
            return None, {}
        case "auto" | "none" | "required":
            return ToolChoice(value), {}
        case dict():
            return _read_choice_object(Fields(value, fields.at("tool_choice")))
        case str():
            raise BadRequest(
                f"Invalid value: '{value}'. Supported values are: 'none', 'auto', and 'required'.",
                fields.at("tool_choice"),
                code="invalid_value",
            )
        case _:
            raise wrong_type(fields.at("tool_choice"), "a string or an object", value)


def write_tool_choice(choice: ToolChoice, tools: Iterable[AnyTool], marks: Json = None) -> Json:
    """`marks`: what `read_tool_choice` put aside."""
    listed = isinstance(marks, list)
    if not choice.names and not listed:
        return choice.mode
    custom = {tool.name for tool in tools if isinstance(tool, ToolSpec) and tool.variant == "custom"}
    entries: list[Json] = [{"type": "custom" if name in custom else "function", "name": name} for name in choice.names]
    if choice.mode == "required" and len(entries) == 1 and not listed:
        return entries[0]
    return {"type": "allowed_tools", "mode": choice.mode, "tools": entries + (marks if isinstance(marks, list) else [])}


def _read_tool(fields: Fields, additional: bool) -> list[AnyTool]:
    match fields.text("type"):
        case "function" | "custom":
            return [_read_spec(fields, additional)]
        case "namespace" if fields.items("tools"):
            return _read_namespace(fields, additional)
        case _:
            return [HostedTool(WIRE, {**fields.value, **({ADDITIONAL: True} if additional else {})})]


def _read_spec(fields: Fields, additional: bool) -> ToolSpec:
    name = check_tool_name(fields.text("name"), fields.at("name"), NAME_PATTERN)
    description = fields.text("description", "")
    marks: dict[str, Json] = {ADDITIONAL: True} if additional else {}
    if fields.text("type") == "custom":
        extras = leftover(fields, "name", "description", "format")
        return ToolSpec(name, description, variant="custom", format=fields.raw("format"), extras={**extras, **marks})
    parameters = fields.raw("parameters")
    return ToolSpec(
        name,
        description,
        None if parameters is None else check_schema(parameters, fields.at("parameters"), name),
        fields.boolean("strict", None),
        extras={**leftover(fields, "name", "description", "parameters", "strict"), **marks},
    )


def _read_namespace(fields: Fields, additional: bool) -> list[AnyTool]:
    name = fields.text("name")
    marks = leftover(fields, "type", "name", "tools")
    tools: list[AnyTool] = []
    for child in fields.objects("tools"):
        for tool in _read_tool(child, additional):
            if isinstance(tool, ToolSpec):
                tools.append(replace(tool, namespace=name, extras={**tool.extras, NAMESPACE: marks}))
            else:
                alone: dict[str, Json] = {**fields.value, "tools": [dict(child.value)]}
                tools.append(HostedTool(WIRE, {**alone, ADDITIONAL: True} if additional else alone))
    return tools


def _write_tool(tool: ToolSpec, native: bool) -> dict[str, Json]:
    known = native and "type" in tool.extras
    value: dict[str, Json] = {"type": tool.variant, "name": tool.name, **(own(tool.extras) if known else {})}
    if tool.description:
        value["description"] = tool.description
    if tool.variant == "custom":
        if tool.format is not None:
            value["format"] = tool.format
        return value
    if tool.schema is not None or not known:
        value["parameters"] = None if tool.schema is None else _object_schema(dict(tool.schema), known)
    if tool.strict is not None or not known:
        # left out, it means "strict if it can be": what other wires offer was never meant so
        value["strict"] = bool(tool.strict) and (native or is_strict(tool.schema))
    return value


def _object_schema(schema: dict[str, Json], known: bool) -> dict[str, Json]:
    return schema if known or "type" in schema else {"type": "object", **schema}


def _group(tool: ToolSpec, native: bool) -> dict[str, Json]:
    described: dict[str, Json] = {"description": ""}  # the wire wants one
    if native and NAMESPACE in tool.extras:
        described = own(mapping(tool.extras[NAMESPACE]))
    return {"type": "namespace", "name": tool.namespace, **described, "tools": []}


def _append_to_group(group: Json, tool: dict[str, Json]) -> None:
    tools = mapping(group).get("tools")
    if isinstance(tools, list):
        tools.append(tool)


def _read_choice_object(fields: Fields) -> tuple[ToolChoice | None, dict[str, Json]]:
    match fields.text("type"):
        case "auto" | "none" | "required" as mode:
            return ToolChoice(mode), {}
        case "any":
            return ToolChoice("required"), {}
        case "tool" if "name" not in fields:
            return ToolChoice("required"), {}
        case "function" | "custom" | "tool":
            return ToolChoice("required", (fields.text("name"),)), {}
        case "allowed_tools":
            return _read_allowed(fields)
        case _:
            return None, {"tool_choice": dict(fields.value)}


def _read_allowed(fields: Fields) -> tuple[ToolChoice, dict[str, Json]]:
    mode = fields.one_of("mode", ("auto", "required"), "auto")
    names: list[str] = []
    hosted: list[Json] = []
    for entry in fields.objects("tools", required=True):
        if entry.text("type") in ("function", "custom"):
            names.append(entry.text("name"))
        else:
            hosted.append(dict(entry.value))
    return ToolChoice("required" if mode == "required" else "auto", tuple(names)), {CHOICE: hosted}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
