from dataclasses import replace

import pytest
from tests.fakes.endpoint_service import DEMO
from tests.ui.endpoints.views import BUSY, FILED, KEYLESS, MINE

from callgate.engine.endpoints.endpoint_service import EndpointView, Examination
from callgate.ui.endpoints.detail import facts_of
from callgate.ui.endpoints.look import OUTCOME_LOOKS, UNFIT, key_words, look_of, models_words
from callgate.ui.theme.icons import ICONS


@pytest.mark.parametrize(
    ("view", "word"),
    [
        (DEMO, "Ready"),
        (FILED, "Reached"),
        (MINE, "Not asked yet"),
        (KEYLESS, "Needs a key"),
        (BUSY, "Asking"),
        (replace(MINE, key="client", problem="dialect is unknown"), "Needs attention"),
    ],
)
def test_every_state_has_a_word(view: EndpointView, word: str) -> None:
    assert look_of(view).word == word


def test_no_two_outcomes_look_the_same_without_colour() -> None:
    looks = [*OUTCOME_LOOKS.values(), UNFIT]
    assert len({look.word for look in looks}) == len(looks)
    assert all(look.icon in ICONS for look in looks)
    for outcome in OUTCOME_LOOKS:
        assert look_of(replace(MINE, examination=Examination(outcome, ""))) is OUTCOME_LOOKS[outcome]


def test_where_the_key_comes_from_is_said_never_the_key() -> None:
    assert key_words(FILED) == "from the environment variable OPENAI_API_KEY"
    assert key_words(MINE) == "in the keyring"
    assert key_words(replace(MINE, key="google")) == "Google's login on this machine"
    assert "your program's is passed on" in key_words(replace(MINE, key="client"))
    assert key_words(DEMO) == "none needed"


def test_facts_stand_in_the_order_in_which_one_asks() -> None:
    assert list(facts_of(MINE)) == ["Address", "Protocol", "Models", "Key", "Dialect", "From"]
    assert facts_of(DEMO)["Models"] == "every model, while there is no other endpoint"
    assert facts_of(replace(DEMO, models=("callgate-demo",)))["Models"] == "callgate-demo"
    assert models_words(replace(MINE, models=("x", "*"))) == "every model"
