"""Which codec speaks which wire: the one place that knows them all."""

from collections.abc import Mapping

from callgate.core.request import WireName
from callgate.core.wire_traits import WireTraits
from callgate.wire.anthropic_messages import AnthropicMessages
from callgate.wire.codec import Codec
from callgate.wire.gemini_generate import GeminiGenerate
from callgate.wire.ollama_chat import OllamaChat
from callgate.wire.openai_chat import OpenAIChat
from callgate.wire.openai_responses import OpenAIResponses

_ALL: tuple[Codec, ...] = (OpenAIChat(), OpenAIResponses(), AnthropicMessages(), GeminiGenerate(), OllamaChat())

CODECS: Mapping[WireName, Codec] = {codec.wire: codec for codec in _ALL}
TRAITS: Mapping[WireName, WireTraits] = {codec.wire: codec.traits for codec in _ALL}


def codec_for(wire: WireName) -> Codec:
    return CODECS[wire]
