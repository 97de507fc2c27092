from dataclasses import replace

import pytest

from callgate.engine.endpoint_desk import EndpointView
from callgate.ui.connect.answering import answering

DEMO = EndpointView("demo", "demo", ("openai-chat",), "", ("*",))
ONE = EndpointView("one", "added", ("openai-chat",), "http://x", ("*",))


def named(*names: str) -> tuple[EndpointView, ...]:
    return tuple(replace(ONE, name=name) for name in names)


@pytest.mark.parametrize(
    ("endpoints", "words"),
    [
        ((DEMO,), "The demo model answers. Add your own provider."),
        ((), "The demo model answers. Add your own provider."),
        ((ONE, DEMO), "one answers."),
        (named("a", "b"), "a and b answer."),
        (named("a", "b", "c", "d", "e"), "a, b, c and 2 more answer."),
        ((replace(ONE, problem="no key"), DEMO), "one needs a look: no requests can go there."),
        ((*named("a"), replace(ONE, problem="x")), "a answers. one needs a look: no requests can go there."),
    ],
)
def test_who_answers_is_said_in_a_sentence(endpoints: tuple[EndpointView, ...], words: str) -> None:
    assert answering(endpoints).words == words


def test_the_button_says_what_it_leads_to() -> None:
    assert (answering((DEMO,)).action, answering((ONE,)).action) == ("Add endpoint…", "Endpoints…")
