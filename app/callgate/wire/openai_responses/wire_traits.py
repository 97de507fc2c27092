"""What sets OpenAI Responses apart from other wires."""

from callgate.core.wire_traits import WireTraits
from callgate.wire.openai_responses.marks import WIRE

TRAITS = WireTraits(
    wire=WIRE,
    title="OpenAI Responses",
    provider="openai",
    path="/v1/responses",
    models_path="/v1/models",
    base_has_version=True,
    reply_id="resp_",
    several_choices=False,
    closes_text=True,
    shown_parts=("image",),
)
