"""Fields that both of OpenAI's wires have: a translation between them need not lose them.

Only OpenAI's own servers are told of them: others refuse those that they do not know.
"""

from callgate.core.messages import Json
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import Dialect

_WIRES = {"openai-chat", "openai-responses"}
_SAME_NAME = (
    "moderation",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "service_tier",
    "user",
)
"""`metadata` is not among them: Chat takes it with stored replies only, and translated requests are not stored. Nor is
`prompt_cache_options`: each wire has values that the other refuses."""


def shared_fields(request: ChatRequest, target: WireName, dialect: Dialect) -> dict[str, Json]:
    """What the target is to be told, under Chat's names."""
    if not dialect.account_fields or {request.wire, target} != _WIRES:
        return {}
    text = request.extras.get("text")
    verbosity = text.get("verbosity") if isinstance(text, dict) else request.extras.get("verbosity")
    fields = {name: request.extras.get(name) for name in _SAME_NAME}
    return {name: value for name, value in {**fields, "verbosity": verbosity}.items() if value}


def in_responses(fields: dict[str, Json]) -> dict[str, Json]:
    """The same under the names of Responses."""
    rest = dict(fields)
    verbosity = rest.pop("verbosity", None)
    return rest if verbosity is None else {**rest, "text": {"verbosity": verbosity}}
