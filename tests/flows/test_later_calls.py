"""What a later version of OpenAI Responses may ask of a client, and the question whether the provider may run a tool
of its own: no client gets them unseen. What the provider itself has run goes through as it came."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Asked, Reply, serving, whole
from tests.fakes.translating import MODELS, Stage

from callgate.core.calls.invocation import Decision
from callgate.core.events import Event, InvocationChanged

WIRE = "openai-responses"
ASKING = '[gate]\nclient_tools = "ask"\n'
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
ROBOT = {"id": "rb_1", "type": "robot_call", "status": "completed", "call_id": "call_r", "move": {"to": [3, 4]}}
RAN = {"id": "rb_2", "type": "robot_call", "status": "completed", "move": {"to": [1]}, "output": "moved"}
PAY = {
    "id": "mcpr_1",
    "type": "mcp_approval_request",
    "server_label": "bank",
    "name": "pay",
    "arguments": '{"amount": 7}',
}
DONE = {
    "id": "msg_1",
    "type": "message",
    "status": "completed",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "As you wish.", "annotations": [], "logprobs": []}],
}


def spoken(stream: bool, *items: dict[str, Any]) -> Reply:
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": MODELS[WIRE], "status": "completed"}
    response |= {"output": list(items), "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}
    if not stream:
        return whole(response)
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": [], "usage": None}}
    ]
    for index, item in enumerate(items):
        begun = {key: value for key, value in item.items() if key not in ("output", "content")}
        begun |= {"status": "in_progress"} | ({"content": []} if item["type"] == "message" else {})
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        if item["type"] == "robot_call":
            events.append({"type": "response.robot_call.moving", "output_index": index, "item_id": item["id"]})
        if item["type"] == "message":
            place = {"output_index": index, "content_index": 0, "item_id": item["id"]}
            part = item["content"][0]
            events += [
                {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
                {"type": "response.output_text.delta", **place, "delta": part["text"]},
                {"type": "response.output_text.done", **place, "text": part["text"]},
                {"type": "response.content_part.done", **place, "part": part},
            ]
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": response})
    numbered = ({**event, "sequence_number": number} for number, event in enumerate(events))
    return Reply(b"".join(b"event: %s\ndata: %s\n\n" % (e["type"].encode(), orjson.dumps(e)) for e in numbered))


class Robot(Recorder):
    """Says what it was told to say, one reply after the other, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(WIRE)
        self.says: list[Reply] = []
        self.heard: list[dict[str, Any]] = []

    def answer(self, asked: Asked) -> Reply:
        self.heard.append(asked.body)
        return self.says.pop(0)


@contextmanager
def robot(folder: Path, rules: str = ASKING) -> Iterator[tuple[Stage, Robot]]:
    service = Robot()
    with serving(service):
        opened = Stage(folder, {WIRE: service}, rules)
        with opened.open():
            yield opened, service


def ask(opened: Stage, stream: bool, *more: dict[str, Any]) -> httpx.Response:
    items = [{"role": "user", "content": "go"}, *more]
    body = {"model": MODELS[WIRE], "input": items, "stream": stream, "store": False}
    return httpx.post(f"{opened.address}/v1/responses", json=body, timeout=10, trust_env=False)


def heard_after(opened: Stage, stream: bool, tool: str, decision: Decision) -> tuple[str, list[dict[str, Any]]]:
    """The arguments that a person saw, and what the client got to run or read after the decision."""
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(ask(opened, stream)))
    asking.start()
    shown = opened.runtime.wait_for_state("WaitingForConfirmation", tool)
    assert opened.runtime.decide(shown, decision)
    asking.join(10)
    return shown.arguments, output_of(answers[0], stream)


def output_of(answer: httpx.Response, stream: bool) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    if not stream:
        return answer.json()["output"]
    events = [orjson.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
    done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    begun = [event["item"]["id"] for event in events if event["type"] == "response.output_item.added"]
    final = events[-1]["response"]["output"]
    assert [item["id"] for item in done] == begun == [item["id"] for item in final]
    return done


def texts(items: list[dict[str, Any]]) -> str:
    return "".join(part["text"] for item in items for part in item.get("content", ()))


@STREAMS
def test_a_call_of_an_unknown_kind_reaches_the_client_only_when_it_was_approved(tmp_path: Path, stream: bool) -> None:
    with robot(tmp_path) as (opened, service):
        reply = spoken(stream, ROBOT)
        service.says = [reply]
        seen, items = heard_after(opened, stream, "robot", Decision("approve"))
        assert seen == '{"move":{"to":[3,4]}}'
        assert items == [ROBOT]


@STREAMS
def test_a_refused_call_of_an_unknown_kind_is_never_seen_by_the_client(tmp_path: Path, stream: bool) -> None:
    with robot(tmp_path) as (opened, service):
        service.says = [spoken(stream, DONE, ROBOT)]
        _, items = heard_after(opened, stream, "robot", Decision("deny", reason="Stand still"))
        assert [item["type"] for item in items] == ["message"] * len(items)
        assert "Stand still" in texts(items), "nobody knows how its result is spelled, so the client is told in words"
        assert len(service.heard) == 1


@STREAMS
def test_an_edited_call_of_an_unknown_kind_is_what_the_client_gets(tmp_path: Path, stream: bool) -> None:
    with robot(tmp_path) as (opened, service):
        service.says = [spoken(stream, ROBOT)]
        _, items = heard_after(opened, stream, "robot", Decision("approve", arguments='{"move":{"to":[0]}}'))
        assert items == [{**ROBOT, "move": {"to": [0]}}]


@STREAMS
def test_what_the_provider_has_run_itself_goes_through_byte_for_byte(tmp_path: Path, stream: bool) -> None:
    with robot(tmp_path) as (opened, service):
        reply = spoken(stream, RAN, DONE)
        service.says = [reply]
        assert ask(opened, stream).content == reply.body


@STREAMS
def test_an_approved_question_of_the_provider_is_the_clients_to_answer(tmp_path: Path, stream: bool) -> None:
    with robot(tmp_path) as (opened, service):
        service.says = [spoken(stream, PAY), spoken(stream, DONE)]
        seen, items = heard_after(opened, stream, "mcp_approval_request", Decision("approve"))
        assert seen == '{"server_label":"bank","name":"pay","arguments":{"amount":7}}'
        assert items == [PAY]
        told = {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True}
        assert texts(output_of(ask(opened, stream, PAY, told), stream)) == "As you wish."
        assert service.heard[1]["input"][1:] == [PAY, told]


@STREAMS
def test_a_refused_question_of_the_provider_is_answered_with_no(tmp_path: Path, stream: bool) -> None:
    with robot(tmp_path) as (opened, service):
        service.says = [spoken(stream, PAY), spoken(stream, DONE)]
        _, items = heard_after(opened, stream, "mcp_approval_request", Decision("deny", reason="Too much"))
        assert [item["type"] for item in items] == ["message"]
        asked, answer = service.heard[1]["input"][-2:]
        assert asked == PAY
        assert (answer["type"], answer["approval_request_id"], answer["approve"]) == (
            "mcp_approval_response",
            "mcpr_1",
            False,
        )
        assert "Too much" in answer["reason"]


def test_what_the_provider_asks_leave_for_cannot_be_edited(tmp_path: Path) -> None:
    with robot(tmp_path) as (opened, service):
        service.says = [spoken(True, PAY)]
        asking = threading.Thread(target=lambda: ask(opened, True))
        asking.start()
        shown = opened.runtime.wait_for_state("WaitingForConfirmation", "mcp_approval_request")
        with pytest.raises(Exception, match="can only be allowed or not"):
            opened.runtime.decide(shown, Decision("approve", arguments='{"server_label":"bank","name":"pay"}'))
        assert opened.runtime.decide(shown, Decision("approve"))
        asking.join(10)


@STREAMS
def test_a_rule_can_speak_of_them(tmp_path: Path, stream: bool) -> None:
    rules = ASKING + '[[rules]]\nverdict = "allow"\ntool = "mcp_approval_request"\nwhen = "args.name:pay"\n'
    with robot(tmp_path, rules) as (opened, service):
        reply = spoken(stream, PAY)
        service.says = [reply]
        assert ask(opened, stream).content == reply.body


def test_a_stream_that_breaks_off_in_such_a_call_gives_the_client_nothing_of_it(tmp_path: Path) -> None:
    with robot(tmp_path) as (opened, service):
        cut = spoken(True, ROBOT).body.partition(b"event: response.output_item.done")[0]
        service.says = [Reply(cut)]
        answer = ask(opened, True)
        assert b"robot" not in answer.content

        def asked(events: list[Event]) -> list[Event]:
            return [e for e in events if isinstance(e, InvocationChanged)]

        assert not asked(opened.runtime.events)
