"""Every wire lists models in the shape that its own clients read."""

from typing import Any

import pytest

from callgate.core.json.text import dump_bytes
from callgate.core.request import WireName
from callgate.upstream.model_names import model_names
from callgate.wire.codec import ListedModel
from callgate.wire.registry import CODECS

MODELS = [ListedModel("gpt-x", "openai"), ListedModel("qwen3:8b", "local")]


@pytest.mark.parametrize("wire", CODECS)
def test_a_list_is_read_again_by_whoever_asks_an_endpoint_of_that_wire(wire: WireName) -> None:
    assert model_names(dump_bytes(CODECS[wire].write_models(MODELS))) == ("gpt-x", "qwen3:8b")
    assert model_names(dump_bytes(CODECS[wire].write_models([]))) == ()


@pytest.mark.parametrize(
    ("wire", "key", "value"),
    [
        ("openai-chat", "owned_by", "openai"),
        ("openai-responses", "id", "gpt-x"),
        ("anthropic", "display_name", "gpt-x"),
        ("gemini", "name", "models/gpt-x"),
        ("ollama", "capabilities", ["completion", "tools"]),
    ],
)
def test_one_model_is_told_in_the_words_of_its_wire(wire: WireName, key: str, value: Any) -> None:
    assert CODECS[wire].write_model(MODELS[0])[key] == value
