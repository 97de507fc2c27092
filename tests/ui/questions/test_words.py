"""Addresses are doubted where there is reason to."""

import pytest

from callgate.core.messages import say
from callgate.core.question import SampleQuestion
from callgate.ui.questions.words import can_open, doubts, gist, where


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("http://login.example/", "not encrypted"),
        ("https://github.com@evil.example/", "before the @"),
        ("https://xn--gthub-n4a.example/", "letters"),
        ("https://gіthub.com/", "letters"),
        ("file:///etc/passwd", "Not a web address"),
        ("javascript:alert(1)", "Not a web address"),
        ("https://[::1", "cannot open this address"),
    ],
)
def test_a_doubtful_address_is_said_to_be(url: str, word: str) -> None:
    assert any(word in doubt for doubt in doubts(url))


@pytest.mark.parametrize("url", ["https://login.example/a?b=c", "http://127.0.0.1:8000/x", "http://localhost/"])
def test_a_usual_address_is_not_doubted(url: str) -> None:
    assert doubts(url) == ()
    assert can_open(url)
    assert where(url)


def test_the_gist_of_a_conversation_is_its_last_words() -> None:
    assert gist(SampleQuestion("srv", (say("user", "one"), say("user", "two")))) == "two"
