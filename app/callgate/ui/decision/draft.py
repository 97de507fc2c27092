"""A decision as the parts of the bar make it. Pure: what each verb takes along, and what it leaves behind."""

from typing import Final

from callgate.core.calls.invocation import Decision, Invocation, Scope, Verb, shown_hash
from callgate.core.tool import PERSON_SOURCE

LASTING: Final[tuple[Verb, ...]] = ("approve", "deny")
"""Verbs that can be remembered as a rule."""


def drafted(
    verb: Verb,
    invocation: Invocation | None,
    *,
    edited: str | None,
    reason: str,
    answer: str,
    result: str,
    scope: Scope,
    at_once: bool = False,
) -> Decision:
    """`edited`: the arguments, where they are others now; `result`: the text in the editor. Words that were begun for
    another verb are not sent with this one. `at_once`: denied before a reason could be given; it may follow."""
    return Decision(
        verb,
        arguments=edited if verb == "approve" else None,
        reason=reason if verb in ("deny", "withhold") else "",
        result=answer if verb == "answer" else result if verb == "edit_result" else "",
        scope=scope if verb in LASTING else "once",
        shown="" if invocation is None else shown_hash(invocation),
        reason_later=at_once and verb == "deny",
    )


def asked(invocation: Invocation) -> tuple[str, str]:
    """What a question is about: another one of these is another question."""
    return invocation.id, shown_hash(invocation)


def answered_by_person(invocation: Invocation | None) -> bool:
    """Whether there is no tool that could run: only an answer, or a no, makes sense."""
    return invocation is not None and invocation.source == PERSON_SOURCE


def no_record_warning(invocation: Invocation) -> str:
    """What a person has to know who approves while the journal cannot be written; empty = it can."""
    if not invocation.is_waiting or invocation.verdict is None or not invocation.verdict.unrecorded:
        return ""
    return "The journal cannot be written: this call would leave no record"
