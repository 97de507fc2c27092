"""Tools and the choice among them, spelled for a server: its dialect decides what must be emulated."""

from collections.abc import Mapping

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import Dialect
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.openai_strict import is_strict


def write_tools(request: ChatRequest, dialect: Dialect, warnings: list[str]) -> dict[str, Json]:
    """The fields `tools`, `tool_choice` and `parallel_tool_calls`: all, or none where there is nothing to call."""
    own = request.wire == WIRE
    specs = [_spoken(tool) for tool in request.tools]
    specs, choice = _emulated(specs, request.tool_choice, dialect, warnings)
    if not specs:
        return {}
    fields: dict[str, Json] = {"tools": [_write_tool(spec, own, dialect) for spec in specs]}
    if choice is not None:
        fields["tool_choice"] = _write_choice(choice, {spec.name: spec for spec in specs})
    if request.parallel_calls is not None:
        if dialect.parallel_switch:
            fields["parallel_tool_calls"] = request.parallel_calls
        elif not request.parallel_calls:
            warnings.append(f"{dialect.name} cannot be told to make one call at a time")
    return fields


def _spoken(tool: ToolSpec | HostedTool) -> ToolSpec:
    if isinstance(tool, ToolSpec):
        return tool
    kind = tool.value.get("type") if isinstance(tool.value, dict) else None
    raise Unspeakable(
        f"OpenAI Chat has no tool of type '{kind or tool.wire}': only the provider itself can run it", "tools"
    )


def _emulated(
    specs: list[ToolSpec], choice: ToolChoice | None, dialect: Dialect, warnings: list[str]
) -> tuple[list[ToolSpec], ToolChoice | None]:
    """Where a server does not understand a choice, what is offered says the same."""
    if choice is None:
        return specs, None if dialect.unsaid_choice else ToolChoice("auto")
    forced = choice.mode == "required" and len(choice.names) == 1
    understood = dialect.named_choice if forced else dialect.allowed_choice
    if choice.names and not (dialect.tool_choice and understood):
        specs = [spec for spec in specs if spec.name in choice.names]
        choice = ToolChoice(choice.mode)
    if choice.mode == "required" and not choice.names and dialect.tool_choice and not dialect.required_choice:
        if len(specs) != 1:
            dialect.unforced(f"tool_choice: {dialect.name} can be made to call only where there is one tool", warnings)
        choice = ToolChoice("required", (specs[0].name,)) if len(specs) == 1 else ToolChoice("auto")
    if dialect.tool_choice:
        return specs, choice
    if choice.mode == "none":
        return [], None
    if choice.mode == "required":
        dialect.unforced(f"tool_choice: {dialect.name} cannot be made to call a tool", warnings)
    return specs, None


def _write_choice(choice: ToolChoice, specs: Mapping[str, ToolSpec]) -> Json:
    if not choice.names:
        return choice.mode
    references: list[Json] = []
    for name in choice.names:
        variant = specs[name].variant if name in specs else "function"
        references.append({"type": variant, variant: {"name": name}})
    if choice.mode == "required" and len(references) == 1:
        return references[0]
    return {"type": "allowed_tools", "allowed_tools": {"mode": choice.mode, "tools": references}}


def _write_tool(spec: ToolSpec, own: bool, dialect: Dialect) -> Json:
    extras = dict(spec.extras) if own else {}
    within = extras.pop(spec.variant, None)
    inner: dict[str, Json] = {"name": spec.name}
    if spec.description:
        inner["description"] = spec.description
    if spec.variant == "custom":
        if not dialect.custom_tools:
            raise Unspeakable(f"{dialect.name} has no custom tools; '{spec.name}' is one", "tools")
        if spec.format is not None:
            inner["format"] = _write_format(spec.format)
    else:
        if spec.schema is not None:
            inner["parameters"] = dict(spec.schema) if own else {"type": "object", **spec.schema}
        if spec.strict is not None and (own or not spec.strict or is_strict(spec.schema)):
            inner["strict"] = spec.strict
    if isinstance(within, dict):
        inner.update(within)
    return {"type": spec.variant, spec.variant: inner, **extras}


def _write_format(value: Json) -> Json:
    match value:
        case {"type": "grammar", "syntax": syntax, "definition": definition}:
            return {"type": "grammar", "grammar": {"syntax": syntax, "definition": definition}}
        case _:
            return value
