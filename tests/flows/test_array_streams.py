"""Gemini clients that stream without asking for events: the JSON array of the real service, seen over raw HTTP."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.asking import Asking
from tests.fakes.held_client import HeldClient
from tests.fakes.rich_replies import STREAMED
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision
from callgate.core.events import WireCaptured
from callgate.engine.console.wire_service import LegBytes
from callgate.proxy import answer
from callgate.runtime.runtime import Launch

BODY = {
    "contents": [{"role": "user", "parts": [{"text": "Weather?"}]}],
    "tools": [{"functionDeclarations": [{"name": "get_weather", "parametersJsonSchema": {"type": "object"}}]}],
}
ARRAY = "/v1beta/models/m-1:streamGenerateContent"
EVENTS = f"{ARRAY}?alt=sse"
ASKED_FOR_AN_ARRAY = [
    ARRAY,
    f"{ARRAY}?alt=json",
    f"{ARRAY}?%24alt=json%3Benum-encoding%3Dint",
    "/v1/models/m-1:streamGenerateContent?key=k",
]
WORDS = [f"word {number} Grüße 🌍" for number in range(6)]


def chunk(part: dict[str, Any], **more: Any) -> dict[str, Any]:
    candidate = {"content": {"parts": [part], "role": "model"}, **more, "index": 0}
    return {"candidates": [candidate], "modelVersion": "m-1", "responseId": "r-1"}


def spelled(*chunks: dict[str, Any]) -> bytes:
    return b"".join(b"data: " + orjson.dumps(one) + b"\r\n\r\n" for one in chunks)


CHUNKS = [*(chunk({"text": word}) for word in WORDS), chunk({"text": ""}, finishReason="STOP")]
SPOKEN = {"gemini": spelled(*CHUNKS), "openai-chat": chat_stream(*({"content": word} for word in WORDS))}
CALLED = {
    "gemini": spelled(chunk({"functionCall": {"name": "get_weather", "args": {}}}, finishReason="STOP")),
    "openai-chat": chat_stream(*call_deltas(0, "call_1", "get_weather", "{}"), finish="tool_calls"),
}
BOTH = pytest.mark.parametrize("wire", ["gemini", "openai-chat"])


@contextmanager
def serving(
    folder: Path, wire: str, *replies: Reply, rules: str = ""
) -> Iterator[tuple[RunningStation, ScriptedProvider]]:
    with provider(*replies) as up:
        base = f"{up.address}/v1" if wire == "openai-chat" else up.address
        upstream = f'\n[[upstreams]]\nname = "up"\nwire = "{wire}"\nbase_url = "{base}"\n'
        (folder / "callgate.toml").write_text(rules + upstream, "utf-8")
        launch = Launch(folder / "callgate.toml", 0, folder, folder / "data", demo_pace_ms=0)
        with running(launch) as runtime:
            yield runtime, up


def post(runtime: RunningStation, path: str) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=10) as client:
        return client.post(f"{runtime.address}{path}", json=BODY)


def of_events(answered: httpx.Response) -> list[Any]:
    assert answered.headers["content-type"].startswith("text/event-stream")
    lines = answered.content.splitlines()
    return [orjson.loads(line.removeprefix(b"data: ")) for line in lines if line.strip()]


def of_array(answered: httpx.Response) -> list[Any]:
    assert answered.headers["content-type"] == "application/json"
    assert answered.content.startswith(b"[") and answered.content.endswith(b"]")
    return orjson.loads(answered.content)


def without_ids(chunks: list[Any]) -> list[Any]:
    return [{name: value for name, value in one.items() if name != "responseId"} for one in chunks]


def until_said(client: HeldClient, word: bytes) -> bytes:
    """What has come when a word has; bounded by the client."""
    while word not in client.body:
        assert not client.ended, client.body
        client.until(len(client.writes) + 1)
    return client.body


@BOTH
@pytest.mark.parametrize("path", ASKED_FOR_AN_ARRAY)
def test_the_array_has_the_objects_of_the_events_and_the_provider_is_asked_for_events(
    tmp_path: Path, wire: str, path: str
) -> None:
    with serving(tmp_path, wire, Reply(SPOKEN[wire])) as (runtime, up):
        events, array = of_events(post(runtime, EVENTS)), of_array(post(runtime, path))
        assert without_ids(array) == without_ids(events)
        texts = [one["candidates"][0]["content"]["parts"][0]["text"] for one in array]
        assert texts == [*WORDS, ""] and array[-1]["candidates"][0]["finishReason"] == "STOP"
        assert wire != "gemini" or array == CHUNKS
        asked = {one.path.partition("?")[2] for one in up.asked}
        assert asked == ({"alt=sse"} if wire == "gemini" else {""})


def test_events_still_come_in_the_providers_own_bytes(tmp_path: Path) -> None:
    with serving(tmp_path, "gemini", Reply(SPOKEN["gemini"])) as (runtime, _):
        assert post(runtime, EVENTS).content == SPOKEN["gemini"]
        assert post(runtime, f"{ARRAY}?$alt=sse").content == SPOKEN["gemini"]


def test_a_provider_that_sends_an_array_itself_is_heard_as_one(tmp_path: Path) -> None:
    array = Reply(orjson.dumps(CHUNKS), content_type="application/json")
    with serving(tmp_path, "gemini", array) as (runtime, _):
        texts = [one["candidates"][0]["content"]["parts"][0]["text"] for one in of_array(post(runtime, ARRAY))]
        assert "".join(texts) == "".join(WORDS)


@BOTH
def test_each_element_arrives_as_it_is_said(tmp_path: Path, wire: str) -> None:
    more = threading.Event()
    with serving(tmp_path, wire, Reply(SPOKEN[wire], hold=more)) as (runtime, _):
        client = HeldClient(runtime.address, Asking(ARRAY, BODY))
        early = until_said(client, WORDS[1].encode())
        assert early.startswith(b"[") and WORDS[-1].encode() not in early
        assert orjson.loads(early.rstrip() + b"]"), "what has come are whole elements"
        more.set()
        assert len(orjson.loads(client.whole())) == len(CHUNKS)


@BOTH
def test_a_failure_before_the_first_byte_keeps_its_status_and_shape(tmp_path: Path, wire: str) -> None:
    refusals = {
        "gemini": {"error": {"code": 404, "message": "no such model", "status": "NOT_FOUND"}},
        "openai-chat": {"error": {"message": "no such model", "type": "invalid_request_error", "code": None}},
    }
    reply = Reply(orjson.dumps(refusals[wire]), 404, "application/json")
    with serving(tmp_path, wire, reply) as (runtime, _):
        events, array = post(runtime, EVENTS), post(runtime, ARRAY)
        assert (array.status_code, array.json()) == (events.status_code, events.json())
        assert (array.status_code, array.json()["error"]["status"]) == (404, "NOT_FOUND")


@BOTH
def test_a_failure_after_the_first_byte_is_the_last_element(tmp_path: Path, wire: str) -> None:
    with serving(tmp_path, wire, Reply(SPOKEN[wire], cut=True)) as (runtime, _):
        *said, last = of_array(post(runtime, ARRAY))
        assert said and not any("error" in one for one in said)
        assert last["error"]["code"] >= 500 and last["error"]["message"]


def test_an_error_that_the_provider_puts_into_its_stream_is_the_last_element(tmp_path: Path) -> None:
    error = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}
    with serving(tmp_path, "gemini", Reply(spelled(CHUNKS[0], error))) as (runtime, _):
        first, last = of_array(post(runtime, ARRAY))
        assert (first, last["error"]["status"]) == (CHUNKS[0], "UNAVAILABLE")


@BOTH
@pytest.mark.parametrize("decision", ["approve", "stop"])
def test_a_held_client_is_kept_alive_by_white_space_within_the_array(
    tmp_path: Path, wire: str, decision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "BEAT_SECONDS", 0.05)
    with serving(tmp_path, wire, Reply(CALLED[wire])) as (runtime, _):
        client = HeldClient(runtime.address, Asking(ARRAY, BODY), {"x-callgate-progress": "yes"})
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        client.until(4)
        assert client.status == 200
        assert client.body.startswith(b"[\n") and not client.body[1:].strip(), client.body
        if decision == "approve":
            assert runtime.decide(waiting, Decision("approve"))
        else:
            runtime.do(lambda: runtime.runtime.console.stop(waiting.conversation_id))
        whole = orjson.loads(client.whole())
        if decision == "approve":
            assert "get_weather" in str(whole[0]) and "finishReason" in str(whole[-1])
        else:
            assert "stopped by the person" in whole[-1]["error"]["message"]
        sent = [e for e in runtime.events if isinstance(e, WireCaptured) and e.leg == "client_response"]
        assert b"".join(e.data for e in sent) == client.body, "what is kept is what was sent"


def test_what_was_lost_is_said_in_the_last_element(tmp_path: Path) -> None:
    with serving(tmp_path, "openai-chat", Reply(STREAMED["openai-chat"])) as (runtime, _):
        events, array = of_events(post(runtime, EVENTS)), of_array(post(runtime, ARRAY))
        assert array[-1]["callgateWarnings"] == events[-1]["callgateWarnings"]
        assert not any("callgateWarnings" in one for one in array[:-1])


def test_the_window_reads_an_array_like_the_events_it_was_made_of(tmp_path: Path) -> None:
    with serving(tmp_path, "gemini", Reply(SPOKEN["gemini"])) as (runtime, _):
        service = runtime.runtime.console.wire_service
        legs = [LegBytes("client_response", "gemini", post(runtime, path).content) for path in (EVENTS, ARRAY)]
        events, array = map(service.neutral, legs)
        assert array == events and not array.problem
