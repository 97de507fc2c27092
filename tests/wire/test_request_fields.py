"""A wish to know how likely tokens were reaches every provider that can tell."""

from typing import Any

import pytest
from tests.wire.translate.test_request_losses import read

from callgate.core.request import WireName
from callgate.wire.dialects import DIALECTS, PLAIN, Dialect
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate

ASKED: dict[WireName, dict[str, Any]] = {
    "openai-chat": {"logprobs": True, "top_logprobs": 3},
    "openai-responses": {"include": ["message.output_text.logprobs"], "top_logprobs": 3},
    "gemini": {"generationConfig": {"responseLogprobs": True, "logprobs": 3}},
    "ollama": {"logprobs": True, "top_logprobs": 3},
}
PAIRS = [(client, provider) for client in ASKED for provider in ASKED if client != provider]


def written(client: WireName, provider: WireName, dialect: Dialect = PLAIN, **more: Any) -> tuple[dict[str, Any], str]:
    lowered = translate(read(client, **more), provider, "m", dialect)
    request = CODECS[provider].write_request(lowered.request, dialect)
    return request.body, "".join((*lowered.warnings, *request.warnings))


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_the_provider_is_asked_in_its_own_words(client: WireName, provider: WireName) -> None:
    body, warnings = written(client, provider, **ASKED[client])
    assert warnings == ""
    said = body["generationConfig"] if provider == "gemini" else body
    expected = ASKED[provider].get("generationConfig", ASKED[provider])
    for name, value in expected.items():
        assert set(value) <= set(said[name]) if name == "include" else said[name] == value


@pytest.mark.parametrize("client", ASKED)
def test_anthropic_has_no_word_for_it(client: WireName) -> None:
    body, warnings = written(client, "anthropic", **ASKED[client])
    assert "logprobs" not in str(body) and ("ogprobs" in warnings or "include" in warnings)


@pytest.mark.parametrize("client", ASKED)
def test_who_does_not_ask_is_not_told(client: WireName) -> None:
    assert CODECS[client].request_fields.logprobs(read(client).extras) is None
    provider: WireName = "gemini" if client != "gemini" else "openai-chat"
    assert "ogprobs" not in str(written(client, provider)[0])


def test_the_same_wire_says_it_as_the_client_did() -> None:
    for client, more in ASKED.items():
        request = read(client, **more)
        assert request.sampling.logprobs is None
        body = CODECS[client].write_request(translate(request, client, "m").request, PLAIN).body
        assert all(body[name] == value for name, value in more.items())


def test_what_else_is_included_is_still_named() -> None:
    more = {"include": ["message.output_text.logprobs", "web_search_call.action.sources"]}
    assert "include: gemini has no word for it" in written("openai-responses", "gemini", **more)[1]


def test_llama_cpp_is_not_asked_for_what_it_refuses() -> None:
    tools = [{"functionDeclarations": [{"name": "look"}]}]
    config = ASKED["gemini"]
    path: dict[str, Any] = {"model": "m", "stream": True}
    body = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}], "tools": tools, **config}
    llama = DIALECTS["llama.cpp"]
    lowered = translate(CODECS["gemini"].read_request(body, **path), "openai-chat", "m", llama)
    request = CODECS["openai-chat"].write_request(lowered.request, llama)
    assert "logprobs" not in request.body and "logprobs was left out" in "".join(request.warnings)
