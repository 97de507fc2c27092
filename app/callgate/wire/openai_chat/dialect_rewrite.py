"""What a server would misunderstand in a request of its own wire, because of its dialect.

Clients speak the wire as its owner does, and one history may have gone to several servers. Bytes that a server takes
as they are go on as they are; these have to be spelled anew. Knows nothing of how that is done.
"""

from callgate.core.messages import Message, Reasoning
from callgate.core.request import ChatRequest
from callgate.wire.dialect_tools import tools_need_rewrite
from callgate.wire.dialects import PLAIN, Dialect


def needs_chat_rewrite(request: ChatRequest, dialect: Dialect) -> bool:
    """True: the server would refuse the client's bytes, or do something else than they say."""
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
        or tools_need_rewrite(request, dialect)
        or ((request.sampling.n or 1) > 1 and not dialect.several_choices)
        or any(_is_misread(message, dialect) for message in request.messages)
    )


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
