"""A whole reply that says why there is no answer, after its status was spent on keeping its client waiting.

As a candidate: where none is, clients show nothing and drop the turn that was asked from their history.
"""

from callgate.core.errors import Fault
from callgate.core.failure_notice import broken_reply, failure_notice
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.gemini_generate.errors import error_body
from callgate.wire.gemini_generate.response import write_response


def write_failure(fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    reply = broken_reply(fault, said, f"OTHER: {failure_notice(fault)}")
    return {**write_response(reply, request), **error_body(fault)}
