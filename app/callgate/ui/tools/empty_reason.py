"""Why a filter shows nothing: which part of it is to blame, and what would be there without it. Pure."""

from dataclasses import dataclass

from callgate.ui.tools.facts import Facts
from callgate.ui.tools.query import Query, Term
from callgate.ui.tools.tool_index import ToolIndex


@dataclass(frozen=True, slots=True)
class EmptyReason:
    words: str
    culprit: Term | None = None
    """The part without which something would be shown, or which nothing fits; None = no single one."""


def why_empty(index: ToolIndex, query: Query, facts: Facts) -> EmptyReason:
    total = len(index.tools)
    if len(query.terms) == 1:
        return EmptyReason(f"None of the {total:,} tools fits “{query.terms[0].text}”.{_hint(query.terms[0])}")
    for term in query.terms:
        if index.count(Query((term,)), facts) == 0:
            return EmptyReason(f"“{term.text}” alone fits none of the {total:,} tools.{_hint(term)}", term)
    without = [(index.count(query.without(term), facts), term) for term in query.terms]
    most, culprit = max(without, key=lambda pair: pair[0])
    if most:
        tools = "1 tool" if most == 1 else f"{most:,} tools"
        return EmptyReason(f"Without “{culprit.text}” there would be {tools}.", culprit)
    return EmptyReason(f"No tool fits all of “{query}”. Each part alone fits some.")


def _hint(term: Term) -> str:
    """What may have been meant."""
    match term.kind:
        case "readonly" if term.value not in ("yes", "no", "unknown"):
            return " It takes yes, no or unknown."
        case "enabled" if term.value not in ("yes", "no"):
            return " It takes yes or no."
        case "agent":
            return " Agents are known once they have sent a request."
        case _:
            return ""
