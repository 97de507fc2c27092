"""What a client hears of a failure when its status was spent on keeping it waiting: the cause, in words and as data.

The official packages take an error's body under status 200 for an empty answer. So a failure is told as an answer that
cannot be taken for one, and which a client may send back to the model without harm.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import openai
import orjson
import pytest
from google.genai import errors as genai_errors
from tests.fakes.providers import scene
from tests.fakes.providers.service import Reply
from tests.fakes.sdks.heard import Heard, ReplyFailed
from tests.fakes.translating import WIRES, Stage, stage

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event, ExchangeStarted, InvocationChanged, WireCaptured
from callgate.core.failure_notice import MARK

ASKING = '[gate]\nclient_tools = "ask"\n'
REVIEWING = '[[rules]]\nverdict = "allow"\nreview = true\n'
ENDS = {"openai-chat": "content_filter", "openai-responses": "failed", "anthropic": "refusal", "gemini": "OTHER"}
"""Each wire's own word for an end that is none of a finished turn."""
RAISED = (openai.APIError, anthropic.APIError, genai_errors.APIError, ReplyFailed)


def limited(wire: str) -> Reply:
    """A provider that has had enough, in its own words, for longer than Callgate waits by itself."""
    bodies: dict[str, dict[str, Any]] = {
        "openai-chat": {"error": {"message": "Slow down", "type": "rate_limit_error", "code": None, "param": None}},
        "openai-responses": {"error": {"message": "Slow down", "type": "rate_limit_error", "code": None}},
        "anthropic": {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down"}},
        "gemini": {"error": {"code": 429, "message": "Slow down", "status": "RESOURCE_EXHAUSTED"}},
    }
    return Reply(orjson.dumps(bodies[wire]), 429, "application/json", {"retry-after": "70"})


@contextmanager
def asked_in_background(ask: Callable[[], Heard]) -> Iterator[list[Heard | Exception]]:
    outcome: list[Heard | Exception] = []

    def run() -> None:
        try:
            outcome.append(ask())
        except RAISED as raised:
            outcome.append(raised)

    thread = threading.Thread(target=run)
    thread.start()
    yield outcome
    thread.join(10)
    assert outcome


def held(opened: Stage, state: str) -> Invocation:
    """A call that waits, once its client has its headers."""
    waiting = opened.runtime.wait_for_state(state)

    def answered(events: list[Event]) -> bool | None:
        sent = (e for e in events if isinstance(e, WireCaptured) and e.leg == "client_response")
        return True if any(e.exchange_id == waiting.exchange_id for e in sent) else None

    assert opened.runtime.wait_for(answered)
    return waiting


def last_body(opened: Stage, exchange_id: str) -> dict[str, Any]:
    captured = (e for e in opened.runtime.events if isinstance(e, WireCaptured) and e.leg == "client_response")
    return orjson.loads(b"".join(e.data for e in captured if e.exchange_id == exchange_id))


@pytest.mark.parametrize("provider_is", ["same", "other"])
@pytest.mark.parametrize("wire", WIRES)
def test_a_person_who_stops_a_held_plain_answer_is_told_of_and_the_conversation_goes_on(
    tmp_path: Path, wire: str, provider_is: str
) -> None:
    provider = wire if provider_is == "same" else WIRES[WIRES.index(wire) - 1]
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        agent = opened.agent(wire, provider, stream=False)
        with asked_in_background(lambda: agent.say(scene.ASK)) as outcome:
            waiting = held(opened, "WaitingForConfirmation")
            opened.runtime.do(lambda: opened.runtime.runtime.console.stop(waiting.conversation_id))
        [told] = outcome
        assert isinstance(told, Heard), told
        assert told.text == f"{MARK}Stopped by the person."
        assert (told.finish, told.calls) == (ENDS[wire], ())
        error = last_body(opened, waiting.exchange_id)["error"]
        assert "stopped by the person" in error["message"]
        assert wire == "openai-responses" or "stopped_by_person" in str(error), "a program can tell it from a failure"

        assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]
        past = orjson.dumps(services.services[provider].bodies[-1]).decode()
        assert past.count(MARK.strip()) == 1 and scene.ASK in past, "the model is told what its client was told"
        began = [e for e in opened.runtime.events if isinstance(e, ExchangeStarted)]
        assert began[1].conversation_id == began[0].conversation_id, "it is the same conversation"
        assert began[1].parent_id == began[0].exchange_id and len(began[1].fresh) == 1


@pytest.mark.parametrize("provider_is", ["same", "other"])
@pytest.mark.parametrize("wire", WIRES)
def test_a_provider_that_refuses_after_a_review_is_named_with_its_status_and_when_to_ask_again(
    tmp_path: Path, wire: str, provider_is: str
) -> None:
    provider = wire if provider_is == "same" else WIRES[WIRES.index(wire) - 1]
    with stage(tmp_path, REVIEWING) as services, services.open() as opened:
        agent = opened.agent(wire, provider, stream=False)
        first = agent.say(scene.ASK)
        services.services[provider].next.append(limited(provider))
        results = {call.id: scene.WEATHER_RESULT for call in first.calls}
        with asked_in_background(lambda: agent.give(results)) as outcome:
            exchange = ""
            for call in first.calls:
                waiting = opened.runtime.wait_for(lambda events, name=call.name: _reviewed(events, name))
                exchange = waiting.exchange_id
                assert opened.runtime.decide(waiting, Decision("accept"))
        [told] = outcome
        assert isinstance(told, Heard), told
        expected = "The provider answered with status 429: Slow down. It may be asked again in 70 s."
        assert told.text == MARK + expected
        assert told.finish == ENDS[wire]
        error = last_body(opened, exchange)["error"]
        assert error["message"] == "Slow down"
        assert "rate_limit" in str(error) or error["status"] == "RESOURCE_EXHAUSTED"

        assert agent.say(scene.THANKS).text == scene.WELCOME
        assert not services.refusals(), services.refusals()[0]


def _reviewed(events: list[Event], tool: str) -> Invocation | None:
    changed = (e.invocation for e in events if isinstance(e, InvocationChanged))
    return next((i for i in changed if i.state == "WaitingForPostApproval" and i.tool == tool), None)


@pytest.mark.parametrize("wire", WIRES)
def test_a_person_who_stops_a_held_stream_is_told_of_by_the_wires_own_failure(tmp_path: Path, wire: str) -> None:
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        agent = opened.agent(wire, wire, stream=True)
        with asked_in_background(lambda: agent.say(scene.ASK)) as outcome:
            waiting = held(opened, "WaitingForConfirmation")
            opened.runtime.do(lambda: opened.runtime.runtime.console.stop(waiting.conversation_id))
        [raised] = outcome
        assert isinstance(raised, RAISED) and "stopped by the person" in str(raised)


@pytest.mark.parametrize("wire", WIRES)
def test_words_that_came_before_the_failure_are_kept(tmp_path: Path, wire: str) -> None:
    """The model spoke, its call was denied, and the provider refuses to be told of it."""
    with stage(tmp_path, ASKING) as services, services.open() as opened:
        agent = opened.agent(wire, wire, stream=False)
        with asked_in_background(lambda: agent.say(scene.ASK)) as outcome:
            opened.runtime.wait_for(lambda events: True if len(_waiting(events)) == 2 else None)
            services.services[wire].next.append(limited(wire))
            for invocation in _waiting(opened.runtime.events):
                assert opened.runtime.decide(invocation, Decision("deny", reason="no"))
        [told] = outcome
        assert isinstance(told, Heard) and told.text.startswith(f"{scene.OPENING}\n\n{MARK}")
        assert "status 429" in told.text and told.calls == () and told.finish == ENDS[wire]


def _waiting(events: list[Event]) -> list[Invocation]:
    changed = [e.invocation for e in events if isinstance(e, InvocationChanged)]
    return [invocation for invocation in changed if invocation.state == "WaitingForConfirmation"]
