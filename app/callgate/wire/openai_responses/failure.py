"""A whole response that failed after its status was spent on keeping its client waiting: the wire has a word for that.

The words are in the output too: clients that print it and look no further would show nothing else.
"""

from callgate.core.errors import Fault
from callgate.core.failure_notice import broken_reply
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.openai_responses.envelope import Envelope, created_at
from callgate.wire.openai_responses.errors import event_error
from callgate.wire.openai_responses.ids import response_id
from callgate.wire.openai_responses.output import output_items


def write_failure(fault: Fault, said: ChatResponse, request: ChatRequest) -> dict[str, Json]:
    reply = broken_reply(fault, said)
    return Envelope(request).response(
        response_id(reply.id),
        reply.model,
        created_at(reply.created),
        "failed",
        output=output_items(reply),
        usage=reply.usage,
        error=event_error(fault),
    )
