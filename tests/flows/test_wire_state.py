"""What clients leave to the server: chains of responses, stored responses, threads of messages; over any provider."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Literal

import anthropic
import httpx
import openai
import orjson
import pytest
from tests.fakes.providers import scene
from tests.fakes.providers.service import Service
from tests.fakes.sdks.anthropic_messages import BUDGET
from tests.fakes.sdks.heard import Heard
from tests.fakes.sdks.openai_responses import STATELESS, TOOLS
from tests.fakes.translating import MODELS, OLDER_MODELS, WIRES, Stage, stage

from callgate.core.events import WireCaptured

THREADS = "message-threads-2026-08-12"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path) as services:
        yield services
        assert not services.refusals(), services.refusals()[0]


def openai_of(stage: Stage) -> openai.OpenAI:
    return stage.keep(openai.OpenAI(base_url=f"{stage.address}/v1", api_key="sk-client", max_retries=0, timeout=10))


def anthropic_of(stage: Stage) -> anthropic.Anthropic:
    return stage.keep(anthropic.Anthropic(base_url=stage.address, api_key="sk-client", max_retries=0, timeout=10))


def outputs(response: Any) -> list[Any]:
    results = {scene.WEATHER: scene.WEATHER_RESULT, scene.NOTE: scene.NOTE_RESULT}
    return [
        {"type": "function_call_output", "call_id": item.call_id, "output": results[item.name]}
        for item in response.output
        if item.type == "function_call"
    ]


def requests(stage: Stage) -> list[dict[str, Any]]:
    """What clients have sent to the station."""
    captured = [event for event in stage.runtime.events if isinstance(event, WireCaptured)]
    return [orjson.loads(event.data) for event in captured if event.leg == "client_request"]


def check_history(service: Service, body: dict[str, Any]) -> None:
    told = service.told(body)
    assert [(name, arguments) for _, name, arguments in told.calls] == [
        (scene.WEATHER, scene.WEATHER_ARGUMENTS),
        (scene.NOTE, scene.NOTE_ARGUMENTS),
    ]
    assert list(told.results.values()) == [scene.WEATHER_RESULT, scene.NOTE_RESULT]


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("provider", ["openai-chat", "anthropic", "gemini"])
def test_a_chain_of_responses_goes_on_and_survives_a_restart(played: Stage, provider: str, stream: bool) -> None:
    service = played.services[provider]
    asked: dict[str, Any] = {
        "model": MODELS[provider],
        "tools": TOOLS,
        "reasoning": {"effort": "low"},
        "stream": stream,
    }
    if provider == "openai-chat":
        del asked["reasoning"]
    with played.open():
        sdk = openai_of(played)
        first = _ask(sdk, input=scene.ASK, instructions="Be brief.", **asked)
        second = _ask(sdk, input=outputs(first), previous_response_id=first.id, **asked)
        assert second.output_text == scene.FINAL
        assert second.previous_response_id == first.id
        check_history(service, service.bodies[-1])
        assert "Be brief" in str(service.bodies[0]) and "Be brief" not in str(service.bodies[1])
        told = _ask(sdk, input=outputs(first), previous_response_id=first.id, instructions="Be kind.", **asked)
        assert told.output_text == scene.FINAL
        check_history(service, service.bodies[-1])
        assert "Be kind" in str(service.bodies[-1]) and told.instructions == "Be kind."
    with played.open():
        sdk = openai_of(played)
        third = _ask(sdk, input=scene.THANKS, previous_response_id=second.id, **asked)
        assert third.output_text == scene.WELCOME
        check_history(service, service.bodies[-1])
        branch = _ask(sdk, input=outputs(first), previous_response_id=first.id, **asked)
        assert branch.output_text == scene.FINAL
        stored = sdk.responses.retrieve(second.id)
        assert (stored.id, stored.output_text, stored.status) == (second.id, scene.FINAL, "completed")
        assert stored.usage.total_tokens == scene.INPUT + scene.OUTPUT
        assert [item.type for item in sdk.responses.retrieve(first.id).output] == [item.type for item in first.output]


def _ask(sdk: openai.OpenAI, *, stream: bool, **asked: Any) -> Any:
    if not stream:
        return sdk.responses.create(**asked)
    with sdk.responses.stream(**asked) as events:
        return events.get_final_response()


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("first_provider", WIRES)
def test_items_are_found_by_reference_whoever_said_them_and_whoever_goes_on(
    played: Stage, first_provider: str, stream: bool
) -> None:
    """As the package `ai` does where replies are stored: it sends the id of every item instead of the item."""
    with played.open():
        sdk = openai_of(played)
        asked = {"model": MODELS[first_provider], "tools": TOOLS, "stream": stream}
        first = _ask(sdk, input=scene.ASK, **asked)
        kinds = [item.type for item in first.output if item.type != "reasoning"]
        assert kinds == ["message", "function_call", "function_call"]
        asking = [{"role": "user", "content": scene.ASK}, *references(first), *outputs(first)]
        for provider in {*WIRES[:3], first_provider}:  # this Gemini takes no calls in mid-turn that it has not signed
            service = played.services[provider]
            second = _ask(sdk, input=asking, **(asked | {"model": MODELS[provider]}))
            assert not played.refusals(), (provider, played.refusals()[0])
            assert second.output_text == scene.FINAL, provider
            check_history(service, service.bodies[-1])
            assert scene.OPENING in spelled(service.bodies[-1]), provider
            thanking = [*asking, *references(second), {"role": "user", "content": scene.THANKS}]
            third = _ask(sdk, input=thanking, **(asked | {"model": MODELS[provider]}))
            assert not played.refusals(), (provider, played.refusals()[0])
            assert third.output_text == scene.WELCOME, provider
            assert scene.FINAL in spelled(service.bodies[-1]), provider
    with played.open():  # after a restart
        service = played.services["anthropic"]
        again = _ask(openai_of(played), input=asking, **(asked | {"model": MODELS["anthropic"]}))
        assert again.output_text == scene.FINAL
        assert scene.OPENING in spelled(service.bodies[-1])


def references(response: Any) -> list[Any]:
    return [{"type": "item_reference", "id": item.id} for item in response.output]


def spelled(body: dict[str, Any]) -> str:
    return orjson.dumps(body).decode()


def test_an_unknown_response_is_refused_as_openai_does(played: Stage) -> None:
    with played.open():
        sdk = openai_of(played)
        for provider in ("openai-chat", "anthropic", "gemini"):
            with pytest.raises(openai.BadRequestError) as caught:
                sdk.responses.create(model=MODELS[provider], input="Hi", previous_response_id="resp_none")
            assert caught.value.code == "previous_response_not_found"
            assert caught.value.param == "previous_response_id"
            assert not played.services[provider].asked
        with pytest.raises(openai.NotFoundError, match="resp_none"):
            sdk.responses.retrieve("resp_none")


def test_what_must_not_be_stored_is_not_stored(played: Stage) -> None:
    with played.open():
        sdk = openai_of(played)
        kept_not = sdk.responses.create(model=MODELS["anthropic"], input=scene.THANKS, store=False)
        assert kept_not.output_text == scene.WELCOME
        with pytest.raises(openai.NotFoundError):
            sdk.responses.retrieve(kept_not.id)
        with pytest.raises(openai.BadRequestError, match="not found"):
            sdk.responses.create(model=MODELS["anthropic"], input="Hi", previous_response_id=kept_not.id)


def test_a_chain_goes_on_after_the_provider_was_changed(played: Stage) -> None:
    """The proofs of one provider must not reach the next."""
    with played.open():
        sdk = openai_of(played)
        previous: Any = None
        for provider in ("anthropic", "openai-chat", "gemini", "openai-responses", "anthropic"):
            first = sdk.responses.create(
                model=MODELS[provider],
                input=scene.ASK,
                tools=TOOLS,
                previous_response_id=previous,
                include=STATELESS["include"],
            )
            second = sdk.responses.create(
                model=MODELS[provider], input=outputs(first), tools=TOOLS, previous_response_id=first.id
            )
            assert second.output_text == scene.FINAL, provider
            assert not played.refusals(), played.refusals()[0]
            previous = second.id


@pytest.mark.parametrize("wire", WIRES)
def test_a_client_that_keeps_its_history_may_change_the_provider(played: Stage, wire: str) -> None:
    with played.open():
        agent = played.agent(wire, "gemini")
        for provider in ("gemini", "anthropic", "openai-chat", "openai-responses", "gemini", "anthropic"):
            agent.turn_to(MODELS[provider])
            heard = agent.say(scene.ASK)
            results = {call.id: scene.WEATHER_RESULT for call in heard.calls}
            assert len(results) == 2 and agent.give(results).text == scene.FINAL, provider
            assert not played.refusals(), played.refusals()[0]


def test_a_loop_of_any_client_over_any_provider_survives_a_restart_between_call_and_result(played: Stage) -> None:
    loops: dict[tuple[str, str], tuple[Any, Heard]] = {}
    with played.open():
        for client, provider in product(WIRES, WIRES):
            thinks = client == "openai-chat" and provider != "openai-chat"
            options = (
                {"reasoning_effort": "medium"} if thinks else {"thinking": BUDGET} if client == "anthropic" else {}
            )
            model = OLDER_MODELS["anthropic"] if provider == "anthropic" else MODELS[provider]
            agent = played.agent(client, model=model, stream=True, **options)
            loops[client, provider] = agent, agent.say(scene.ASK)
    with played.open():
        for pair, (agent, heard) in loops.items():
            answer = agent.give({call.id: scene.WEATHER_RESULT for call in heard.calls})
            assert not played.refusals(), (pair, played.refusals()[0])
            assert answer.text == scene.FINAL, pair
            service = played.services[pair[1]]
            assert len(service.told(service.bodies[-1]).proofs) == (pair[1] != "openai-chat"), pair


def test_a_denied_call_stays_in_a_chain_that_the_server_keeps(tmp_path: Path) -> None:
    rule = '[[rules]]\nverdict = "deny"\ntool = "find_note"\nnote = "Notes are private"\n'
    for provider in ("openai-chat", "openai-responses"):
        folder = tmp_path / provider
        folder.mkdir()
        with stage(folder, rule) as services, services.open() as denied:
            sdk = openai_of(denied)
            asked: dict[str, Any] = {"model": MODELS[provider], "tools": TOOLS}
            first = sdk.responses.create(input=scene.ASK, **asked)
            assert [call["call_id"] for call in outputs(first)] == [first.output[-1].call_id]
            second = sdk.responses.create(input=outputs(first), previous_response_id=first.id, **asked)
            third = sdk.responses.create(input=scene.THANKS, previous_response_id=second.id, **asked)
            assert (second.output_text, third.output_text) == (scene.FINAL, scene.WELCOME)
            assert not denied.refusals(), denied.refusals()[0]
            service = denied.services[provider]
            weather, note = service.told(service.bodies[1]).results.values()
            assert weather == scene.WEATHER_RESULT and "Notes are private" in note


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("provider", ["openai-chat", "gemini"])
def test_a_thread_of_messages_goes_on_over_a_provider_that_has_none(played: Stage, provider: str, stream: bool) -> None:
    """The package's own tool runner sends only the results, without tools and system prompt."""
    ran: list[dict[str, Any]] = []

    @anthropic.beta_tool(name=scene.WEATHER, input_schema=scene.WEATHER_SCHEMA)
    def weather(**arguments: Any) -> str:
        ran.append(arguments)
        return scene.WEATHER_RESULT

    @anthropic.beta_tool(name=scene.NOTE, input_schema=scene.NOTE_SCHEMA)
    def note(**arguments: Any) -> str:
        ran.append(arguments)
        return scene.NOTE_RESULT

    service = played.services[provider]
    with played.open():
        sdk = anthropic_of(played)
        runner = sdk.beta.messages.tool_runner(
            model=MODELS[provider],
            max_tokens=2048,
            system="Be brief.",
            messages=[{"role": "user", "content": scene.ASK}],
            tools=[weather, note],
            stream=stream,
        )
        if stream:
            finals = [events.get_final_message() for events in runner]
        else:
            finals = list(runner)
        last = requests(played)[-1]
        assert last["thread"]["type"] == "continue" and "tools" not in last and "system" not in last
        assert [message["role"] for message in last["messages"]] == ["user"], "only the results were sent"
    assert "".join(block.text for block in finals[-1].content if block.type == "text") == scene.FINAL
    assert ran == [scene.WEATHER_ARGUMENTS, scene.NOTE_ARGUMENTS]
    assert len(service.bodies) == 2
    check_history(service, service.bodies[1])
    assert "Be brief" in str(service.bodies[1]), "the thread keeps its system prompt"
    assert scene.WEATHER in str(service.bodies[1].get("tools"))


def test_an_unknown_thread_is_refused_so_that_the_package_sends_everything(played: Stage) -> None:
    with played.open():
        body = {
            "model": MODELS["openai-chat"],
            "max_tokens": 100,
            "messages": [{"role": "user", "content": "Hi"}],
            "thread": {"type": "continue", "previous_message_id": "msg_none"},
        }
        headers = {"anthropic-version": "2026-10-21", "anthropic-beta": THREADS, "x-api-key": "k"}
        answer = httpx.post(f"{played.address}/v1/messages?beta=true", json=body, headers=headers, timeout=10)
        assert answer.status_code == 404
        error = answer.json()["error"]
        assert error["type"] == "not_found_error"
        assert error["details"]["error_code"] == "thread_not_found"


@pytest.mark.parametrize("unsupported", ["error", "continue_unthreaded"])
def test_a_thread_that_is_lost_is_sent_again_as_a_whole(
    played: Stage, tmp_path: Path, unsupported: Literal["error", "continue_unthreaded"]
) -> None:
    service = played.services["openai-chat"]
    with played.open():
        sdk = anthropic.Anthropic(base_url=played.address, api_key="sk-client", max_retries=0, timeout=10)
        thread = sdk.beta.messages.thread(
            model=MODELS["openai-chat"], max_tokens=100, unsupported_request_behavior=unsupported
        )
        assert thread.send({"role": "user", "content": scene.THANKS}).content[0].text == scene.WELCOME
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Stage(elsewhere, played.services).open() as other:
        sdk.base_url = other.address
        assert thread.send({"role": "user", "content": scene.THANKS}).content[0].text == scene.WELCOME
        assert [request["thread"] for request in requests(other)] == [{"type": "create"}]
        assert thread.send({"role": "user", "content": scene.THANKS}).content[0].text == scene.WELCOME
        assert requests(other)[-1]["thread"]["type"] == "continue", "and it is a thread again"
    told = [[message["role"] for message in body["messages"]] for body in service.bodies[-2:]]
    assert told == [["user", "assistant", "user"], ["user", "assistant", "user", "assistant", "user"]]
    sdk.close()
