"""Every official package over every provider's wire, plain and streamed: a whole tool loop, and nothing lost.

The services are as strict as the real ones and share no code with Callgate's codecs.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.genai import types
from tests.depth import pairwise
from tests.fakes.pair_table import PAIR
from tests.fakes.providers import scene
from tests.fakes.providers.ollama import OllamaService
from tests.fakes.providers.service import Service
from tests.fakes.sdks.anthropic_messages import BUDGET
from tests.fakes.sdks.heard import Agent, Called, Heard, Tokens
from tests.fakes.translating import ALL_WIRES, OLDER_MODELS, WIRES, Stage, stage

COUNTED = Tokens(scene.INPUT, scene.CACHED, scene.OUTPUT, scene.REASONED)
THINKS = ("openai-responses", "anthropic", "gemini")
"""Providers whose replies hold thinking with a proof."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("pairs")) as services, services.open() as opened:
        yield opened


@pytest.fixture(autouse=True)
def fresh_services(played: Stage) -> None:
    for service in played.services.values():
        service.asked.clear()
        service.refusals.clear()


@pytest.mark.parametrize(("client", "provider", "stream"), pairwise(ALL_WIRES, ALL_WIRES, (False, True)))
def test_a_tool_loop_survives_translation(
    played: Stage, record_property: Callable[[str, object], None], client: str, provider: str, stream: bool
) -> None:
    record_property(PAIR, [client, provider, stream])
    options: dict[str, Any] = {"reasoning_effort": "medium"} if client == "openai-chat" and provider in THINKS else {}
    if client == "gemini" and provider != "gemini":
        options = {"piecewise": True}
    if client == "ollama" and provider in THINKS:
        options = {"think": True}
    agent = played.agent(client, provider, stream=stream, **options)
    first = _play(agent, played.services[provider])
    assert first.id.startswith(agent.reply_prefix)
    if provider in THINKS:
        assert first.thinking == scene.THINKING


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("client", ["ollama", "openai-chat"])
def test_a_tool_loop_survives_a_server_that_names_its_calls(played: Stage, client: str, stream: bool) -> None:
    service = played.services["ollama"]
    assert isinstance(service, OllamaService)
    service.identifies_calls = True
    try:
        _play(played.agent(client, "ollama", stream=stream), service)
    finally:
        service.identifies_calls = False


def test_thinking_is_shown_to_those_that_ask_for_it(played: Stage) -> None:
    agent = played.agent("ollama", "ollama", stream=True, think=True)
    assert _play(agent, played.services["ollama"]).thinking == scene.THINKING


@pytest.mark.parametrize("provider", OLDER_MODELS)
@pytest.mark.parametrize("client", WIRES)
def test_a_tool_loop_survives_translation_for_older_models_too(played: Stage, client: str, provider: str) -> None:
    thinking = types.ThinkingConfig(include_thoughts=True, thinking_budget=2048)
    options: dict[str, dict[str, Any]] = {
        "openai-chat": {"reasoning_effort": "medium"},
        "anthropic": {"thinking": BUDGET},
        "gemini": {"thinking_config": thinking},
    }
    model = OLDER_MODELS[provider]
    agent = played.agent(client, stream=client != "anthropic", model=model, **options.get(client, {}))
    assert _play(agent, played.services[provider]).thinking == scene.THINKING


def _play(agent: Agent, service: Service) -> Heard:
    """Question, two calls, two results, answer, thanks; the reply with the calls."""
    first = agent.say(scene.ASK)
    assert not service.refusals, service.refusals[0]
    weather, note = _check_calls(first, agent.finishes[0])
    _check_tokens(first, service)

    second = agent.give({weather.id: scene.WEATHER_RESULT, note.id: scene.NOTE_RESULT})
    assert not service.refusals, service.refusals[0]
    assert (second.text, second.calls, second.finish) == (scene.FINAL, (), agent.finishes[1])
    _check_tokens(second, service)
    told = service.told(service.bodies[1])
    assert [call[1:] for call in told.calls] == [(call.name, call.arguments) for call in (weather, note)]
    assert list(told.results.values()) == [scene.WEATHER_RESULT, scene.NOTE_RESULT]
    if told.calls[0][0] and first.id:  # older Gemini models, and clients of Ollama, know no ids
        assert [call[0] for call in told.calls] == list(told.results) == [weather.id, note.id]
    assert len(told.proofs) == (1 if service.wire in THINKS else 0)

    third = agent.say(scene.THANKS)
    assert not service.refusals, service.refusals[0]
    assert third.text == scene.WELCOME
    return first


def _check_calls(heard: Heard, finish: str) -> tuple[Called, Called]:
    assert heard.text == scene.OPENING
    weather, note = heard.calls
    assert (weather.name, weather.arguments) == (scene.WEATHER, scene.WEATHER_ARGUMENTS)
    assert (note.name, note.arguments) == (scene.NOTE, scene.NOTE_ARGUMENTS)
    assert weather.id and note.id and weather.id != note.id
    assert heard.finish == finish
    return weather, note


def _check_tokens(heard: Heard, service: Service) -> None:
    """Ollama's wire counts neither what was cached nor the reasoning."""
    if service.wire == "ollama" or not heard.id:
        assert (heard.tokens.input, heard.tokens.output) == (scene.INPUT, scene.OUTPUT)
    else:
        assert heard.tokens == COUNTED
