"""A whole answer that says why there is none, after its status was spent on keeping its client waiting.

Some clients look for `error` in an answer, as routers send it; those that do not see the words, and an end that is none
of a finished turn.
"""

from callgate.core.errors import Fault
from callgate.core.failure_notice import broken_reply
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.openai_chat.errors import error_body
from callgate.wire.openai_chat.response import write_response


def write_failure(fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    return {**write_response(broken_reply(fault, said), request), "error": error_body(fault)}
