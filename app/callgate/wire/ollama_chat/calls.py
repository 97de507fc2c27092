"""Tools, and calls of them: arguments are a JSON object here, and the model's own text everywhere else."""

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields, check_schema, check_tool_name
from callgate.core.json.text import dump_text, mend, parse
from callgate.core.messages import Json, ToolCall
from callgate.core.request import ChatRequest
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.call_ids import NO_ID
from callgate.wire.dialects import Dialect
from callgate.wire.ollama_chat.wire_traits import WIRE

NAME_PATTERN = r"^[^\s\x00-\x1f]{1,256}$"
"""Ollama itself takes any name; what no other server of local models takes is refused."""
RAW = "_raw_arguments"
"""Holds what is no JSON: a history with one broken call must not fail the whole session."""
VALUE = "_value"
"""Holds JSON that is no object."""


def read_tools(fields: Fields) -> tuple[ToolSpec, ...]:
    specs: list[ToolSpec] = []
    for entry in fields.objects("tools"):
        kind = entry.text("type", "function")
        if kind != "function":
            raise BadRequest(f"Invalid value: '{kind}'. Supported values are: 'function'.", entry.at("type"))
        inner = entry.needed_child("function")
        name = check_tool_name(inner.text("name"), inner.at("name"), NAME_PATTERN)
        if any(known.name == name for known in specs):
            raise BadRequest(f"Duplicate tool name: '{name}'. Tool names must be unique.", inner.at("name"))
        parameters = inner.raw("parameters")
        extras = entry.rest("type", "function")
        if within := inner.rest("name", "description", "parameters"):
            extras["function"] = within
        specs.append(
            ToolSpec(
                name,
                inner.text("description", ""),
                None if parameters is None else check_schema(parameters, inner.at("parameters"), name),
                extras=extras,
            )
        )
    return tuple(specs)


def write_tools(request: ChatRequest, dialect: Dialect, warnings: list[str]) -> list[Json]:
    """The wire has no choice among tools, so what is offered must say the same."""
    own = request.wire == WIRE
    specs = [_function(tool) for tool in request.tools]
    choice = request.tool_choice
    if choice is None:
        return [_write_tool(spec, own) for spec in specs]
    if choice.mode == "none":
        return []
    if choice.names:
        specs = [spec for spec in specs if spec.name in choice.names]
    if choice.mode == "required" and specs:
        dialect.unforced("tool_choice: Ollama cannot be made to call a tool", warnings)
    return [_write_tool(spec, own) for spec in specs]


def _function(tool: ToolSpec | HostedTool) -> ToolSpec:
    if isinstance(tool, ToolSpec) and tool.variant == "function":
        return tool
    kind = (
        tool.variant if isinstance(tool, ToolSpec) else tool.value.get("type") if isinstance(tool.value, dict) else ""
    )
    raise Unspeakable(f"Ollama has no tool of type '{kind}'", "tools")


def _write_tool(spec: ToolSpec, own: bool) -> Json:
    extras = dict(spec.extras) if own else {}
    within = extras.pop("function", None)
    inner: dict[str, Json] = {"name": spec.name}
    if spec.description:
        inner["description"] = spec.description
    if spec.schema is not None:
        inner["parameters"] = dict(spec.schema) if own else {"type": "object", **spec.schema}
    elif not own:
        inner["parameters"] = {"type": "object", "properties": {}}
    return {"type": "function", "function": {**inner, **(within if isinstance(within, dict) else {})}, **extras}


def read_call(fields: Fields) -> ToolCall:
    """Without an id where it has none."""
    inner = fields.needed_child("function")
    given = inner.raw("arguments")
    arguments = given if isinstance(given, str) else dump_text({} if given is None else given)
    extras = fields.rest("id", "function")
    if within := inner.rest("name", "arguments"):
        extras["function"] = within
    return ToolCall(fields.text("id", ""), inner.text("name"), arguments, extras=extras)


def write_call(call: ToolCall, own: bool) -> Json:
    extras = dict(call.extras) if own else {}
    nameless = extras.pop(NO_ID, None) is not None
    within = extras.pop("function", None)
    inner: dict[str, Json] = {"name": call.name, "arguments": write_arguments(call.arguments)}
    body: dict[str, Json] = {} if nameless or not call.id else {"id": call.id}
    return {**body, "function": {**inner, **(within if isinstance(within, dict) else {})}, **extras}


def write_arguments(arguments: str) -> dict[str, Json]:
    if not arguments.strip():
        return {}
    try:
        value = parse(arguments)
    except ValueError:
        return {RAW: mend(arguments)}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {VALUE: value}


def is_whole(arguments: str) -> bool:
    """Whether the text is complete JSON; a cut-off call is not."""
    try:
        parse(arguments or "{}")
    except ValueError:
        return False
    return True
