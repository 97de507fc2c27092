"""What clients of this wire say in fields that other wires lack."""

from callgate.core.messages import Extras
from callgate.wire.request_fields import RequestFields, count_of


def _logprobs(extras: Extras) -> int | None:
    return count_of(extras.get("top_logprobs")) if extras.get("logprobs") is True else None


FIELDS = RequestFields(
    heeded=(
        "max_tokens",
        "stream_options",
        "response_format.type",
        *(f"response_format.json_schema.{name}" for name in ("name", "schema", "strict", "description")),
    ),
    usual={"modalities": (["text"],), "service_tier": ("auto",)},
    switches=("web_search_options",),
    of_no_weight={
        "index": "SDKs leave in a call where it stood in a stream",
        "parsed": "SDKs leave in a message what they made of its text",
        "parsed_arguments": "SDKs leave in a call what they made of its arguments",
    },
    logprobs=_logprobs,
)
