"""When a waiting call ends by itself: one wording for every place."""

from dataclasses import replace

import pytest
from tests.fakes.console import completed, reviewing, waiting

from callgate.core.calls.invocation import Invocation
from callgate.core.rules.policy import Verdict
from callgate.ui.decision.deadline_words import deadline_words

CALL = replace(waiting(), deadline=400.0)
ALLOWS = replace(CALL, verdict=Verdict("ask", "a rule", at_deadline="allow"))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (CALL, "Auto-denies in 4:48"),
        (ALLOWS, "Auto-allows in 4:48"),
        (replace(reviewing(), deadline=400.0), "Auto-withholds in 4:48"),
        (replace(CALL, deadline=None), ""),
        (replace(CALL, deferred=True, seen_at=None), ""),
        (replace(CALL, deferred=True, seen_at=100.0), "Auto-denies in 4:48"),
        (replace(completed(), deadline=400.0), ""),
    ],
)
def test_it_says_what_happens_and_when(call: Invocation, words: str) -> None:
    assert deadline_words(call, 112.0) == words
