from dataclasses import replace

import pytest

from callgate.engine.endpoints.endpoint_service import EndpointView, Examination
from callgate.ui.connect.welcome import answering, model_to_ask_for

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


@pytest.mark.parametrize(
    ("endpoints", "model"),
    [
        ((DEMO,), "callgate-demo"),
        ((replace(ONE, problem="no key", models=("gpt-6",)), DEMO), "callgate-demo"),
        ((replace(ONE, models=("gpt-6", "o*")), DEMO), "gpt-6"),
        ((replace(ONE, models=("gpt-*",)), DEMO), "gpt-…"),
        ((ONE, DEMO), "…"),
        ((ONE, replace(ONE, name="two", models=("b",), is_default=True)), "b"),
        ((replace(ONE, examination=Examination("answers", "", models=("llama4:8b",))), DEMO), "llama4:8b"),
        ((replace(ONE, examination=Examination("answers", "", models=('x"); import os',))), DEMO), "…"),
    ],
)
def test_examples_name_a_model_that_answers(endpoints: tuple[EndpointView, ...], model: str) -> None:
    assert model_to_ask_for(endpoints) == model
