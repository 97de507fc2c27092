"""A call's arguments: a JSON object here, the model's own text everywhere else."""

from callgate.core.json.text import mend, parse
from callgate.core.messages import CallVariant, Json

RAW = "_raw_arguments"
"""Holds what is no JSON: a history with one broken call must not fail the whole session."""
VALUE = "_value"
"""Holds JSON that is no object."""
INPUT = "input"
"""The one argument of a free-form call."""


def write_arguments(arguments: str, variant: CallVariant = "function") -> dict[str, Json]:
    if variant == "custom":
        return {INPUT: mend(arguments)}
    if not arguments.strip():
        return {}
    try:
        value = parse(arguments)
    except ValueError:
        return {RAW: mend(arguments)}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {VALUE: value}


def is_whole(arguments: str) -> bool:
    """Whether the text is complete JSON; a cut-off call is not."""
    try:
        parse(arguments or "{}")
    except ValueError:
        return False
    return True
