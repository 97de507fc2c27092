"""What clients of this wire say in fields that other wires lack."""

from callgate.core.messages import Extras
from callgate.wire.openai_responses.read_request import UNTRANSLATABLE
from callgate.wire.request_fields import RequestFields, count_of

LOGPROBS_INCLUDED = "message.output_text.logprobs"
"""In the list `include`."""


def _logprobs(extras: Extras) -> int | None:
    include = extras.get("include")
    asked = isinstance(include, list) and LOGPROBS_INCLUDED in include
    return count_of(extras.get("top_logprobs")) if asked else None


FIELDS = RequestFields(
    refused=UNTRANSLATABLE,
    heeded=("tool_choice", "stream_options", "reasoning.generate_summary", "text.@format.type"),
    usual={
        "truncation": ("disabled",),
        "service_tier": ("auto",),
        "include": (["reasoning.encrypted_content"],),
        "reasoning.mode": ("standard",),
    },
    of_no_weight={
        "type": "said by what it is",
        "id": "another provider has no items to look up",
        "status": "a history is over",
        "phase": "only OpenAI's models were taught it",
        "namespace": "a result's call says it too",
        "async": "results that come late are told as words",
    },
    logprobs=_logprobs,
)
