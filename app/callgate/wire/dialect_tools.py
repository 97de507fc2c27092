"""What is said of tools in a request of a server's own wire that the server's dialect would not heed."""

from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import Dialect


def tools_need_rewrite(request: ChatRequest, dialect: Dialect) -> bool:
    return (
        _switch_is_unread(request, dialect)
        or (not dialect.custom_tools and uses_free_text(request))
        or _choice_is_unread(request.tool_choice, bool(request.tools), dialect)
    )


def _switch_is_unread(request: ChatRequest, dialect: Dialect) -> bool:
    return bool(request.tools) and request.parallel_calls is False and not dialect.parallel_switch


def uses_free_text(request: ChatRequest) -> bool:
    """Whether it offers, or has called, tools that take plain text instead of a JSON object."""
    return any(isinstance(tool, ToolSpec) and tool.variant == "custom" for tool in request.tools) or any(
        call.variant == "custom" for message in request.messages for call in message.calls
    )


def _choice_is_unread(choice: ToolChoice | None, has_tools: bool, dialect: Dialect) -> bool:
    if choice is None:
        return has_tools and not dialect.unsaid_choice
    if not dialect.tool_choice:
        return True
    if not choice.names:
        return choice.mode == "required" and not dialect.required_choice
    forced = choice.mode == "required" and len(choice.names) == 1
    return not (dialect.named_choice if forced else dialect.allowed_choice)
