"""Every official package over every provider's wire, plain and streamed: a whole tool loop, and nothing lost.

The services are as strict as the real ones and share no code with Callgate's codecs.
"""

from collections.abc import Iterator

import pytest
from tests.fakes.providers import scene
from tests.fakes.sdks.heard import Called, Heard, Tokens
from tests.fakes.translating import WIRES, Stage, stage

COUNTED = Tokens(scene.INPUT, scene.CACHED, scene.OUTPUT, scene.REASONED)
THINKS = ("openai-responses", "anthropic", "gemini")
"""Providers whose replies hold thinking with a proof."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("pairs")) as services, services.open() as opened:
        yield opened


@pytest.fixture(scope="module")
def table() -> Iterator[dict[tuple[str, str, bool], str]]:
    outcomes: dict[tuple[str, str, bool], str] = {}
    yield outcomes
    print(f"\n{'client':18}{'provider':18}{'plain':8}stream")
    for client in WIRES:
        for provider in WIRES:
            plain, streamed = (outcomes.get((client, provider, stream), "-") for stream in (False, True))
            print(f"{client:18}{provider:18}{plain:8}{streamed}")


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize("client", WIRES)
def test_a_tool_loop_survives_translation(
    played: Stage, table: dict[tuple[str, str, bool], str], client: str, provider: str, stream: bool
) -> None:
    table[client, provider, stream] = "FAILED"
    service = played.services[provider]
    service.asked.clear()
    service.refusals.clear()
    options = {"reasoning_effort": "medium"} if client == "openai-chat" and provider in THINKS[1:] else {}
    agent = played.agent(client, provider, stream=stream, **options)

    first = agent.say(scene.ASK)
    assert not service.refusals, service.refusals[0]
    weather, note = _check_calls(first, agent.finishes[0])
    assert first.id.startswith(agent.reply_prefix)
    if provider in THINKS and not (client == "openai-chat" and provider != "anthropic"):
        assert first.thinking == scene.THINKING

    second = agent.give({weather.id: scene.WEATHER_RESULT, note.id: scene.NOTE_RESULT})
    assert not service.refusals, service.refusals[0]
    assert (second.text, second.calls, second.finish) == (scene.FINAL, (), agent.finishes[1])
    assert _count(second.tokens) == _count(COUNTED)
    told = service.told(service.bodies[1])
    assert told.calls == [(call.id, call.name, call.arguments) for call in (weather, note)]
    assert told.results == {weather.id: scene.WEATHER_RESULT, note.id: scene.NOTE_RESULT}
    assert len(told.proofs) == (1 if provider in THINKS else 0)

    third = agent.say(scene.THANKS)
    assert not service.refusals, service.refusals[0]
    assert third.text == scene.WELCOME
    table[client, provider, stream] = "ok"


def _check_calls(heard: Heard, finish: str) -> tuple[Called, Called]:
    assert heard.text == scene.OPENING
    weather, note = heard.calls
    assert (weather.name, weather.arguments) == (scene.WEATHER, scene.WEATHER_ARGUMENTS)
    assert (note.name, note.arguments) == (scene.NOTE, scene.NOTE_ARGUMENTS)
    assert weather.id and note.id and weather.id != note.id
    assert heard.finish == finish
    assert _count(heard.tokens) == _count(COUNTED)
    return weather, note


def _count(tokens: Tokens) -> tuple[int, int, int]:
    return tokens.input, tokens.cached, tokens.output
