"""Gemini's proof, both ways."""

import pytest

from callgate.core.messages import Json
from callgate.wire.openai_chat.thought_signature import read_signature, write_signature


def test_a_proof_survives() -> None:
    assert read_signature(write_signature("c2ln")) == "c2ln"


@pytest.mark.parametrize("other", [None, {}, {"google": None}, {"google": {"thought_signature": 5}}, {"vendor": {}}])
def test_anything_else_is_no_proof(other: Json) -> None:
    assert read_signature(other) == ""
