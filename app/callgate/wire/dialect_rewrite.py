"""Whether a server would misunderstand a request of its own wire, because of its dialect: it is then spelled anew."""

from callgate.core.request import ChatRequest, ToolChoice
from callgate.wire.dialect_tools import tools_need_rewrite
from callgate.wire.dialects import PLAIN, Dialect
from callgate.wire.openai_chat.dialect_rewrite import needs_chat_rewrite


def needs_rewrite(request: ChatRequest, dialect: Dialect) -> bool:
    """True: the server would refuse the client's bytes, or do something else than they say."""
    match request.wire:
        case "openai-chat":
            return needs_chat_rewrite(request, dialect)
        case "openai-responses":
            return dialect != PLAIN and (tools_need_rewrite(request, dialect) or _is_misread(request, dialect))
        case "anthropic":
            # a choice that leaves everything open need not be heeded by anyone
            chosen = request.tool_choice not in (None, ToolChoice("auto")) or request.parallel_calls is False
            return dialect != PLAIN and chosen and tools_need_rewrite(request, dialect)
        case _:
            return False


def _is_misread(request: ChatRequest, dialect: Dialect) -> bool:
    roles = {message.role for message in request.messages}
    return (not dialect.developer_role and "developer" in roles) or (dialect.text_only_results and "tool" in roles)
