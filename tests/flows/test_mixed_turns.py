"""One turn of a model, every call of it decided otherwise: approved, edited, denied, answered.

On every wire the client sees a well-formed turn with only what it may run, and the model a history in which nothing is
missing, also after the program was started anew in between.
"""

import threading
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.providers import scene
from tests.fakes.providers.service import Service
from tests.fakes.running import RunningStation
from tests.fakes.sdks.heard import Agent, Heard
from tests.fakes.translating import MODELS, WIRES, Stage, stage

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event, InvocationChanged
from callgate.wire.gemini_generate.signatures import SKIP

ASKING = '[gate]\nclient_tools = "ask"\n'
CITY, EDITED = {"city": "Zürich"}, {"city": "Genf 🌊"}
PRIVATE, KNOWN = {"query": "private"}, {"query": "known"}
DECISIONS = {
    "Zürich": Decision("approve", arguments=scene.written(EDITED)),
    "private": Decision("deny", reason="Notes are private"),
    "known": Decision("answer", result="42, says the person"),
}
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])


def will_call(service: Any, stream: bool, *calls: tuple[str, dict[str, Any]]) -> None:
    """The next answer of a service holds these calls."""
    numbered = [(f"{service.number():04}", name, arguments) for name, arguments in calls]
    body: dict[str, Any] = {"stream": stream, "model": MODELS[service.wire]}
    match service.wire:
        case "openai-chat":
            body |= {"tools": [], "stream_options": {"include_usage": True}}
            called = [(f"call_m{number}", name, scene.written(given)) for number, name, given in numbered]
            service.next.append(service.reply(body, scene.OPENING, called))
        case "openai-responses":
            body |= {"input": scene.ASK, "store": False, "include": ["reasoning.encrypted_content"]}
            items = [service.function_call(f"call_m{n}", name, scene.written(given)) for n, name, given in numbered]
            service.next.append(service.reply(body, [service.thought(body), service.message(scene.OPENING), *items]))
        case "anthropic":
            uses = [service.tool_use(f"toolu_m{number}", name, given) for number, name, given in numbered]
            service.next.append(
                service.reply(body, [service.thought(), {"type": "text", "text": scene.OPENING}, *uses])
            )
        case _:
            parts = [{"functionCall": {"name": name, "args": given, "id": f"m{n}"}} for n, name, given in numbered]
            signed = service.signing([{"text": scene.OPENING}, *parts], 1)
            service.next.append(service.reply_to(signed, stream=stream))


def expect_unproven(service: Any, call_id: str) -> None:
    """Gemini's proof is of the very call: the edited one goes back with the sentinel for calls that have none."""
    if service.wire == "gemini":
        unproven = {"functionCall": {"name": scene.WEATHER, "args": EDITED, "id": call_id}}
        service.signed[SKIP.replace("_", "/")] = unproven


def waiting(runtime: RunningStation, count: int) -> list[Invocation]:
    """The calls of one turn, once all of them wait."""

    def found(events: list[Event]) -> list[Invocation] | None:
        asked = [e.invocation for e in events if isinstance(e, InvocationChanged)]
        asked = [invocation for invocation in asked if invocation.state == "WaitingForConfirmation"]
        return asked if len(asked) == count else None

    return runtime.wait_for(found)


def decided(opened: Stage, agent: Agent, count: int) -> Heard:
    """What the client hears after each call was decided in the way that its arguments ask for, last one first."""
    heard: list[Heard] = []
    asking = threading.Thread(target=lambda: heard.append(agent.say(scene.ASK)))
    asking.start()
    for invocation in reversed(waiting(opened.runtime, count)):
        decision = next(value for key, value in DECISIONS.items() if key in invocation.arguments)
        assert opened.runtime.decide(invocation, decision)
    asking.join(10)
    assert heard, opened.refusals()
    return heard[0]


def results_in(value: Any) -> int:
    """How many results of calls a request holds, whatever its wire; twice the same one is two."""
    if isinstance(value, list):
        return sum(map(results_in, value))
    if not isinstance(value, dict):
        return 0
    is_result = (
        value.get("role") == "tool"
        or value.get("type") in ("function_call_output", "tool_result")
        or "functionResponse" in value
    )
    return 1 if is_result else sum(map(results_in, value.values()))


def check_history(service: Service, number: int) -> None:
    """Every call has its result, in the order of the calls; the edited call is told as it was edited."""
    told = service.told(service.bodies[number])
    assert results_in(service.bodies[number]) == 3, "one result for each call"
    assert [(name, arguments) for _, name, arguments in told.calls] == [
        (scene.WEATHER, EDITED),
        (scene.NOTE, PRIVATE),
        (scene.NOTE, KNOWN),
    ]
    weather, private, known = told.results.values()
    assert weather == scene.WEATHER_RESULT
    assert "Notes are private" in private and "not run" in private
    assert known == "42, says the person"


@STREAMS
@pytest.mark.parametrize("provider_is", ["same", "other"])
@pytest.mark.parametrize("client", WIRES)
def test_a_turn_of_edited_denied_and_answered_calls_stays_whole_over_restarts(
    tmp_path: Path, client: str, provider_is: str, stream: bool
) -> None:
    provider = client if provider_is == "same" else WIRES[WIRES.index(client) - 1]
    with stage(tmp_path, ASKING) as services:
        service = services.services[provider]
        with services.open() as opened:
            agent: Agent = opened.agent(client, provider, stream=stream)
            will_call(service, stream, (scene.WEATHER, CITY), (scene.NOTE, PRIVATE), (scene.NOTE, KNOWN))
            first = decided(opened, agent, 3)
            assert [(call.name, call.arguments) for call in first.calls] == [(scene.WEATHER, EDITED)]
            assert (first.text, first.finish) == (scene.OPENING, agent.finishes[0])
        expect_unproven(service, "m0001")
        with services.open():
            second = agent.give({first.calls[0].id: scene.WEATHER_RESULT})
            assert (second.text, second.calls, second.finish) == (scene.FINAL, (), agent.finishes[1])
        with services.open():
            assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        assert len(service.bodies) == 3, "the model was asked once for each thing that the client sent"
        check_history(service, 1)
        check_history(service, 2)


@STREAMS
@pytest.mark.parametrize("provider_is", ["same", "other"])
@pytest.mark.parametrize("client", WIRES)
def test_one_of_two_parallel_calls_denied_the_client_sees_the_other_and_then_the_answer(
    tmp_path: Path, client: str, provider_is: str, stream: bool
) -> None:
    provider = client if provider_is == "same" else WIRES[WIRES.index(client) - 1]
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        service = services.services[provider]
        agent: Agent = opened.agent(client, provider, stream=stream)
        heard: list[Heard] = []
        asking = threading.Thread(target=lambda: heard.append(agent.say(scene.ASK)))
        asking.start()
        weather, note = sorted(waiting(opened.runtime, 2), key=lambda invocation: invocation.part)
        assert (weather.tool, note.tool) == (scene.WEATHER, scene.NOTE)
        assert opened.runtime.decide(note, Decision("deny", reason="Notes are private"))
        assert not heard and len(service.bodies) == 1, "nothing goes out before both are decided"
        assert opened.runtime.decide(weather, Decision("approve"))
        asking.join(10)
        [first] = heard
        assert [(call.name, call.arguments) for call in first.calls] == [(scene.WEATHER, scene.WEATHER_ARGUMENTS)]
        assert (first.text, first.finish) == (scene.OPENING, agent.finishes[0])
        second = agent.give({first.calls[0].id: scene.WEATHER_RESULT})
        assert (second.text, second.calls, second.finish) == (scene.FINAL, (), agent.finishes[1])
        assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        assert len(service.bodies) == 3, "the model was asked once for each thing that the client sent"
        for body in service.bodies[1:]:
            told = service.told(body)
            assert [(name, arguments) for _, name, arguments in told.calls] == [
                (scene.WEATHER, scene.WEATHER_ARGUMENTS),
                (scene.NOTE, scene.NOTE_ARGUMENTS),
            ]
            assert results_in(body) == 2
            given, denied = told.results.values()
            assert given == scene.WEATHER_RESULT
            assert "Notes are private" in denied and "not run" in denied and "Do not retry" in denied
        ended = [e.invocation for e in opened.runtime.events if isinstance(e, InvocationChanged)]
        states = {i.tool: i.state for i in ended if not i.is_live}
        assert states == {scene.WEATHER: "Released", scene.NOTE: "Completed"}


@STREAMS
@pytest.mark.parametrize("client", WIRES)
def test_when_every_call_was_denied_or_answered_the_answer_follows_in_the_same_reply(
    tmp_path: Path, client: str, stream: bool
) -> None:
    with stage(tmp_path, ASKING) as services:
        service = services.services[client]
        with services.open() as opened:
            agent: Agent = opened.agent(client, client, stream=stream)
            will_call(service, stream, (scene.NOTE, PRIVATE), (scene.NOTE, KNOWN))
            heard = decided(opened, agent, 2)
            assert (heard.text, heard.calls) == (f"{scene.OPENING}\n\n{scene.FINAL}", ())
            assert heard.finish == agent.finishes[1]
        with services.open():
            assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        for body in service.bodies[1:]:
            told = service.told(body)
            assert results_in(body) == 2
            assert [arguments for _, _, arguments in told.calls] == [PRIVATE, KNOWN]
            private, known = told.results.values()
            assert "Notes are private" in private and known == "42, says the person"
