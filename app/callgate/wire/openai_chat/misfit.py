"""What a server would misunderstand in a request of its own wire, because of its dialect.

Clients speak the wire as its owner does, and one history may have gone to several servers. Bytes that a server takes
as they are go on as they are; these have to be spelled anew. Knows nothing of how that is done.
"""

from callgate.core.messages import Message, Reasoning
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN, Dialect
from callgate.wire.openai_chat.content import WIRE


def is_misfit(request: ChatRequest, dialect: Dialect) -> bool:
    """True: the server would refuse the client's bytes, or do something else than they say."""
    if request.wire != WIRE:
        return False
    if request.extras.get("tools") == []:
        return True  # refused by the wire's owner, together with every choice among them
    if dialect == PLAIN:
        return False
    limit_is_unread = (
        request.sampling.max_tokens is not None
        and "max_tokens" not in request.extras
        and not dialect.max_completion_tokens
    )
    return (
        limit_is_unread
        or _tools_are_unread(request, dialect)
        or ((request.sampling.n or 1) > 1 and not dialect.several_choices)
        or _choice_is_unread(request.tool_choice, bool(request.tools), dialect)
        or any(_is_misread(message, dialect) for message in request.messages)
    )


def _tools_are_unread(request: ChatRequest, dialect: Dialect) -> bool:
    one_call = bool(request.tools) and request.parallel_calls is False
    return (one_call and not dialect.parallel_switch) or (
        not dialect.custom_tools
        and (
            any(isinstance(tool, ToolSpec) and tool.variant == "custom" for tool in request.tools)
            or any(call.variant == "custom" for message in request.messages for call in message.calls)
        )
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


def _is_misread(message: Message, dialect: Dialect) -> bool:
    match message.role:
        case "developer":
            return not dialect.developer_role
        case "assistant":
            thinks = any(isinstance(part, Reasoning) for part in message.parts)
            unthinking = dialect.replay_reasoning and not thinks
            wordless = not dialect.null_content and bool(message.calls) and not message.text
            return unthinking or wordless or (thinks and not dialect.takes_reasoning)
        case "tool":
            # the neutral form does not tell a string from a list of one text
            return dialect.text_only_results
        case _:
            return False
