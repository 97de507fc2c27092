"""Tools and the choice among them, as a client sends them: today's `tools`, yesterday's `functions`."""

from typing import Literal

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields, check_schema, check_tool_name, wrong_type
from callgate.core.json.text import dump_text
from callgate.core.messages import CallVariant, Json
from callgate.core.request import ToolChoice
from callgate.core.tool import ToolSpec

NAME_PATTERN = r"^[a-zA-Z0-9_-]{1,64}$"
_MODES: dict[str, Literal["auto", "none", "required"]] = {
    "none": "none",
    "auto": "auto",
    "required": "required",
    "validated": "auto",  # Gemini's word, which Copilot sends here
    "any": "required",  # Anthropic's word, which some clients send here too
}


def read_tools(body: Fields) -> tuple[ToolSpec, ...]:
    """All tools, checked: type, name, schema, and that no name comes twice."""
    specs: list[ToolSpec] = []
    for fields in body.objects("tools"):
        match fields.text("type"):
            case "function":
                spec, param = _read_function_tool(fields), fields.at("function.name")
            case "custom":
                spec, param = _read_custom_tool(fields), fields.at("custom.name")
            case other:
                raise BadRequest(
                    f"Invalid value: '{other}'. Supported values are: 'function' and 'custom'.",
                    fields.at("type"),
                    code="invalid_value",
                )
        _append(specs, spec, param)
    for fields in body.objects("functions"):
        spec = _read_function(fields)
        _append(specs, spec, fields.at("name"))
    return tuple(specs)


def _append(specs: list[ToolSpec], spec: ToolSpec, param: str) -> None:
    if any(known.name == spec.name for known in specs):
        raise BadRequest(f"Duplicate tool name: '{spec.name}'. Tool names must be unique.", param, code="invalid_value")
    specs.append(spec)


def _read_function_tool(fields: Fields) -> ToolSpec:
    inner = fields.needed_child("function")
    spec = _read_function(inner)
    extras = fields.rest("type", "function")
    within = inner.rest("name", "description", "parameters", "strict")
    return ToolSpec(
        spec.name,
        spec.description,
        spec.schema,
        inner.boolean("strict", None),
        extras={**extras, "function": within} if within else extras,
    )


def _read_function(fields: Fields) -> ToolSpec:
    name = check_tool_name(fields.text("name"), fields.at("name"), NAME_PATTERN)
    parameters = fields.raw("parameters")
    schema = None if parameters is None else check_schema(parameters, fields.at("parameters"), name)
    return ToolSpec(
        name, fields.text("description", ""), schema, extras=fields.rest("name", "description", "parameters")
    )


def _read_custom_tool(fields: Fields) -> ToolSpec:
    inner = fields.needed_child("custom")
    extras = fields.rest("type", "custom")
    within = inner.rest("name", "description", "format")
    return ToolSpec(
        check_tool_name(inner.text("name"), inner.at("name"), NAME_PATTERN),
        inner.text("description", ""),
        variant="custom",
        format=_read_format(inner.child("format")),
        extras={**extras, "custom": within} if within else extras,
    )


def _read_format(fields: Fields | None) -> Json:
    """A grammar is nested here and flat in the neutral form, as Responses has it."""
    if fields is None:
        return None
    if fields.text("type") != "grammar":
        return dict(fields.value)
    grammar = fields.needed_child("grammar")
    return {"type": "grammar", "syntax": grammar.text("syntax"), "definition": grammar.text("definition")}


def read_tool_choice(body: Fields) -> ToolChoice | None:
    """Every form that is sent in the wild, the lenient ones included."""
    if "tool_choice" in body:
        value = body.raw("tool_choice")
        if isinstance(value, str):
            return ToolChoice(_mode(value, "tool_choice"))
        return _read_choice_object(body.needed_child("tool_choice"))
    if "function_call" in body:
        value = body.raw("function_call")
        if isinstance(value, str):
            return ToolChoice(_mode(value, "function_call"))
        return ToolChoice("required", (body.needed_child("function_call").text("name"),))
    return None


def _read_choice_object(fields: Fields) -> ToolChoice:
    kind = fields.text("type")
    if kind in _MODES:
        return ToolChoice(_MODES[kind])
    match kind:
        case "function" | "custom":
            # nested as this wire has it, or flat as Responses has it
            inner = fields.child(kind) or fields
            return ToolChoice("required", (inner.text("name"),))
        case "tool":
            name = fields.text("name", "")
            return ToolChoice("required", (name,) if name else ())
        case "allowed_tools":
            return _read_allowed(fields.child("allowed_tools") or fields)
        case _:
            raise BadRequest(
                f"Invalid value: '{kind}'. Supported values are: 'allowed_tools', 'function', and 'custom'.",
                fields.at("type"),
                code="invalid_value",
            )


def _read_allowed(fields: Fields) -> ToolChoice:
    mode = "required" if fields.one_of("mode", ("auto", "required"), "auto") == "required" else "auto"
    names: list[str] = []
    for tool in fields.objects("tools", required=True):
        inner = tool.child(tool.text("type")) or tool
        names.append(inner.text("name"))
    if not names:
        raise BadRequest(f"Invalid '{fields.at('tools')}': empty array.", fields.at("tools"), code="empty_array")
    return ToolChoice(mode, tuple(names))


def _mode(value: str, param: str) -> Literal["auto", "none", "required"]:
    if value not in _MODES:
        raise BadRequest(
            f"Invalid value: '{value}'. Supported values are: 'none', 'auto', and 'required'.",
            param,
            code="invalid_value",
        )
    return _MODES[value]


def check_choice(body: Fields, tools: tuple[ToolSpec, ...], choice: ToolChoice | None) -> None:
    """Refuses a choice without tools, or of a tool that is not there; not called where the gate adds tools later."""
    param = "function_call" if "function_call" in body and "tool_choice" not in body else "tool_choice"
    if not tools:
        if body.raw("tools") == [] or body.raw("functions") == []:
            return  # says plainly that there are none: the choice is dropped with them
        if body.raw("parallel_tool_calls") is not None:
            raise _only_with_tools("parallel_tool_calls")
        if choice is not None and (choice.mode == "required" or choice.names):
            raise _only_with_tools(param)
        return
    offered = {tool.name for tool in tools}
    for name in choice.names if choice else ():
        if name not in offered:
            raise BadRequest(f"Tool choice '{name}' not found in 'tools' parameter.", param, code="invalid_value")


def _only_with_tools(param: str) -> BadRequest:
    return BadRequest(f"Invalid value for '{param}': '{param}' is only allowed when 'tools' are specified.", param)


def read_call(fields: Fields) -> tuple[str, str, CallVariant, dict[str, Json]]:
    """Name, arguments, variant and unknown keys of a call in an assistant's message."""
    kind = fields.text("type", "function")
    if kind not in ("function", "custom"):
        raise BadRequest(
            f"Invalid value: '{kind}'. Supported values are: 'function' and 'custom'.",
            fields.at("type"),
            code="invalid_value",
        )
    inner = fields.needed_child(kind)
    spelled = "arguments" if kind == "function" else "input"
    extras = fields.rest("id", "type", kind)
    within = inner.rest("name", spelled)
    variant: CallVariant = "custom" if kind == "custom" else "function"
    return inner.text("name"), read_arguments(inner, spelled), variant, {**extras, kind: within} if within else extras


def read_arguments(fields: Fields, key: str = "arguments") -> str:
    """Arguments as text, though some clients send the object itself."""
    value = fields.raw(key)
    match value:
        case None:
            return ""
        case str():
            return value
        case dict():
            return dump_text(value)
        case _:
            raise wrong_type(fields.at(key), "a string", value)
