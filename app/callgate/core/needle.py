"""What must be in a call for an expression to hold: a plain text, which is looked for before anything else is tried.

Looking for a plain text costs next to nothing: of a thousand rules about one tool, all but a few end there. Pure.
"""

import re
from typing import NamedTuple

from callgate.core.expression import WHOLE_FIELDS, And, Compare, Expression
from callgate.core.pattern import Pattern

_WILD = re.compile(r"\*+/?|\?")
"""`a/**/b` also fits a/b."""


class Needle(NamedTuple):
    field: str
    text: str
    collapsed: bool = False
    """True: it is looked for in values that have their `..` taken out, as they are compared."""


def needle_of(expression: Expression) -> Needle | None:
    """A text that must be in one of a field's values for the expression to hold; None = not known."""
    match expression:
        case Compare(operator=":"):
            longest = max(_WILD.split(expression.value), key=len)
            placed = "/" in expression.value and expression.field not in WHOLE_FIELDS
            return Needle(expression.field, longest, placed) if longest else None
        case Compare(operator="=") if expression.value and expression.number is None:
            return Needle(expression.field, expression.value)
        case Compare(operator="~"):
            literal = Pattern(expression.value).literal
            return Needle(expression.field, literal) if literal else None
        case And():
            found = [needle for part in expression.parts if (needle := needle_of(part)) is not None]
            return max(found, key=lambda needle: len(needle.text), default=None)
        case _:
            return None
