"""Results of a client's own tools behind the second gate, on every wire: what is edited or withheld stays so.

The client keeps what its tool really returned and sends it again with every later turn; the model must never see it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openai
import orjson
import pytest
from tests.depth import pairwise
from tests.fakes.providers import scene
from tests.fakes.providers.service import Reply, Service
from tests.fakes.sdks.heard import Agent, Heard
from tests.fakes.sdks.openai_responses import TOOLS
from tests.fakes.translating import MODELS, WIRES, Stage, stage

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event, InvocationChanged

REVIEWING = f'[gate]\nclient_tools = "observe"\n[[rules]]\nverdict = "allow"\ntool = "{scene.WEATHER}"\nreview = true\n'
SECRET, EDITED = "the password is hunter2", "11 °C, says the person"
DECISIONS = (Decision("edit_result", result=EDITED), Decision("withhold", reason="private"))
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])


def held(opened: Stage, state: str, tool: str, seen: set[str]) -> Invocation:
    """A call of a tool that waits and was not decided before."""

    def found(events: list[Event]) -> Invocation | None:
        changed = (e.invocation for e in events if isinstance(e, InvocationChanged))
        return next((i for i in changed if i.state == state and i.tool == tool and i.id not in seen), None)

    waiting = opened.runtime.wait_for(found)
    seen.add(waiting.id)
    return waiting


@contextmanager
def in_background(agent: Agent, results: dict[str, str]) -> Iterator[list[Heard]]:
    heard: list[Heard] = []
    giving = threading.Thread(target=lambda: heard.append(agent.give(results)))
    giving.start()
    yield heard
    giving.join(10)


def results_of(first: Heard) -> dict[str, str]:
    return {call.id: SECRET if call.name == scene.WEATHER else scene.NOTE_RESULT for call in first.calls}


def seen_by_the_model(service: Service) -> str:
    return "".join(orjson.dumps(body).decode() for body in service.bodies)


@pytest.mark.parametrize(
    ("client", "provider_is", "decision", "stream"), pairwise(WIRES, ("same", "other"), DECISIONS, (False, True))
)
def test_what_was_edited_or_withheld_stays_so_in_later_turns_and_after_a_restart(
    tmp_path: Path, client: str, provider_is: str, decision: Decision, stream: bool
) -> None:
    provider = client if provider_is == "same" else WIRES[WIRES.index(client) - 1]
    with stage(tmp_path, REVIEWING) as services:
        service = services.services[provider]
        with services.open() as opened:
            agent: Agent = opened.agent(client, provider, stream=stream)
            first = agent.say(scene.ASK)
            asked = len(service.bodies)
            with in_background(agent, results_of(first)) as heard:
                waiting = held(opened, "WaitingForPostApproval", scene.WEATHER, set())
                assert waiting.ran_result is not None and waiting.ran_result.text == SECRET
                assert len(service.bodies) == asked, "the model saw it too early"
                assert opened.runtime.decide(waiting, decision)
            assert heard and heard[0].text == scene.FINAL
            assert agent.say(scene.THANKS).text == scene.WELCOME
        with services.open():
            assert agent.say(f"{scene.THANKS} Again.").text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        assert "hunter2" not in seen_by_the_model(service)
        for body in service.bodies[asked:]:
            past = service.told(body)
            told = {name: past.results[call_id] for call_id, name, _ in past.calls}
            assert told[scene.NOTE] == scene.NOTE_RESULT, "the other result went through as it was"
            withheld = "withholds its result" in told[scene.WEATHER] and "private" in told[scene.WEATHER]
            assert told[scene.WEATHER] == EDITED or (decision.verb == "withhold" and withheld)


@STREAMS
@pytest.mark.parametrize("client", WIRES)
def test_the_right_result_is_held_where_a_call_beside_it_was_denied(tmp_path: Path, client: str, stream: bool) -> None:
    """The denial is put back into the history behind the client's own result; that one is the new one nevertheless."""
    rules = f'{REVIEWING}[[rules]]\nverdict = "deny"\ntool = "{scene.NOTE}"\nnote = "Notes are private"\n'
    with stage(tmp_path, rules) as services, services.open() as opened:
        service = services.services[client]
        agent: Agent = opened.agent(client, client, stream=stream)
        first = agent.say(scene.ASK)
        assert [call.name for call in first.calls] == [scene.WEATHER]
        with in_background(agent, results_of(first)) as heard:
            waiting = held(opened, "WaitingForPostApproval", scene.WEATHER, set())
            assert waiting.ran_result is not None and waiting.ran_result.text == SECRET
            assert opened.runtime.decide(waiting, Decision("edit_result", result=EDITED))
        assert heard and heard[0].text == scene.FINAL
        assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        assert "hunter2" not in seen_by_the_model(service)
        for body in service.bodies[1:]:
            weather, note = service.told(body).results.values()
            assert weather == EDITED and "Notes are private" in note


@pytest.mark.parametrize("client", WIRES)
def test_what_was_withheld_stays_so_when_the_provider_then_fails(tmp_path: Path, client: str) -> None:
    with stage(tmp_path, REVIEWING) as services, services.open() as opened:
        service = services.services[client]
        agent: Agent = opened.agent(client, client, stream=False)
        first = agent.say(scene.ASK)
        service.next.append(Reply(b'{"error":{"message":"Broken"}}', 400, "application/json"))
        with in_background(agent, results_of(first)) as heard:
            waiting = held(opened, "WaitingForPostApproval", scene.WEATHER, set())
            assert opened.runtime.decide(waiting, Decision("withhold"))
        assert heard and "Broken" in heard[0].text
        assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        assert "hunter2" not in seen_by_the_model(service)


@pytest.mark.parametrize("provider", ["openai-chat", "openai-responses"])
def test_what_was_withheld_stays_so_in_a_chain_that_is_kept_for_the_client(tmp_path: Path, provider: str) -> None:
    """The client sends each result once and refers to it later; what it refers to was kept as it came."""
    with stage(tmp_path, REVIEWING) as services, services.open() as opened:
        service = services.services[provider]
        sdk = openai.OpenAI(base_url=f"{opened.address}/v1", api_key="k", max_retries=0, timeout=10)
        opened.keep(sdk)
        asked: dict[str, Any] = {"model": MODELS[provider], "tools": TOOLS}
        first: Any = sdk.responses.create(input=scene.ASK, **asked)
        calls = [item for item in first.output if item.type == "function_call"]
        results = [{"type": "function_call_output", "call_id": call.call_id, "output": SECRET} for call in calls]
        answered: list[Any] = []
        giving = threading.Thread(
            target=lambda: answered.append(
                sdk.responses.create(input=results, previous_response_id=first.id, **asked)  # type: ignore[arg-type]
            )
        )
        giving.start()
        waiting = held(opened, "WaitingForPostApproval", scene.WEATHER, set())
        assert opened.runtime.decide(waiting, Decision("withhold"))
        giving.join(10)
        [second] = answered
        third = sdk.responses.create(input=scene.THANKS, previous_response_id=second.id, **asked)
        assert (second.output_text, third.output_text) == (scene.FINAL, scene.WELCOME)
        for body in service.bodies[1:]:
            past = service.told(body)
            told = {name: past.results[call_id] for call_id, name, _ in past.calls if call_id in past.results}
            assert told.get(scene.WEATHER) != SECRET
        assert any("withholds its result" in str(service.told(body).results) for body in service.bodies[1:])


@pytest.mark.parametrize("client", WIRES)
def test_results_of_one_turn_are_asked_about_together_and_decided_in_any_order(tmp_path: Path, client: str) -> None:
    with stage(tmp_path, '[[rules]]\nverdict = "allow"\nreview = true\n') as services, services.open() as opened:
        service = services.services[client]
        agent: Agent = opened.agent(client, client, stream=True)
        first = agent.say(scene.ASK)
        with in_background(agent, results_of(first)) as heard:
            weather = held(opened, "WaitingForPostApproval", scene.WEATHER, set())
            note = held(opened, "WaitingForPostApproval", scene.NOTE, set())
            assert {i.id for i in opened.runtime.do(opened.runtime.runtime.console.waiting)} == {weather.id, note.id}
            assert opened.runtime.decide(note, Decision("accept"))
            assert opened.runtime.decide(weather, Decision("edit_result", result=EDITED))
        assert heard and heard[0].text == scene.FINAL
        assert list(service.told(service.bodies[1]).results.values()) == [EDITED, scene.NOTE_RESULT]
