"""A call's arguments: a JSON object here, the model's own text everywhere else."""

from callgate.core.json.text import dump_text, mend, parse
from callgate.core.messages import Json, ToolCall

RAW = "_raw_arguments"
"""Holds what is no JSON: a history with one broken call must not fail the whole session."""
VALUE = "_value"
"""Holds JSON that is no object."""

FREE_TEXT = "input"
"""Holds the free text of a custom tool, which this wire does not have."""


def read_input(value: Json) -> str:
    return dump_text(value)


def write_input(arguments: str) -> dict[str, Json]:
    if not arguments.strip():
        return {}
    try:
        value = parse(arguments)
    except ValueError:
        return {RAW: mend(arguments)}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {VALUE: value}


def write_call_input(call: ToolCall) -> dict[str, Json]:
    return {FREE_TEXT: mend(call.arguments)} if call.variant == "custom" else write_input(call.arguments)


def is_whole(arguments: str) -> bool:
    """Whether the text is complete JSON; a cut-off call is not."""
    try:
        parse(arguments or "{}")
    except ValueError:
        return False
    return True
