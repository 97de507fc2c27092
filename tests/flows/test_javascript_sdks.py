"""The official JavaScript packages over every provider's wire, plain and streamed, with their own tool runners."""

from collections.abc import Callable, Iterable, Iterator

import pytest
from tests.depth import pairwise
from tests.fakes.javascript_agents import JavaScriptAgents, javascript_agents
from tests.fakes.pair_table import PAIR
from tests.fakes.providers import endings, failures, scene
from tests.fakes.providers.gemini import GeminiService
from tests.fakes.translating import MODELS, WIRES, Stage, stage

LENGTH = {
    "openai responses": "max_output_tokens",
    "anthropic": "max_tokens",
    "genai chats": "MAX_TOKENS",
    "ai openai": "length",
    "ai compatible": "length",
    "ai anthropic": "length",
    "ai google": "length",
}
"""Each package's word for a reply that was cut short; openai's runner for Chat raises an error of its own."""
CLIENTS = [*LENGTH, "openai chat", "anthropic runner", "genai callable", "ai openai unstored", "ai openai chat"]
BARE = {"name": endings.BARE, "description": "List", "schema": {"type": "object", "properties": {}}, "result": "none"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def each(clients: Iterable[str]) -> pytest.MarkDecorator:
    """With each provider; in a short run each of these pairs is only streamed or only not."""
    return pytest.mark.parametrize(("client", "provider", "stream"), pairwise(tuple(clients), WIRES, (False, True)))


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaScriptAgents]:
    with javascript_agents(tmp_path_factory.mktemp("javascript")) as opened:
        yield opened


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("pairs")) as services, services.open() as running:
        yield running


@pytest.fixture
def played(opened: Stage) -> Stage:
    for service in opened.services.values():
        service.asked.clear()
        service.refusals.clear()
        service.next.clear()
        if isinstance(service, GeminiService):
            service.joins_turns = True
    return opened


@each(CLIENTS)
def test_a_tool_loop_survives_translation(
    agents: JavaScriptAgents,
    played: Stage,
    record_property: Callable[[str, object], None],
    client: str,
    provider: str,
    stream: bool,
) -> None:
    record_property(PAIR, [client, provider, stream])
    says = [{"text": scene.ASK}, {"text": scene.THANKS}]
    thinks = provider != "openai-chat"
    got = agents.play(client, played.address, MODELS[provider], stream=stream, thinks=thinks, says=says)
    assert not played.refusals(), played.refusals()[0]
    assert got.error is None
    assert "".join(reply["text"] for reply in got.replies).endswith(scene.FINAL + scene.WELCOME)
    assert [run["arguments"] for run in got.runs] == [scene.WEATHER_ARGUMENTS, scene.NOTE_ARGUMENTS]
    service = played.services[provider]
    told = service.told(service.bodies[1])
    if client != "ai google":  # it wraps a result in an object of its own, which goes on as it is
        assert list(told.results.values()) == [scene.WEATHER_RESULT, scene.NOTE_RESULT]
    kept_there = (client, provider) in (("anthropic runner", "anthropic"), ("ai openai", "openai-responses"))
    assert kept_there or len(told.proofs) == (1 if thinks else 0)


@each(client for client in CLIENTS if client != "anthropic runner")
def test_calls_without_arguments_run_with_none_and_the_picture_arrives(
    agents: JavaScriptAgents, played: Stage, client: str, provider: str, stream: bool
) -> None:
    service = played.services[provider]
    service.next.append(endings.bare_calls(service, stream=stream))
    says = [{"text": scene.ASK, "image": PIXEL}]
    thinks = provider != "openai-chat"
    got = agents.play(client, played.address, MODELS[provider], stream=stream, thinks=thinks, says=says, tools=[BARE])
    assert not played.refusals(), played.refusals()[0]
    assert got.error is None
    assert [run["arguments"] for run in got.runs] == [{}, {}]
    assert PIXEL in str(service.bodies[0])


@each(LENGTH)
def test_a_reply_that_is_cut_short_says_so(
    agents: JavaScriptAgents, played: Stage, client: str, provider: str, stream: bool
) -> None:
    service = played.services[provider]
    service.next.append(endings.cut_short(service, stream=stream))
    got = agents.play(client, played.address, MODELS[provider], stream=stream, thinks=provider != "openai-chat")
    assert got.error is None
    assert [(reply["text"], reply["finish"]) for reply in got.replies] == [(scene.OPENING, LENGTH[client])]


@each(CLIENTS)
def test_a_refused_request_is_raised_with_its_status_and_words(
    agents: JavaScriptAgents, played: Stage, client: str, provider: str, stream: bool
) -> None:
    played.services[provider].next.append(failures.failure(provider, 429))
    got = agents.play(client, played.address, MODELS[provider], stream=stream, thinks=provider != "openai-chat")
    assert got.error is not None and got.error["status"] == 429
    assert failures.WORDS in got.error["message"]
