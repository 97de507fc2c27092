"""Tools and the choice among them, both ways."""

import re
from dataclasses import replace

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields, check_tool_name
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import HostedTool, Schema, ToolSpec
from callgate.wire.gemini_generate.arguments import INPUT
from callgate.wire.gemini_generate.field_names import Camel
from callgate.wire.gemini_generate.json_schema import write_json_schema
from callgate.wire.gemini_generate.openapi_schema import read_parameters, read_schema
from callgate.wire.gemini_generate.schema_subset import write_subset
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.gemini_generate.traits import ModelTraits

NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$"

_DECLARATIONS = "functionDeclarations"
_OPENAPI, _JSON_SCHEMA = "parameters", "parametersJsonSchema"
_CONFIG, _CALLING = "toolConfig", "functionCallingConfig"
_ALLOWED = "allowedFunctionNames"
_FREE_FORM: dict[str, Json] = {"type": "object", "properties": {INPUT: {"type": "string"}}, "required": [INPUT]}
_camel_entry = Camel(_DECLARATIONS)
_camel_declaration = Camel(_JSON_SCHEMA, "responseJsonSchema")
_camel_config = Camel(_CALLING, "retrievalConfig", "includeServerSideToolInvocations")
_camel_calling = Camel(_ALLOWED, "streamFunctionCallArguments")

AnyTool = ToolSpec | HostedTool


def read_tools(fields: Fields) -> tuple[AnyTool, ...]:
    tools: list[AnyTool] = []
    seen: set[str] = set()
    for given in fields.objects("tools"):
        entry = _camel_entry(given)
        for declaration in entry.objects(_DECLARATIONS):
            tool = _read_declaration(declaration)
            if tool.name in seen:
                raise BadRequest(f"Duplicate function declaration found: {tool.name}", declaration.at("name"))
            seen.add(tool.name)
            tools.append(tool)
        others = entry.rest(_DECLARATIONS).items()
        tools += [HostedTool(WIRE, {key: value}) for key, value in others if value is not None]
    return tuple(tools)


def _read_declaration(given: Fields) -> ToolSpec:
    declaration = _camel_declaration(given)
    name = check_tool_name(declaration.text("name"), declaration.at("name"), NAME_PATTERN)
    if _OPENAPI in declaration and _JSON_SCHEMA in declaration:
        raise BadRequest(
            f"'{declaration.at(_OPENAPI)}' and '{_JSON_SCHEMA}' are mutually exclusive.", declaration.at(_JSON_SCHEMA)
        )
    key = _OPENAPI if _OPENAPI in declaration else _JSON_SCHEMA
    schema = read_parameters(declaration.raw(key), declaration.at(key), name) if key in declaration else None
    extras = declaration.rest("name", "description", _OPENAPI, _JSON_SCHEMA)
    if key in declaration:
        extras[key] = declaration.raw(key)  # as it was spelled, for the way back
    return ToolSpec(name, declaration.text("description", ""), schema, extras=extras)


def normal_config(given: Fields) -> dict[str, Json]:
    """`toolConfig` with its known fields in camelCase."""
    config = _camel_config(given)
    calling = config.child(_CALLING)
    return (
        {**config.value, _CALLING: dict(_camel_calling(calling).value)} if calling is not None else dict(config.value)
    )


def read_choice(fields: Fields) -> ToolChoice | None:
    config = fields.child(_CONFIG)
    calling = _camel_config(config).child(_CALLING) if config is not None else None
    if calling is None:
        return None
    calling = _camel_calling(calling)
    mode = calling.text("mode", "").upper()
    names = tuple(calling.texts(_ALLOWED))
    match mode:
        case "ANY":
            return ToolChoice("required", names)
        case "NONE":
            return ToolChoice("none")
        case "AUTO" | "VALIDATED":
            return ToolChoice("auto", names)
        case "" | "MODE_UNSPECIFIED":
            return ToolChoice("auto", names) if names else None
        case _:
            raise BadRequest(
                f"Invalid value: '{mode}'. Supported values are: 'AUTO', 'ANY', 'NONE' and 'VALIDATED'.",
                calling.at("mode"),
                code="invalid_value",
            )


def write_tools(request: ChatRequest, traits: ModelTraits, warnings: list[str]) -> dict[str, Json]:
    """`tools` and `toolConfig`, as far as there are any. All functions stand in one entry."""
    same = request.wire == WIRE
    if not same:
        request = _remembering(request)
    declarations: list[Json] = []
    entries: list[Json] = []
    for tool in request.tools:
        match tool:
            case ToolSpec():
                if not declarations:
                    entries.append({_DECLARATIONS: declarations})
                declarations.append(_write_declaration(tool, traits, same))
            case HostedTool():
                entries.append(_write_hosted(tool))
    body: dict[str, Json] = {"tools": entries} if entries else {}
    config = _write_config(request, offered=bool(declarations), same=same)
    if config:
        body[_CONFIG] = config
    if request.parallel_calls is False and declarations:
        warnings.append("parallel_tool_calls: Gemini cannot be kept from making several calls at once")
    return body


def _remembering(request: ChatRequest) -> ChatRequest:
    """With the functions of past calls, none of which may be called, where no tools are offered at all."""
    past = dict.fromkeys(call.name for message in request.messages for call in message.calls)
    if request.tools or not past:
        return request
    return replace(request, tools=tuple(map(ToolSpec, past)), tool_choice=ToolChoice("none"))


def _write_hosted(tool: HostedTool) -> Json:
    if tool.wire == WIRE:
        return tool.value
    kind = tool.value.get("type") if isinstance(tool.value, dict) else None
    raise Unspeakable(f"the tool type {kind!r} cannot be sent over Gemini", "tools")


def _write_declaration(tool: ToolSpec, traits: ModelTraits, same: bool) -> dict[str, Json]:
    if re.fullmatch(NAME_PATTERN, tool.name) is None:
        raise Unspeakable(f"the tool name {tool.name!r} cannot be sent over Gemini", "tools")
    declaration: dict[str, Json] = {"name": tool.name}
    if tool.description:
        declaration["description"] = tool.description
    schema: Schema | None = _FREE_FORM if tool.variant == "custom" else tool.schema
    given = dict(tool.extras) if same else {}
    kept = {key: given.pop(key) for key in (_OPENAPI, _JSON_SCHEMA) if key in given}
    for key, original in kept.items():
        if read_schema(original, key) == schema:
            return declaration | {key: original} | given
    return declaration | _write_parameters(schema, traits) | given


def _write_parameters(schema: Schema | None, traits: ModelTraits) -> dict[str, Json]:
    if schema is None:
        return {}
    if traits.json_schema:
        spelled = write_json_schema(schema)
        return {_JSON_SCHEMA: spelled if "type" in spelled or "$ref" in spelled else {"type": "object", **spelled}}
    subset = write_subset(schema)
    return {_OPENAPI: subset} if subset is not None else {}


def _write_config(request: ChatRequest, *, offered: bool, same: bool) -> dict[str, Json]:
    """The client's own configuration as long as it says what is wanted; else the choice in its place."""
    given = request.extras.get(_CONFIG) if same else None
    config = dict(given) if isinstance(given, dict) else {}
    if config and read_choice(Fields({_CONFIG: config})) == request.tool_choice:
        return config
    calling = config.pop(_CALLING, None)
    unknown = Fields(calling).rest("mode", _ALLOWED) if isinstance(calling, dict) else {}
    spelled = _write_choice(request.tool_choice) if offered else {}
    return {_CALLING: {**spelled, **unknown}, **config} if spelled or unknown else config


def _write_choice(choice: ToolChoice | None) -> dict[str, Json]:
    match choice:
        case None:
            return {}
        case ToolChoice("none"):
            return {"mode": "NONE"}
        case ToolChoice("required", names):
            return {"mode": "ANY", _ALLOWED: list(names)} if names else {"mode": "ANY"}
        case ToolChoice("auto", names) if names:
            return {"mode": "VALIDATED", _ALLOWED: list(names)}
        case _:
            return {"mode": "AUTO"}
