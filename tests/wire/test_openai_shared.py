"""What both of OpenAI's wires can say crosses between them, to servers that know it."""

from typing import Any

import pytest
from tests.wire.test_request_fields import written
from tests.wire.translate.test_request_losses import read

from callgate.core.request import WireName
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.openai_shared import in_responses, shared_fields

OPENAI = DIALECTS["openai"]
SAME = {
    "user": "ada",
    "service_tier": "flex",
    "prompt_cache_key": "k",
    "prompt_cache_retention": "24h",
    "safety_identifier": "s",
    "moderation": {"model": "omni-moderation-latest"},
}
SAID: dict[WireName, dict[str, Any]] = {
    "openai-chat": {**SAME, "verbosity": "low"},
    "openai-responses": {**SAME, "text": {"verbosity": "low"}},
}
PAIRS: list[tuple[WireName, WireName]] = [("openai-chat", "openai-responses"), ("openai-responses", "openai-chat")]


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_openai_itself_is_told_under_its_own_names(client: WireName, provider: WireName) -> None:
    body, warnings = written(client, provider, OPENAI, **SAID[client])
    assert warnings == ""
    assert SAID[provider].items() <= body.items()


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_a_server_of_which_nothing_is_known_is_not_told_and_the_loss_is_named(
    client: WireName, provider: WireName
) -> None:
    body, warnings = written(client, provider, PLAIN, **SAID[client])
    assert not {*SAME, "verbosity", "text"} & set(body)
    assert all(name in warnings for name in (*SAME, "verbosity"))


def test_the_shape_of_the_answer_stands_beside_its_verbosity() -> None:
    shape = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}}
    body, warnings = written("openai-chat", "openai-responses", OPENAI, verbosity="low", response_format=shape)
    assert warnings == ""
    assert body["text"]["verbosity"] == "low" and body["text"]["format"]["type"] == "json_schema"


def test_what_only_one_of_them_knows_is_still_named() -> None:
    _, warnings = written("openai-responses", "openai-chat", OPENAI, truncation="auto", text={"tone": "dry"}, user="u")
    assert "truncation" in warnings and "text.tone" in warnings and "user" not in warnings


@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai-chat"])
def test_other_pairs_share_nothing(target: WireName) -> None:
    assert shared_fields(read("openai-chat", **SAID["openai-chat"]), target, OPENAI) == {}


def test_verbosity_has_its_place_in_responses() -> None:
    assert in_responses({"user": "u"}) == {"user": "u"}
    assert in_responses({"verbosity": "high"}) == {"text": {"verbosity": "high"}}
