"""Serving an exchange: what goes into headers, and what is told of a client that has gone."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import orjson
import pytest

from callgate.core.calls.invocation import Invocation
from callgate.core.deltas import ArgumentsDelta, CallStarted, Finished, Started, TextDelta
from callgate.core.errors import Fault, PeerFault, RefusedReply
from callgate.core.events import Event, InvocationChanged, ToolOutput, WireCaptured
from callgate.core.messages import say
from callgate.core.request import ChatRequest, Sampling, WireName
from callgate.engine.bus import Bus
from callgate.engine.exchange.exchange import Exchange
from callgate.engine.exchange.outbox import Outbox, Piece
from callgate.engine.tasks import Tasks
from callgate.proxy.answer import Answer
from callgate.proxy.progress import ProgressLines
from callgate.proxy.warned import MOST_WARNED
from callgate.wire.codec import Frame
from callgate.wire.gemini_generate.array_stream import ArrayStream
from callgate.wire.registry import CODECS


def _written() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass
class Served:
    """As much of an exchange as serving it needs."""

    outbox: Outbox
    warnings: list[str] = field(default_factory=list)
    reply_headers: dict[str, str] = field(default_factory=dict)
    id: str = "exch_1"
    conversation_id: str = "conv_1"
    left: int = 0
    commits: int = 0

    def join(self) -> None: ...

    def warn_unrecorded(self) -> None: ...

    async def recorded(self) -> None:
        self.commits += 1
        await self.journal.wait()

    journal: asyncio.Event = field(default_factory=_written)
    """Set once everything is committed."""

    def leave(self) -> None:
        self.left += 1


class Client:
    """An ASGI client that stays until it is told to leave."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)


async def serve(
    exchange: Served,
    client: Client,
    heard: list[Event],
    stream: bool = True,
    wire: WireName = "openai-chat",
    progress: ProgressLines | None = None,
    array: ArrayStream | None = None,
    choices: int | None = None,
) -> None:
    bus = Bus()
    bus.subscribe(heard.append)
    request = ChatRequest(wire, "m", (say("user", "hi"),), stream=stream, sampling=Sampling(n=choices))
    answer = Answer(cast(Exchange, exchange), request, CODECS[wire], Tasks(bus), bus, 0.01, progress, array)
    async with asyncio.timeout(5):
        await answer({}, client.receive, client.send)


def test_warnings_fit_into_a_header_whatever_they_say() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        outbox.put(Piece((Started("r", "m"), TextDelta(0, "hi"), Finished("stop"))))
        outbox.close()
        client = Client()
        await serve(Served(outbox, ["one\r\nset-cookie: a=b", "zwei Ümläute", "x" * 100_000]), client, [])
        said = dict(client.sent[0]["headers"])[b"x-callgate-warnings"]
        assert len(said) <= MOST_WARNED and said.startswith(b"one?set-cookie: a=b; zwei ?ml?ute; xxx")

    asyncio.run(scenario())


def test_nothing_is_said_to_have_been_sent_to_a_client_that_has_gone() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        outbox.put(Piece((Started("r", "m"), TextDelta(0, "hi"))))
        client = Client()
        heard: list[Event] = []
        exchange = Served(outbox)
        serving = asyncio.ensure_future(serve(exchange, client, heard))
        while not heard:
            await asyncio.sleep(0)
        client.gone.set()
        while not exchange.left:
            await asyncio.sleep(0)
        told = len(heard)
        outbox.put(Piece((TextDelta(0, "more"),)))
        outbox.close()
        await serving
        assert len([event for event in heard if isinstance(event, WireCaptured)]) == told
        assert exchange.left == 1

    asyncio.run(scenario())


def test_what_is_lost_after_the_header_is_said_before_the_end_of_a_stream() -> None:
    async def run() -> bytes:
        served, client = Served(Outbox()), Client()
        served.outbox.put(Piece((Started("r1", "m"), TextDelta(0, "hi"))))
        serving = asyncio.ensure_future(serve(served, client, []))
        while not any(sent.get("body") for sent in client.sent):
            await asyncio.sleep(0)
        served.warnings.append("answer: audio: left out")
        served.outbox.put(Piece((Finished("stop"),)))
        served.outbox.close()
        await serving
        return b"".join(sent.get("body", b"") for sent in client.sent)

    told = asyncio.run(run()).split(b"\n\n")
    assert told.count(b": x-callgate-warnings: answer: audio: left out") == 1
    assert told.index(b": x-callgate-warnings: answer: audio: left out") < told.index(b"data: [DONE]")


def test_what_is_lost_after_the_header_of_a_plain_answer_is_said_in_it() -> None:
    async def run() -> list[dict[str, Any]]:
        served, client = Served(Outbox(), warnings=["seed: left out"]), Client()
        served.outbox.hold()
        serving = asyncio.ensure_future(serve(served, client, [], stream=False))
        while not any(sent.get("body") for sent in client.sent):
            await asyncio.sleep(0)
        served.warnings.append("answer: audio: left out")
        served.outbox.put(Piece((Started("r1", "m"), TextDelta(0, "hi"), Finished("stop"))))
        served.outbox.close()
        await serving
        return client.sent

    start, *bodies = asyncio.run(run())
    assert dict(start["headers"])[b"x-callgate-warnings"] == b"seed: left out"
    answer = orjson.loads(b"".join(body["body"] for body in bodies))
    assert answer["callgate_warnings"] == "answer: audio: left out"
    assert answer["choices"][0]["message"]["content"] == "hi"


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0)


def bodies(client: Client) -> list[bytes]:
    return [message["body"] for message in client.sent if message["type"] == "http.response.body"]


def test_a_failure_before_anybody_was_asked_has_its_status_and_one_after_it_says_so_in_the_answer() -> None:
    async def scenario() -> None:
        fault = PeerFault(Fault("rate_limit", "Slow down", status=429))
        early, late = Outbox(), Outbox()
        early.close(fault)
        client = Client()
        await serve(Served(early), client, [], stream=False)
        assert client.sent[0]["status"] == 429
        client = Client()
        serving = asyncio.ensure_future(serve(Served(late), client, [], stream=False))
        late.hold()
        await until(lambda: len(bodies(client)) >= 2)
        assert client.sent[0]["status"] == 200 and set(bodies(client)) == {b" "}
        late.close(fault)
        await serving
        whole = orjson.loads(b"".join(bodies(client)))
        assert whole["error"]["message"] == "Slow down" and "429" in whole["choices"][0]["message"]["content"]

    asyncio.run(scenario())


def test_one_that_asks_again_when_all_is_over_has_its_status_although_a_person_had_been_asked() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        outbox.hold()
        outbox.close(PeerFault(Fault("permission", "stopped")))
        client = Client()
        await serve(Served(outbox), client, [], stream=False)
        assert client.sent[0]["status"] == 403

    asyncio.run(scenario())


def test_a_client_is_kept_alive_while_pieces_come_of_which_its_wire_says_nothing_yet() -> None:
    """Gemini has no half calls: an hour of arguments would be an hour of silence."""

    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        outbox.put(Piece((Started("r", "m"), CallStarted(0, "call_1", "f"))))
        serving = asyncio.ensure_future(serve(Served(outbox), client, [], wire="gemini"))

        def growing() -> bool:
            outbox.put(Piece((ArgumentsDelta(0, " "),)))
            return bodies(client).count(b"\n") >= 3

        await until(growing)
        outbox.close()
        await serving

    asyncio.run(scenario())


def test_what_tools_report_does_not_stand_in_for_the_keep_alive() -> None:
    """Comments do not reset the timers of every client."""

    async def scenario() -> None:
        outbox, client, bus = Outbox(), Client(), Bus()
        progress = ProgressLines(bus, "exch_1")
        outbox.put(Piece((Started("r", "m"),)))
        serving = asyncio.ensure_future(serve(Served(outbox), client, [], progress=progress))
        running = Invocation("inv_1", "exch_1", "c", 1, 0, "call_1", "t", "gate", "s", "a", "m", "Executing")
        bus.publish(InvocationChanged(running, 0.0))

        def chatting() -> bool:
            bus.publish(ToolOutput("inv_1", "c", "more", 0.0))
            return sum(b'"delta":{}' in body for body in bodies(client)) >= 3

        await until(chatting)
        assert any(b"callgate-progress" in body for body in bodies(client))
        outbox.close()
        await serving

    asyncio.run(scenario())


def test_a_relayed_event_without_its_blank_line_is_ended_before_anything_else_is_said() -> None:
    async def scenario(raw: bytes, wire: WireName) -> bytes:
        outbox, client = Outbox(), Client()
        reader = CODECS[wire].stream_reader()
        for frame in (*reader.decode(raw), *reader.flush()):
            outbox.put(Piece(frame.deltas, frame))
        outbox.close()
        await serve(Served(outbox), client, [], wire=wire)
        return b"".join(message["body"] for message in client.sent[1:])

    started = b'data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant"}}]}'
    finished = b'data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
    cut = started + b"\n\n" + finished
    assert asyncio.run(scenario(cut, "openai-chat")) == cut + b"\n\ndata: [DONE]\n\n"
    for blank in (b"\n\n", b"\r\n\r\n", b"\r\r"):
        whole = started + blank + finished + blank + b"data: [DONE]" + blank
        assert asyncio.run(scenario(whole, "openai-chat")) == whole, "byte for byte where nothing is missing"
    stop = b'event: message_stop\r\ndata: {"type":"message_stop"}\r\n'
    assert asyncio.run(scenario(stop, "anthropic")).endswith(stop + b"\n\n")


def test_a_refusal_of_the_same_wire_keeps_the_providers_headers_and_bytes() -> None:
    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        told = {"x-should-retry": "true", "retry-after": "1.5", "request-id": "req_7"}
        refused = RefusedReply(529, b'{"error":{}}', told)
        outbox.close(PeerFault(Fault("overloaded", "busy", retry_after=1.5), refused))
        await serve(Served(outbox), client, [], wire="anthropic")
        assert (client.sent[0]["status"], client.sent[1]["body"]) == (529, b'{"error":{}}')
        headers = client.sent[0]["headers"]
        assert {name.decode(): value.decode() for name, value in headers}.items() >= told.items()
        assert len(headers) == len(dict(headers)), "no header twice"

    asyncio.run(scenario())


def test_a_refusal_that_has_not_the_shape_of_its_wire_is_told_in_that_with_the_providers_headers() -> None:
    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        refused = RefusedReply(404, b'{"detail":"Not Found"}', {"x-request-id": "r7"}, as_usual=False)
        outbox.close(PeerFault(Fault("not_found", "Not Found"), refused))
        await serve(Served(outbox), client, [], wire="openai-chat")
        assert client.sent[0]["status"] == 404 and (b"x-request-id", b"r7") in client.sent[0]["headers"]
        assert b'"error":{"message":"Not Found"' in client.sent[1]["body"]

    asyncio.run(scenario())


@pytest.mark.parametrize("wire", ["openai-chat", "openai-responses", "anthropic", "gemini"])
@pytest.mark.parametrize("advice", [True, False, None])
def test_what_another_wires_provider_advises_on_trying_again_is_passed_on(wire: WireName, advice: bool | None) -> None:
    async def scenario() -> dict[str, str]:
        outbox, client = Outbox(), Client()
        outbox.close(PeerFault(Fault("rate_limit", "slow down", retry_after=1.5, should_retry=advice)))
        await serve(Served(outbox), client, [], wire=wire)
        return {name.decode(): value.decode() for name, value in client.sent[0]["headers"]}

    headers = asyncio.run(scenario())
    assert headers["retry-after-ms"] == "1500"
    assert headers.get("x-should-retry") == {True: "true", False: "false", None: None}[advice]


def test_a_stream_in_which_nothing_was_said_is_an_empty_array_where_one_was_asked_for() -> None:
    async def scenario() -> None:
        served, client = Served(Outbox()), Client()
        served.outbox.close()
        await serve(served, client, [], wire="gemini", array=ArrayStream())
        assert dict(client.sent[0]["headers"])[b"content-type"] == b"application/json"
        assert b"".join(sent["body"] for sent in client.sent[1:]) == b"[]"
        assert not client.sent[-1]["more_body"]

    asyncio.run(scenario())


def test_an_array_goes_out_element_by_element_and_its_last_one_tells_of_a_failure() -> None:
    async def scenario() -> None:
        served, client = Served(Outbox()), Client()
        serving = asyncio.ensure_future(serve(served, client, [], wire="gemini", array=ArrayStream()))
        served.outbox.put(Piece((Started("r", "m"), TextDelta(0, "one"))))
        while not any(b"one" in sent.get("body", b"") for sent in client.sent):
            await asyncio.sleep(0)
        served.outbox.put(Piece((TextDelta(0, "two"),)))
        while not any(b"two" in sent.get("body", b"") for sent in client.sent):
            await asyncio.sleep(0)
        served.outbox.close(PeerFault(Fault("overloaded", "busy")))
        await serving
        one, two, failed = orjson.loads(b"".join(sent["body"] for sent in client.sent[1:]))
        assert "one" in str(one) and "two" in str(two) and failed["error"]["message"] == "busy"

    asyncio.run(scenario())


FINISHES: dict[WireName, bytes] = {
    "openai-chat": b'"finish_reason":"stop"',
    "openai-responses": b"response.completed",
    "anthropic": b"message_delta",
    "gemini": b"finishReason",
}


def body_of(client: Client) -> bytes:
    return b"".join(sent.get("body", b"") for sent in client.sent)


@pytest.mark.parametrize("wire", list(FINISHES))
def test_nothing_says_that_an_answer_is_complete_before_it_is_recorded(wire: WireName) -> None:
    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        served = Served(outbox, journal=asyncio.Event())
        outbox.put(Piece((Started("r1", "m"), TextDelta(0, "all of it"))))
        outbox.put(Piece((Finished("stop"),)))
        serving = asyncio.ensure_future(serve(served, client, [], wire=wire))
        while b"all of it" not in body_of(client):
            await asyncio.sleep(0)
        outbox.close()
        while not served.commits:
            await asyncio.sleep(0)
        said = body_of(client)
        assert FINISHES[wire] not in said and b"[DONE]" not in said and b"message_stop" not in said
        served.journal.set()
        await serving
        assert FINISHES[wire] in body_of(client)
        assert [sent["more_body"] for sent in client.sent if "more_body" in sent][-1] is False

    asyncio.run(scenario())


def test_relayed_bytes_of_the_end_are_held_too() -> None:
    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        served = Served(outbox, journal=asyncio.Event())
        text, end = b'data: {"text": 1}\n\n', b'data: {"finish": 1}\n\n'
        outbox.put(Piece((Started("r1", "m"), TextDelta(0, "hi")), Frame(text)))
        outbox.put(Piece((Finished("stop"),), Frame(end)))
        outbox.put(Piece((), Frame(b"data: [DONE]\n\n")))
        outbox.close()
        serving = asyncio.ensure_future(serve(served, client, []))
        while not served.commits:
            await asyncio.sleep(0)
        assert body_of(client) == text
        served.journal.set()
        await serving
        assert body_of(client).startswith(text + end + b"data: [DONE]")

    asyncio.run(scenario())


def test_the_finish_of_one_choice_holds_back_no_words_of_another() -> None:
    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        served = Served(outbox, journal=asyncio.Event())
        outbox.put(Piece((Started("r1", "m"), TextDelta(0, "one"), Finished("stop"))))
        outbox.put(Piece((TextDelta(0, "two", 1),)))
        outbox.put(Piece((Finished("stop", "", 1),)))
        outbox.close()
        serving = asyncio.ensure_future(serve(served, client, [], choices=2))
        while not served.commits:
            await asyncio.sleep(0)
        assert b"two" in body_of(client) and b"[DONE]" not in body_of(client)
        served.journal.set()
        await serving
        assert body_of(client).count(FINISHES["openai-chat"]) == 2

    asyncio.run(scenario())


def test_no_byte_of_a_plain_answer_goes_out_before_it_is_recorded() -> None:
    async def scenario() -> None:
        outbox, client = Outbox(), Client()
        served = Served(outbox, journal=asyncio.Event())
        outbox.put(Piece((Started("r1", "m"), TextDelta(0, "hi"), Finished("stop"))))
        outbox.close()
        serving = asyncio.ensure_future(serve(served, client, [], stream=False))
        while not served.commits:
            await asyncio.sleep(0)
        assert body_of(client) == b""
        served.journal.set()
        await serving
        assert b'"hi"' in body_of(client)

    asyncio.run(scenario())
