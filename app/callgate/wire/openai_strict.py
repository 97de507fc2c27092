"""What both of OpenAI's wires take as strict: other wires mean less by that word."""

from collections.abc import Mapping

from callgate.core.messages import Json


def is_strict(schema: Mapping[str, Json] | Json) -> bool:
    """Whether OpenAI takes it as strict: every object closed, every property required."""
    if not isinstance(schema, Mapping):
        return False
    pending: list[Json] = [dict(schema)]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(value)
        if not isinstance(value, dict):
            continue
        properties = value.get("properties")
        if value.get("type") == "object" or isinstance(properties, dict):
            required = value.get("required")
            named = set(properties) if isinstance(properties, dict) else set[str]()
            listed = {item for item in required if isinstance(item, str)} if isinstance(required, list) else set[str]()
            if value.get("additionalProperties") is not False or named - listed:
                return False
        pending.extend(value.values())
    return True
