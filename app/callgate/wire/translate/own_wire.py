"""A request for a server of its own wire that lacks something which the wire's owner has: free-form tools, or a switch
that keeps a model from making several calls at once. Done here instead, as it is for servers of other wires.

All else that a dialect does differently is its codec's affair.
"""

from dataclasses import replace

from callgate.core.messages import CallVariant, Part, ToolCall, ToolResult
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.dialect_tools import uses_free_text
from callgate.wire.dialects import Dialect
from callgate.wire.translate.free_text import as_function, wrap
from callgate.wire.translate.names import ToolKey, ToolNames
from callgate.wire.translate.reply_translator import Changes

_FREE: CallVariant = "custom"
_WITH_FREE_TEXT: tuple[WireName, ...] = ("openai-chat", "openai-responses")


def own_wire(request: ChatRequest, dialect: Dialect, *, switch: bool) -> tuple[ChatRequest, Changes]:
    """`switch`: the server can be told to make one call at a time."""
    changes = Changes()
    if request.wire in _WITH_FREE_TEXT and not dialect.custom_tools and uses_free_text(request):
        request, changes = _without_free_text(request)
    if request.wire == "gemini" or not request.tools:  # nobody can ask for it there
        return request, changes
    one_call = request.parallel_calls is False or request.legacy_functions
    told = False if switch else None
    if one_call and request.parallel_calls is not told:
        request = replace(request, parallel_calls=told)
    return request, replace(changes, first_call_only=one_call and not switch)


def _without_free_text(request: ChatRequest) -> tuple[ChatRequest, Changes]:
    free: set[ToolKey] = set()
    tools: list[ToolSpec | HostedTool] = []
    for tool in request.tools:
        if isinstance(tool, ToolSpec) and tool.variant == _FREE:
            free.add((tool.namespace, tool.name))
            # what else its own spelling said is no word of a function's
            tool = replace(as_function(tool), extras={})
        tools.append(tool)
    messages = tuple(message.with_parts([_plain(part) for part in message.parts]) for message in request.messages)
    return replace(request, messages=messages, tools=tuple(tools)), Changes(ToolNames(request.wire), frozenset(free))


def _plain(part: Part) -> Part:
    match part:
        case ToolCall(variant="custom"):
            return replace(part, arguments=wrap(part.arguments), variant="function", item_id="", extras={})
        case ToolResult(variant="custom"):
            return replace(part, variant="function", extras={})
        case _:
            return part
