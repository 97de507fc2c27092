"""What clients of this wire say in fields that other wires lack."""

from callgate.wire.request_fields import RequestFields

FIELDS = RequestFields(
    refused=("mcp_servers",),
    heeded=(
        *(f"thinking.{name}" for name in ("type", "budget_tokens", "display")),
        "thread",
        *(f"output_format.{name}" for name in ("type", "schema")),
        "output_config.effort",
        *(f"output_config.format.{name}" for name in ("type", "schema")),
    ),
    usual={"service_tier": ("auto",)},
    of_no_weight={
        "type": "said by what it is",
        "eager_input_streaming": "asks for speed, not for anything else",
        "anthropic_block": "how a text was spelled",
    },
)
