"""What sets OpenAI Chat apart from other wires."""

from callgate.core.wire_traits import WireTraits
from callgate.wire.openai_chat.content import WIRE

TRAITS = WireTraits(
    wire=WIRE,
    title="OpenAI Chat",
    provider="openai",
    path="/v1/chat/completions",
    models_path="/v1/models",
    base_has_version=True,
    usage_asked=True,
    reply_id="chatcmpl-",
)
