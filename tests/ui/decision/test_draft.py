"""What each verb takes along."""

from dataclasses import replace

import pytest
from tests.fakes.console import waiting

from callgate.core.calls.invocation import Decision, Verb, shown_hash
from callgate.core.tool import PERSON_SOURCE
from callgate.ui.decision.draft import answered_by_person, asked, drafted


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
    assert draft("approve").shown == shown_hash(waiting())


def test_another_text_is_another_question() -> None:
    assert asked(waiting()) != asked(waiting(arguments='{"other": 1}'))


def test_a_question_to_a_person_has_no_tool_that_could_run() -> None:
    assert answered_by_person(replace(waiting(), source=PERSON_SOURCE))
    assert not answered_by_person(waiting()) and not answered_by_person(None)
