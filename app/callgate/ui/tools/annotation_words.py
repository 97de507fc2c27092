"""What a tool says of itself, in plain words. Hints, never proof: the words say so."""

from dataclasses import dataclass

from callgate.core.tool import Annotations


@dataclass(frozen=True, slots=True)
class Hint:
    text: str
    icon: str
    color: str
    """A name of `Tokens`."""


def annotation_words(annotations: Annotations) -> tuple[Hint, ...]:
    hints: list[Hint] = []
    match annotations.read_only, annotations.destructive:
        case True, _:
            hints.append(Hint("Declared read-only", "read_only", "completed"))
        case _, True:
            hints.append(Hint("Declared destructive", "danger", "denied"))
        case _, False:
            hints.append(Hint("Declared not destructive", "edit", "text2"))
        case False, None:
            hints.append(Hint("Declared to change things", "edit", "text2"))
        case _:
            hints.append(Hint("Not declared whether it changes anything", "info", "text3"))
    if annotations.open_world is True:
        hints.append(Hint("Declared to reach other systems", "external", "text2"))
    elif annotations.open_world is False:
        hints.append(Hint("Declared to stay on this machine", "lock", "text2"))
    if annotations.idempotent is True and annotations.read_only is not True:
        hints.append(Hint("Declared safe to repeat", "retry", "text2"))
    return tuple(hints)
