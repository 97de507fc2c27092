"""What each verb takes along."""

import pytest
from tests.fakes.console import waiting

from callgate.core.invocation import Decision, Verb, shown_hash
from callgate.ui.decision_draft import asked, drafted


def draft(verb: Verb) -> Decision:
    return drafted(verb, waiting(), edited="{}", reason="why", answer="answer", result="result", scope="always")


@pytest.mark.parametrize(
    ("verb", "arguments", "reason", "result", "scope"),
    [
        ("approve", "{}", "", "", "always"),
        ("deny", None, "why", "", "always"),
        ("answer", None, "", "answer", "once"),
        ("skip", None, "", "", "once"),
        ("accept", None, "", "", "once"),
        ("edit_result", None, "", "result", "once"),
        ("withhold", None, "why", "", "once"),
    ],
)
def test_a_verb_takes_only_what_belongs_to_it(
    verb: Verb, arguments: str | None, reason: str, result: str, scope: str
) -> None:
    made = draft(verb)
    assert (made.arguments, made.reason, made.result, made.scope) == (arguments, reason, result, scope)


def test_a_decision_is_bound_to_the_text_shown() -> None:
    assert draft("approve").shown == shown_hash(waiting().arguments)


def test_another_text_is_another_question() -> None:
    assert asked(waiting()) != asked(waiting(arguments='{"other": 1}'))
