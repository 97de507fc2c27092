"""Python's agent frameworks over every provider's wire: whole tool loops, and what happens at their edges."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
from tests.agents.framework import FRAMEWORKS, Framework, Held, Scripts
from tests.agents.outcome_table import ERRAND
from tests.agents.scripts.conversation import PIXEL
from tests.fakes.providers import endings, failures, scene
from tests.fakes.providers.service import Asked, Reply, Service
from tests.fakes.translating import MODELS, WIRES, Stage, stage

pytestmark = [pytest.mark.agents, pytest.mark.timeout(180)]
each_way = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
each_provider = pytest.mark.parametrize("provider", WIRES)
PAIRS = [(framework, wire) for framework in FRAMEWORKS.values() for wire in framework.wires]


def each(wanted: Callable[[str, str], bool] = lambda name, wire: True) -> pytest.MarkDecorator:
    """Each framework with each of its wires, as far as wanted."""
    pairs = [(framework, wire) for framework, wire in PAIRS if wanted(framework.name, wire)]
    return pytest.mark.parametrize(("framework", "wire"), pairs, ids=[f"{one.name}-{wire}" for one, wire in pairs])


each_framework = each()
COUNTS = ("langchain", "litellm", "openai", "pydantic")
"""Those that tell the tokens of the last reply alone, and reasoning among those of the output."""
THINKS_UNASKED = ("openai-responses", "gemini")
OVERFLOWS = {
    "langchain": "ContextOverflowError",
    "litellm": "ContextWindowExceededError",
    "pydantic": "ModelContextWindowExceededError",
    "strands": "ContextWindowOverflowException",
}
"""The frameworks' own classes for a prompt that is too long."""
UNKNOWN_OVERFLOWS = {
    *(("langchain", wire, provider) for wire in WIRES[:2] for provider in WIRES[:2]),
    ("litellm", "openai-chat", "openai-responses"),
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("pairs")) as services, services.open() as running:
        yield running


class Table:
    """Where a framework sits down with a provider."""

    def __init__(self, played: Stage, scripts: Scripts, patch: pytest.MonkeyPatch, tell: Callable[..., None]) -> None:
        self.stage, self._scripts, self._patch, self._tell = played, scripts, patch, tell

    def seat(self, framework: Framework, wire: str, provider: str, what: str, *, stream: bool) -> Service:
        self._tell(ERRAND, [f"{framework.name} {wire}", f"{what} {'stream' if stream else 'plain'}", provider])
        framework.skip_unable(wire, provider, stream=stream)
        service = self.stage.services[provider]
        if wire == provider:  # what it says to its own provider is between the two of them
            self._patch.setattr(service, "check", lambda asked: None)
        return service

    def hold(self, framework: Framework, wire: str, provider: str, *, stream: bool, **more: Any) -> Held:
        errand = {
            "wire": wire,
            "address": self.stage.address,
            "model": MODELS[provider],
            "stream": stream,
            "thinks": provider != "openai-chat",
            "tools": "two",
            "says": [{"text": scene.ASK}],
        }
        held = self._scripts.of(framework).hold(**errand | more)
        assert not self.stage.refusals(), self.stage.refusals()[0]
        return held


@pytest.fixture
def table(
    opened: Stage,
    running_scripts: Scripts,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> Table:
    for service in opened.services.values():
        service.asked.clear()
        service.refusals.clear()
        service.next.clear()
    return Table(opened, running_scripts, monkeypatch, record_property)


@each_way
@each_provider
@each_framework
def test_a_tool_loop_is_completed_and_the_conversation_goes_on(
    table: Table, framework: Framework, wire: str, provider: str, stream: bool
) -> None:
    service = table.seat(framework, wire, provider, "tool loop", stream=stream)
    held = table.hold(framework, wire, provider, stream=stream, says=[{"text": scene.ASK}, {"text": scene.THANKS}])
    assert held.error is None, held.error
    assert "".join(held.replies).endswith(scene.FINAL + scene.WELCOME)
    ran = {run["name"]: run["arguments"] for run in held.runs}
    assert len(held.runs) == 2 and ran == {scene.WEATHER: scene.WEATHER_ARGUMENTS, scene.NOTE: scene.NOTE_ARGUMENTS}
    words = ["Regen ☔", *scene.NOTE_RESULT.split()]
    answered = next(body for body in service.bodies if all(word in str(body) for word in words))
    if framework.name in COUNTS:
        assert str(scene.INPUT) in str(held.usage) and str(scene.OUTPUT) in str(held.usage)
    if provider not in (wire, framework.bridges.get(wire)):
        told = service.told(answered)
        assert len(told.calls) == len(told.results) == 2
        assert len(told.proofs) == (
            provider in THINKS_UNASKED or (provider == "anthropic" and wire in framework.thinks)
        )


@each_way
@each_provider
def test_results_as_words_and_an_answer_as_a_call(
    table: Table, running_scripts: Scripts, provider: str, stream: bool
) -> None:
    smolagents = Framework("smolagents", "older", ("openai-chat",))
    service = table.seat(smolagents, "openai-chat", provider, "tool loop", stream=stream)
    service.next += [
        endings.calls(service, [(scene.WEATHER, scene.WEATHER_ARGUMENTS), (scene.NOTE, scene.NOTE_ARGUMENTS)], stream),
        endings.calls(service, [("final_answer", {"answer": scene.FINAL})], stream),
    ]
    held = table.hold(smolagents, "openai-chat", provider, stream=stream)
    assert (held.error, held.replies) == (None, [scene.FINAL])
    assert {str(run["arguments"]) for run in held.runs} == {str(scene.WEATHER_ARGUMENTS), str(scene.NOTE_ARGUMENTS)}
    assert "Regen ☔" in str(service.bodies[1])


@each_provider
@each(lambda name, wire: name != "crewai" and (name, wire) not in (("litellm", "gemini"), ("llama", "gemini")))
def test_calls_without_arguments_are_run_with_none(
    table: Table, framework: Framework, wire: str, provider: str
) -> None:
    """Not by those that do not bear such calls of their own providers."""
    if framework.name == "llama" and wire == provider == "openai-chat":
        pytest.skip("llama takes what comes late of an earlier call for another one")
    service = table.seat(framework, wire, provider, "no arguments", stream=True)
    service.next.append(endings.bare_calls(service, stream=True))
    held = table.hold(framework, wire, provider, stream=True, tools="bare")
    assert held.error is None, held.error
    assert {str(run["arguments"]) for run in held.runs} == {"{}"}
    assert scene.FINAL in held.replies[0]


@each_provider
@each(lambda name, wire: name not in ("autogen", "crewai", "llm"))  # AutoGen spells it anew, the others see none here
def test_a_picture_arrives(table: Table, framework: Framework, wire: str, provider: str) -> None:
    service = table.seat(framework, wire, provider, "a picture", stream=True)
    held = table.hold(framework, wire, provider, stream=True, says=[{"text": scene.ASK, "image": True}])
    assert held.error is None, held.error
    assert PIXEL in str(service.bodies[0]).replace("-", "+").replace("_", "/")  # Google's package has its own alphabet


@each_provider
@each(lambda name, wire: name not in ("crewai", "llm", "pydantic") and (name, wire) != ("llama", "gemini"))
def test_a_full_provider_is_asked_again(table: Table, framework: Framework, wire: str, provider: str) -> None:
    """The others do not, or in their own time."""
    service = table.seat(framework, wire, provider, "429", stream=False)
    full = failures.failure(provider, 429)
    soon = {name: "1" if name == "retry-after" else value for name, value in full.headers.items()}
    service.next.append(replace(full, body=full.body.replace(b'"34s"', b'"1s"'), headers=soon))
    held = table.hold(framework, wire, provider, stream=False, retries=2)
    assert held.error is None, held.error
    assert scene.FINAL in held.replies[0]
    assert [body for body in service.bodies if body == service.bodies[0]] == [service.bodies[0]] * 2


@each_provider
@each(lambda name, wire: name != "crewai" and (name, wire) not in (("llama", "openai-responses"), ("llama", "gemini")))
def test_a_reply_that_breaks_off_is_an_error(table: Table, framework: Framework, wire: str, provider: str) -> None:
    """CrewAI asks again, LlamaIndex does so of Gemini; of a response it overlooks that it failed, whoever says so."""
    service = table.seat(framework, wire, provider, "broken off", stream=True)
    service.next.append(replace(_streamed(service), cut=True))
    held = table.hold(framework, wire, provider, stream=True)
    assert held.error is not None and not held.runs


@each_provider
@each(lambda name, wire: name in OVERFLOWS)
def test_too_long_a_prompt_is_known_as_one(table: Table, framework: Framework, wire: str, provider: str) -> None:
    if (framework.name, wire, provider) in UNKNOWN_OVERFLOWS:
        pytest.skip("it does not know its own provider's words")
    service = table.seat(framework, wire, provider, "too long", stream=False)
    service.next.append(failures.failure(provider, 400, failures.OVERFLOWS[provider]))
    held = table.hold(framework, wire, provider, stream=False)
    assert held.error is not None and OVERFLOWS[framework.name] in held.error["kinds"]


def _streamed(service: Service) -> Reply:
    """The reply with the calls."""
    body = {"stream": True, "model": MODELS[service.wire], "messages": [{"role": "user", "content": scene.ASK}]}
    body |= {"input": scene.ASK, "contents": [{"role": "user", "parts": [{"text": scene.ASK}]}]}
    return service.answer(
        Asked("POST", f"/v1beta/models/{MODELS['gemini']}:streamGenerateContent", {}, orjson.dumps(body))
    )
