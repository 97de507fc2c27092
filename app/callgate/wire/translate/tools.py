"""The tools of a request, and the choice among them, as far as the target has words for them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.messages import CallVariant, Json
from callgate.core.request import ChatRequest, ToolChoice, WireName
from callgate.core.schema.plain_arguments import plain_arguments
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialects import Dialect
from callgate.wire.openai_responses.marks import CHOICE, NAMESPACE, mapping
from callgate.wire.openai_strict import is_strict
from callgate.wire.registry import TRAITS
from callgate.wire.translate.free_text import as_function
from callgate.wire.translate.names import ToolKey, ToolNames

AnyTool = ToolSpec | HostedTool

_OPENAI: tuple[WireName, ...] = ("openai-chat", "openai-responses")
_DISPENSABLE = ("web_search", "google_search", "googlesearch", "tool_search", "image_generation")
"""How the kinds begin that agents offer in every request, whether or not they need them."""


def has_free_text(target: WireName, dialect: Dialect) -> bool:
    """Whether the target has free-form tools of its own."""
    return target in ("openai-chat", "openai-responses") and dialect.custom_tools


def keys_of(tools: Iterable[AnyTool], *variants: CallVariant) -> list[ToolKey]:
    """Of the tools that are no provider's own; of all variants, if none is given."""
    specs = [tool for tool in tools if isinstance(tool, ToolSpec)]
    return [_key(tool) for tool in specs if not variants or tool.variant in variants]


def spoken_tools(tools: Iterable[AnyTool], target: WireName, warnings: list[str]) -> list[AnyTool]:
    """Without those that only another provider could run. Raises `Unspeakable` where leaving one out is too much."""
    spoken: dict[ToolKey | int, AnyTool] = {}
    for index, tool in enumerate(tools):
        if isinstance(tool, ToolSpec):
            spoken[_key(tool)] = tool  # offered again later on: the newer definition counts
            continue
        if tool.wire == target:
            spoken[index] = tool
            continue
        for kind in _kinds(tool.value):
            if not kind.lower().startswith(_DISPENSABLE):
                raise Unspeakable(
                    f"The tool type '{kind}' is run by providers of {tool.wire} only, not over {target}.",
                    f"tools[{index}]",
                )
            warnings.append(f"tools[{index}]: {kind} is run by providers of {tool.wire} only; left out")
    return list(spoken.values())


def loosened(tools: Iterable[AnyTool], wire: WireName, target: WireName, warnings: list[str]) -> list[AnyTool]:
    """Strict only where the target can be. Anthropic's codec sees to that itself, as it depends on the model."""
    kept: list[AnyTool] = []
    for tool in tools:
        if isinstance(tool, ToolSpec) and tool.strict:
            if not TRAITS[target].strict_tools:
                warnings.append(f"tools.strict: {target} has no word for it; left out")
            elif target in _OPENAI and wire not in _OPENAI and not is_strict(tool.schema):
                warnings.append(f"tools: '{tool.name}' cannot be strict over {target}, where all of a schema must be")
                tool = replace(tool, strict=False)
        kept.append(tool)
    return kept


def translated_tools(
    tools: Iterable[AnyTool], names: ToolNames, *, free_text: bool, plain_only: bool = True
) -> tuple[AnyTool, ...]:
    """Under the names that the target takes. `free_text`: it has free-form tools; `plain_only`: arguments must be one
    plain object."""
    lowered: list[AnyTool] = []
    told: set[str] = set()
    for tool in tools:
        if isinstance(tool, ToolSpec):
            namespace, name = names.lower(_key(tool))
            plain = tool if free_text or tool.variant == "function" else as_function(tool)
            if plain_only and plain.schema is not None:
                plain = replace(plain, schema=plain_arguments(plain.schema))
            if tool.namespace != namespace and tool.namespace not in told:
                told.add(tool.namespace)
                plain = _telling_of_group(plain)
            lowered.append(replace(plain, namespace=namespace, name=name))
        else:
            lowered.append(tool)
    return tuple(lowered)


def translated_choice(
    request: ChatRequest, tools: Sequence[AnyTool], names: ToolNames, warnings: list[str]
) -> ToolChoice | None:
    """Among the tools that are left, by the names that the target takes.

    Raises `BadRequest` where none of those that were chosen is among them, `Unspeakable` where they are a provider's.
    """
    choice = _without_hosted(request.tool_choice, request.extras.get(CHOICE))
    if choice is None:
        return None
    if not tools:
        if choice.mode == "required":
            warnings.append("tool_choice: there is no tool to call; left out")
        return replace(choice, names=())
    if choice.mode == "none":
        return replace(choice, names=())  # a client may still list what it allowed before; others know no such list
    return _named(choice, keys_of(tools), names, warnings) if choice.names else choice


def _without_hosted(choice: ToolChoice | None, hosted: Json) -> ToolChoice | None:
    """`hosted`: what else a list of allowed tools allows, which only the client's own wire has."""
    if choice is None or choice.names or not hosted:
        return choice
    if choice.mode == "required":
        raise Unspeakable("'tool_choice' means only tools that this provider has not.", "tool_choice")
    return ToolChoice("none")


def _named(choice: ToolChoice, keys: Sequence[ToolKey], names: ToolNames, warnings: list[str]) -> ToolChoice:
    """A choice names tools without their groups: it means every tool of that name, if there is none without."""
    meant: list[str] = []
    for name in choice.names:
        own = ("", name)
        found = [own] if own in keys else [key for key in keys if key[1] == name]
        meant += [names.lower(key)[1] for key in found]
        if not found:
            warnings.append(f"tool_choice: '{name}' is not among the tools; left out")
    if not meant:
        said = ", ".join(f"'{name}'" for name in choice.names)
        raise BadRequest(f"Tool choice {said} not found in 'tools' parameter.", "tool_choice", code="invalid_value")
    return replace(choice, names=tuple(dict.fromkeys(meant)))


def _telling_of_group(tool: ToolSpec) -> ToolSpec:
    """Where groups are unknown, the first tool of one says what it is for."""
    group = mapping(tool.extras.get(NAMESPACE)).get("description")
    if not isinstance(group, str) or not group.strip():
        return tool
    words = f"Of all tools named {tool.namespace}__…: {group}"
    return replace(tool, description=f"{tool.description}\n\n{words}" if tool.description else words)


def _key(tool: ToolSpec) -> ToolKey:
    return tool.namespace, tool.name


def _kinds(value: Json) -> list[str]:
    """What a provider's own tool is: its type, Gemini's only key, or those of the tools in its group."""
    match value:
        case {"type": "namespace", "tools": [*inner]}:
            return [kind for tool in inner for kind in _kinds(tool)]
        case {"type": str(kind)}:
            return [kind]
        case dict():
            return [key for key in value if not key.startswith("@")] or ["unknown"]
        case _:
            return ["unknown"]
