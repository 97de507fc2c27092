"""How likely tokens were: whether a client wants to know, whatever its wire calls that."""

from callgate.core.messages import Json
from callgate.core.request import ChatRequest, WireName

IN_RESPONSES = "message.output_text.logprobs"
"""In the list `include`."""
UNKNOWN_TO: tuple[WireName, ...] = ("anthropic",)


def wanted_chances(request: ChatRequest) -> int | None:
    """How many other tokens are to be told with each; None = nobody asked for any of it."""
    extras = request.extras
    match request.wire:
        case "openai-chat":
            return _count(extras.get("top_logprobs")) if extras.get("logprobs") is True else None
        case "openai-responses":
            include = extras.get("include")
            asked = isinstance(include, list) and IN_RESPONSES in include
            return _count(extras.get("top_logprobs")) if asked else None
        case "gemini":
            config = extras.get("generationConfig")
            asked = isinstance(config, dict) and config.get("responseLogprobs") is True
            return _count(config.get("logprobs")) if asked and isinstance(config, dict) else None
        case "anthropic":
            return None


def _count(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
