"""Every message is known to belong to the call that caused it, also of two that look the same; with real servers."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from tests.fakes.mcp_sources import SECONDS, SERVERS, Watched, opened, settings

from callgate.core.config.settings import Era, SourceSettings
from callgate.core.events import FrameCaptured
from callgate.core.messages import Json, Text
from callgate.core.question import Answer, FormQuestion, Question
from callgate.tools.mcp_source.ledger import MOST_ANSWERED, SERVING, Ledger, Serving
from callgate.tools.source import CallContext

TALKATIVE = (sys.executable, str(SERVERS / "talkative.py"))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 50))


@pytest.fixture(scope="module")
def http_port() -> Iterator[int]:
    process = subprocess.Popen((*TALKATIVE, "http"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stdout.close()


def server_over(transport: str, port: int) -> SourceSettings:
    return settings(TALKATIVE) if transport == "stdio" else settings(url=f"http://127.0.0.1:{port}/mcp")


async def work(server: Watched, invocation_id: str, **arguments: Json) -> str:
    """What the server says its request's id was."""
    context = CallContext("call_same", "conv_1", lambda *_: None, invocation_id=invocation_id)
    outcome = await server.source.call(server.tool("work"), arguments, context)
    return "".join(part.text for part in outcome.parts if isinstance(part, Text))


def of(server: Watched, invocation_id: str) -> list[FrameCaptured]:
    return [frame for frame in server.frames if frame.invocation_id == invocation_id]


async def answering(question: Question) -> Answer:
    assert isinstance(question, FormQuestion)
    return Answer("accept", {"name": question.message.rpartition(" ")[2]})


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_calls_that_look_the_same_at_the_same_moment_are_told_apart(
    http_port: int, tmp_path: Path, transport: str, era: Era
) -> None:
    async def play() -> None:
        async with opened(server_over(transport, http_port), tmp_path, era=era) as server:
            await server.ready()
            names = [f"inv_{number}" for number in range(8)]
            served = dict(
                zip(names, await asyncio.gather(*(work(server, name, together=8) for name in names)), strict=True)
            )
            assert len(set(served.values())) == 8
            order = [frame.invocation_id for frame in server.frames if frame.role == "response" and frame.invocation_id]
            assert sorted(order) == names and order != names, "answered in another order than asked"
            for name, own in served.items():
                frames = of(server, name)
                named = [frame for frame in frames if frame.rpc_id]
                assert {frame.rpc_id for frame in named} == {own} and {frame.joined for frame in named} == {"id"}
                assert [(frame.direction, frame.role, frame.method) for frame in named] == [
                    ("out", "request", "tools/call"),
                    ("in", "notification", "notifications/progress"),
                    ("in", "notification", "notifications/progress"),
                    ("in", "response", "tools/call"),
                ]
                asked = named[0].at
                assert [frame.asked_at for frame in named] == [None, asked, asked, asked]
                assert all(f" of {own}" in frame.text for frame in frames if frame.role == "notification")
                assert {frame.conversation_id for frame in frames} == {"conv_1"}
                assert {frame.transport for frame in frames} == {transport}
                logs = [frame for frame in frames if frame.method == "notifications/message"]
                # over HTTP they come on the call's own stream; over stdio nothing tells whose they are
                assert [frame.joined for frame in logs] == ["stream"] * 2 * (transport == "http" and era == "legacy")

    run(play())


@pytest.mark.parametrize(("transport", "joined"), [("stdio", "alone"), ("http", "stream")])
def test_a_servers_question_and_its_answer_belong_to_the_call(
    http_port: int, tmp_path: Path, transport: str, joined: str
) -> None:
    async def play() -> None:
        async with opened(server_over(transport, http_port), tmp_path, era="legacy", ask=answering) as server:
            await server.ready()
            own = await work(server, "inv_1", ask=True, steps=1)
            questions = [frame for frame in of(server, "inv_1") if frame.method == "elicitation/create"]
            assert [(frame.direction, frame.role, frame.joined) for frame in questions] == [
                ("in", "request", joined),
                ("out", "response", joined),
            ]
            assert questions[1].asked_at == questions[0].at and questions[1].rpc_id == questions[0].rpc_id
            assert own.split() == [own.split()[0]] * 2, "what was answered is what it was asked with"

    run(play())


def test_questions_of_two_calls_at_once_over_one_pipe_are_nobodys(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(settings(TALKATIVE), tmp_path, era="legacy", ask=answering) as server:
            await server.ready()
            await asyncio.gather(*(work(server, f"inv_{n}", together=2, ask=True, steps=1) for n in range(2)))
            said = [frame for frame in server.frames if frame.method in ("elicitation/create", "notifications/message")]
            assert len(said) == 6 and {frame.invocation_id for frame in said} == {""}, "better none than a wrong one"

    run(play())


def test_what_no_call_caused_is_captured_too_and_a_cancelled_call_has_its_cancellation(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(settings(TALKATIVE), tmp_path, era="legacy") as server:
            await server.ready()
            own = [(frame.direction, frame.role, frame.method) for frame in server.frames]
            assert own[:3] == [
                ("out", "request", "initialize"),
                ("in", "response", "initialize"),
                ("out", "notification", "notifications/initialized"),
            ]
            assert {frame.invocation_id for frame in server.frames} == {""}
            calling = asyncio.get_running_loop().create_task(work(server, "inv_1", together=2))
            async with asyncio.timeout(SECONDS):
                while not of(server, "inv_1"):
                    await asyncio.sleep(0.005)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            sent = [frame for frame in of(server, "inv_1") if frame.direction == "out"]
            assert [frame.method for frame in sent] == ["tools/call", "notifications/cancelled"]
            assert sent[1].rpc_id == sent[0].rpc_id and sent[1].asked_at == sent[0].at

    run(play())


def test_over_a_pipe_the_text_is_what_was_sent_to_the_byte_and_a_long_one_is_cut_with_its_size_told(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with opened(settings(TALKATIVE), tmp_path) as server:
            await server.ready()
            await work(server, "inv_1", long=300_000)
            answer = of(server, "inv_1")[-1]
            assert answer.is_cut and answer.size > 300_000 and len(answer.text) == 200_000
            request = of(server, "inv_1")[0]
            assert not request.is_cut and request.size == len(request.text.encode()) and json.loads(request.text)["id"]

    run(play())


def told(ledger: Ledger, invocation_id: str, request_id: int) -> None:
    token = SERVING.set(Serving(invocation_id, "conv"))
    try:
        ledger.sent(JSONRPCRequest(jsonrpc="2.0", id=request_id, method="tools/call"), 1.0)
    finally:
        SERVING.reset(token)


def test_ids_of_both_sides_do_not_meet_and_text_is_taken_for_its_number() -> None:
    ledger = Ledger()
    told(ledger, "inv_1", 7)
    asked = ledger.arrived(JSONRPCRequest(jsonrpc="2.0", id=7, method="ping"), 2.0, None)
    assert asked.serving is None and asked.joined == "", "a ping is about no call"
    assert ledger.sent(JSONRPCResponse(jsonrpc="2.0", id=7, result={}), 2.5).method == "ping"
    answer = ledger.arrived(JSONRPCResponse(jsonrpc="2.0", id="7", result={}), 3.0, None)
    assert (answer.method, answer.asked_at, answer.serving) == ("tools/call", 1.0, Serving("inv_1", "conv"))
    late = ledger.arrived(
        JSONRPCNotification(jsonrpc="2.0", method="notifications/progress", params={"progressToken": 7}), 4.0, None
    )
    assert late.serving == Serving("inv_1", "conv"), "progress may come after the answer"


def test_what_answers_nothing_known_is_of_nobody() -> None:
    ledger = Ledger()
    assert ledger.arrived(JSONRPCResponse(jsonrpc="2.0", id=9, result={}), 1.0, None).method == ""
    lost = ledger.arrived(
        JSONRPCError.model_validate({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "?"}}), 1, None
    )
    assert (lost.role, lost.rpc_id, lost.serving) == ("error", "", None)
    strange = JSONRPCNotification(jsonrpc="2.0", method="notifications/progress", params={"progressToken": [1]})
    assert ledger.arrived(strange, 1.0, None).rpc_id == ""


def test_a_cancelled_call_no_longer_counts_as_running_and_old_answers_are_forgotten() -> None:
    ledger = Ledger()
    told(ledger, "inv_1", 1)
    told(ledger, "inv_2", 2)
    ask = JSONRPCRequest(jsonrpc="2.0", id=1, method="elicitation/create")
    assert ledger.arrived(ask, 2.0, None).joined == ""
    cancelled = {"requestId": 1}
    ledger.sent(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=cancelled), 3.0)
    assert ledger.arrived(ask, 4.0, None).serving == Serving("inv_2", "conv")
    for number in range(10, 12 + MOST_ANSWERED):
        told(ledger, "inv_3", number)
        ledger.arrived(JSONRPCResponse(jsonrpc="2.0", id=number, result={}), 5.0, None)
    assert ledger.arrived(JSONRPCResponse(jsonrpc="2.0", id=10, result={}), 6.0, None).serving is None
    assert ledger.arrived(JSONRPCResponse(jsonrpc="2.0", id=2, result={}), 6.0, None).serving is not None
