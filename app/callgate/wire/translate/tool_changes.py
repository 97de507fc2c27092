"""Tools that an Anthropic client brings or takes away in mid-conversation, by blocks that no other wire has.

Others are offered what the last of them leaves. A tool that is only referred to is offered from the beginning: others
know no tools that wait to be shown.
"""

from collections.abc import Iterator, Mapping, Sequence

from callgate.core.json.fields import Fields
from callgate.core.messages import Json, Message, Opaque
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.anthropic_messages.blocks import WIRE
from callgate.wire.anthropic_messages.tools import name_of, read_tool

AnyTool = ToolSpec | HostedTool

_ADDED, _REMOVED = "tool_addition", "tool_removal"


def is_tool_change(part: Opaque) -> bool:
    """Whether it is heeded here, so that nothing is lost with it."""
    tool = _changed(part)
    return tool is not None and tool.get("type") in ("tool_definition", "tool_reference")


def changed_tools(tools: Sequence[AnyTool], messages: Sequence[Message]) -> Sequence[AnyTool]:
    """Raises `BadRequest` for a definition that is none."""
    changes = list(_changes(messages))
    if not changes:
        return tools
    offered = {name_of(tool) or f"{index}. tool": tool for index, tool in enumerate(tools)}
    taken: dict[str, AnyTool] = {}
    """Taken away, and given back by a mere reference."""
    for part, tool in changes:
        kind = part.value.get("type") if isinstance(part.value, dict) else None
        name = tool.get("name")
        if kind == _ADDED and tool.get("type") == "tool_definition":
            defined = read_tool(Fields(tool.get("definition"), "messages.tool_addition.tool.definition", join="."))
            offered[name_of(defined)] = defined
        elif isinstance(name, str) and kind == _REMOVED and name in offered:
            taken[name] = offered.pop(name)
        elif isinstance(name, str) and kind == _ADDED and name in taken:
            offered[name] = taken[name]
    return list(offered.values())


def _changes(messages: Sequence[Message]) -> Iterator[tuple[Opaque, Mapping[str, Json]]]:
    for message in messages:
        for part in message.parts:
            if isinstance(part, Opaque) and (tool := _changed(part)) is not None:
                yield part, tool


def _changed(part: Opaque) -> Mapping[str, Json] | None:
    if part.wire != WIRE or not isinstance(part.value, dict) or part.value.get("type") not in (_ADDED, _REMOVED):
        return None
    tool = part.value.get("tool")
    return tool if isinstance(tool, dict) else None
