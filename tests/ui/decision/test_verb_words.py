"""What stands on the buttons."""

import pytest

from callgate.ui.decision.decision import approve_words, deny_words
from callgate.ui.decision.verb_keys import CONFIRM, DENY, REFUSE


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Approve"),
        ({"review": True}, "Accept"),
        ({"edited": True}, "Approve edited"),
        ({"edited": True, "review": True}, "Accept edited"),
        ({"seen": False}, "Show the rest"),
        ({"hold": True}, "Hold to approve"),
        ({"hold": True, "edited": True}, "Hold to approve edited"),
    ],
)
def test_the_button_says_what_a_press_will_do(given: dict[str, bool], words: str) -> None:
    said, keys = approve_words(**{"review": False, "hold": False, "edited": False, "seen": True, **given})
    assert said == words
    assert keys == (() if given.get("hold") else CONFIRM)


def test_deny_asks_first_and_then_denies() -> None:
    assert deny_words(review=False, asked=False) == ("Deny…", REFUSE)
    assert deny_words(review=True, asked=True) == ("Withhold", DENY)
