"""Tools and the choice among them, both ways."""

from dataclasses import replace

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields, check_schema, check_tool_name
from callgate.core.json.text import dump_text
from callgate.core.messages import Json, Message
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.anthropic_messages.arguments import FREE_TEXT
from callgate.wire.anthropic_messages.blocks import WIRE, fitting_extras
from callgate.wire.anthropic_messages.closed_schema import bearable, close_schema
from callgate.wire.anthropic_messages.complaint import complaint
from callgate.wire.anthropic_messages.traits import ModelTraits
from callgate.wire.dialects import Dialect

NAME_PATTERN = r"^[a-zA-Z0-9_-]{1,128}$"
_NO_PARAMETERS: dict[str, Json] = {"type": "object", "properties": {}}
_DISABLE_PARALLEL = "disable_parallel_tool_use"

AnyTool = ToolSpec | HostedTool


def read_tools(fields: Fields) -> tuple[AnyTool, ...]:
    tools = tuple(read_tool(tool) for tool in fields.objects("tools"))
    names = [tool.name for tool in tools if isinstance(tool, ToolSpec)]
    if len(set(names)) != len(names):
        raise complaint(fields.at("tools"), "Tool names must be unique.")
    return tools


def read_tool(tool: Fields) -> AnyTool:
    # a date-suffixed type and no schema: the provider knows what this is
    if tool.text("type", "custom") != "custom" and "input_schema" not in tool:
        return HostedTool(WIRE, dict(tool.value))
    name = check_tool_name(tool.text("name"), tool.at("name"), NAME_PATTERN)
    tool.needed_child("input_schema")
    return ToolSpec(
        name,
        tool.text("description", ""),
        check_schema(tool.raw("input_schema"), tool.at("input_schema"), name),
        tool.boolean("strict", None),
        extras=tool.rest("name", "description", "input_schema", "strict"),
    )


def read_choice(fields: Fields, tools: tuple[AnyTool, ...]) -> tuple[ToolChoice | None, bool | None]:
    """The choice, and whether calls may be parallel (None = not said)."""
    choice = fields.child("tool_choice")
    if choice is None:
        return None, None
    disabled = choice.boolean(_DISABLE_PARALLEL, None)
    parallel = None if disabled is None else not disabled
    match choice.text("type"):
        case "auto":
            return ToolChoice("auto"), parallel
        case "none":
            return ToolChoice("none"), parallel
        case "any" | "required":
            return ToolChoice("required"), parallel
        case "tool":
            name = choice.text("name", "")
            if name and tools and name not in {name_of(tool) for tool in tools}:
                raise complaint(choice.at("name"), f"Tool '{name}' not found in provided tools")
            return ToolChoice("required", (name,) if name else ()), parallel
        case other:
            raise complaint(choice.at("type"), f"Input should be 'auto', 'any', 'tool' or 'none', not '{other}'")


def name_of(tool: AnyTool) -> str:
    if isinstance(tool, ToolSpec):
        return tool.name
    name = tool.value.get("name") if isinstance(tool.value, dict) else None
    return name if isinstance(name, str) else ""


def write_tools(request: ChatRequest, dialect: Dialect, traits: ModelTraits, warnings: list[str]) -> dict[str, Json]:
    """`tools` and `tool_choice`, as far as there are any."""
    same = request.wire == WIRE
    tools, choice = request.tools, request.tool_choice
    if not tools and not same:
        tools = _remembered(request.messages)
        choice = ToolChoice("none") if tools else None
    if choice is not None and choice.names:
        tools, choice = _narrowed(tools, choice)
    if not same or not dialect.tool_choice or not dialect.named_choice:
        tools, choice = _within_reach(tools, choice, dialect, traits, warnings)
    if not same:
        tools = _within_strictness(tools, traits, warnings)
    body: dict[str, Json] = {}
    if tools:
        body["tools"] = [_write_tool(tool, same) for tool in tools]
    spelled = _write_choice(choice, request.parallel_calls if tools or same else None, same)
    if spelled is not None and (tools or same) and dialect.tool_choice:
        body["tool_choice"] = spelled
    return body


def _within_strictness(tools: tuple[AnyTool, ...], traits: ModelTraits, warnings: list[str]) -> tuple[AnyTool, ...]:
    """Strict tools as the model can be held to them; where it cannot be to all, to none."""
    closed = {
        tool.name: close_schema(tool.schema or _NO_PARAMETERS)
        for tool in tools
        if isinstance(tool, ToolSpec) and tool.strict
    }
    strict = traits.structured and bearable(list(closed.values()))
    if closed and not strict:
        warnings.append("tools.strict: more than the model can be held to; left out")
    return tuple(
        tool
        if isinstance(tool, HostedTool) or tool.name not in closed
        else replace(tool, schema=closed[tool.name])
        if strict
        else replace(tool, strict=None)
        for tool in tools
    )


def _write_tool(tool: AnyTool, same: bool) -> dict[str, Json]:
    if isinstance(tool, HostedTool):
        if tool.wire != WIRE or not isinstance(tool.value, dict):
            type_ = tool.value.get("type") if isinstance(tool.value, dict) else None
            raise Unspeakable(f"the tool type {type_!r} cannot be sent over Anthropic Messages", "tools")
        return tool.value
    if tool.variant == "custom":
        tool = _as_function(tool)
    schema: dict[str, Json] = dict(tool.schema) if tool.schema else dict(_NO_PARAMETERS)
    if "type" not in schema:
        schema = {"type": "object", **schema}
    written: dict[str, Json] = {"name": tool.name}
    if tool.description:
        written["description"] = tool.description
    written["input_schema"] = schema
    if tool.strict is not None and (tool.strict or same):
        written["strict"] = tool.strict
    return written | fitting_extras(tool.extras, same)


def _as_function(tool: ToolSpec) -> ToolSpec:
    """A tool that takes free text, as a function of one string; its grammar is told in words."""
    description = tool.description
    if tool.format:
        description = f"{description}\n\nFormat of `{FREE_TEXT}`: {dump_text(tool.format)}".strip()
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {FREE_TEXT: {"type": "string"}},
        "required": [FREE_TEXT],
    }
    return replace(tool, description=description, schema=schema, variant="function")


def _remembered(messages: tuple[Message, ...]) -> tuple[AnyTool, ...]:
    """Tools of past calls, by name only: the wire refuses a history with calls if the request offers no tools."""
    names = dict.fromkeys(call.name for message in messages for call in message.calls)
    return tuple(ToolSpec(name) for name in names)


def _narrowed(tools: tuple[AnyTool, ...], choice: ToolChoice) -> tuple[tuple[AnyTool, ...], ToolChoice]:
    """One name with `required` the wire can say; any other subset means offering only that."""
    if choice.mode == "required" and len(choice.names) == 1:
        return tools, choice
    return tuple(tool for tool in tools if name_of(tool) in choice.names), ToolChoice(choice.mode)


def _within_reach(
    tools: tuple[AnyTool, ...],
    choice: ToolChoice | None,
    dialect: Dialect,
    traits: ModelTraits,
    warnings: list[str],
) -> tuple[tuple[AnyTool, ...], ToolChoice | None]:
    """The choice as this server and model can follow it."""
    if choice is None:
        return tools, None
    if not dialect.tool_choice and choice.mode == "none":
        return (), None
    if choice.names and not (dialect.tool_choice and dialect.named_choice):
        tools = tuple(tool for tool in tools if name_of(tool) in choice.names)
        choice = replace(choice, names=())
    if choice.mode == "required" and not dialect.tool_choice:
        dialect.unforced(f"tool_choice: {dialect.name} cannot be made to call a tool", warnings)
    if choice.mode == "required" and not traits.forced_choice:
        dialect.unforced("tool_choice: this model cannot be made to call a tool; sent as auto", warnings)
        return tools, ToolChoice("auto")
    return tools, choice


def _write_choice(choice: ToolChoice | None, parallel: bool | None, same: bool) -> dict[str, Json] | None:
    if choice is None and parallel is not False:
        return None
    match choice:
        case None | ToolChoice("auto"):
            written: dict[str, Json] = {"type": "auto"}
        case ToolChoice("none"):
            return {"type": "none"}
        case ToolChoice(names=(name,)):
            written = {"type": "tool", "name": name}
        case _:
            written = {"type": "any"}
    if parallel is False:
        written[_DISABLE_PARALLEL] = True
    elif parallel is True and same:
        written[_DISABLE_PARALLEL] = False
    return written
