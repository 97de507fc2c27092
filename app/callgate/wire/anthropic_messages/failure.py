"""A whole message that says why there is no answer, after its status was spent on keeping its client waiting.

A refusal is the one end of this wire that no client takes for a finished turn.
"""

from callgate.core.errors import Fault
from callgate.core.failure_notice import broken_reply, failure_notice
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.anthropic_messages.errors import error_event
from callgate.wire.anthropic_messages.response import write_response


def write_failure(fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    reply = broken_reply(fault, said, failure_notice(fault))
    return {**write_response(reply, request), "error": error_event(fault)["error"]}
