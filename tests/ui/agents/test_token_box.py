"""The forms in which a token goes to a client."""

from callgate.ui.agents.token_box import forms


def test_without_an_address_the_usual_one_stands_in() -> None:
    assert forms("", "cg_x")[1] == ("Base URL for OpenAI clients", "http://127.0.0.1:8080/agent/cg_x/v1")
