"""Built-in calls of whichever wire has them: their names say whose they are, so nobody else needs to know the wire."""

from callgate.wire.codec import BuiltInCalls
from callgate.wire.registry import CODECS

_KINDS: tuple[BuiltInCalls, ...] = tuple(
    calls for codec in CODECS.values() if (calls := codec.built_in_calls) is not None
)


def takes_words(name: str) -> bool:
    """Whether the model can be told in words what became of a built-in call."""
    return any(calls.takes_words(name) for calls in _KINDS)


def edit_problem(name: str, arguments: str) -> str:
    """Why no wire could encode a built-in call with edited arguments; empty = one can."""
    problems = [calls.edit_problem(name, arguments) for calls in _KINDS]
    return "" if "" in problems else problems[0]
