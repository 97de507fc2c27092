import asyncio
import base64
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import orjson
import pytest
from tests.fakes.provider import Line, Provider

from callgate.core.calls.preview import UrlPreview
from callgate.core.errors import BadRequest, PeerFault
from callgate.core.messages import File, Image, Json, Text
from callgate.core.tool import Outcome, Tool
from callgate.tools import http_source
from callgate.tools.http_source import HttpSource, read_answer
from callgate.tools.memory import Forgetful
from callgate.tools.registration import Registration, read_registration
from callgate.tools.source import CallContext

SECONDS = 20.0
CONTEXT = CallContext("call_7", "conv_1", lambda text, done, total: None)
Script = Callable[[Line], Awaitable[None]]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, SECONDS))


def registration(url: str = "http://127.0.0.1:9/cb", **more: Json) -> Registration:
    return read_registration({"name": "look_up", "callback_url": url, **more})


def answering(body: bytes, status: str = "200 OK", extra: str = "") -> Script:
    async def script(line: Line) -> None:
        await line.head("application/json", status, extra)
        for start in range(0, len(body), 65536):
            await line.chunk(body[start : start + 65536])
        await line.end()

    return script


async def asked(script: Script, check: Callable[[HttpSource, Tool, Provider], Awaitable[None]]) -> None:
    async with Provider(script) as callback:
        source = HttpSource(Forgetful())
        tool = source.register(registration(f"{callback.url}/cb"))
        await check(source, tool, callback)
        await source.close()


async def outcome_of(script: Script) -> Outcome:
    found: list[Outcome] = []

    async def check(source: HttpSource, tool: Tool, callback: Provider) -> None:
        found.append(await source.call(tool, {"q": "ü", "n": 1}, CONTEXT))

    await asked(script, check)
    return found[0]


def test_the_callback_gets_the_call_and_its_answer_is_the_result() -> None:
    async def check(source: HttpSource, tool: Tool, callback: Provider) -> None:
        assert await source.call(tool, {"q": "ü"}, CONTEXT) == Outcome((Text("found"),))
        head, _, body = callback.requests[0].partition(b"\r\n\r\n")
        assert head.startswith(b"POST /cb ")
        assert orjson.loads(body) == {"call_id": "call_7", "name": "look_up", "arguments": {"q": "ü"}}

    run(asked(answering(b'{"content": "found"}'), check))


def test_a_callback_that_hangs_is_left_when_the_call_is_cancelled() -> None:
    async def hang(line: Line) -> None:
        await line.hung_up()

    async def check(source: HttpSource, tool: Tool, callback: Provider) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await source.call(tool, {}, CONTEXT)
        await callback.wait(callback.gone)

    run(asked(hang, check))


def test_a_result_of_fifty_megabytes_arrives_whole() -> None:
    async def scenario() -> None:
        size = 50 * 1024 * 1024
        outcome = await outcome_of(answering(b'{"content":"' + b"x" * size + b'"}'))
        assert isinstance(outcome.parts[0], Text) and len(outcome.parts[0].text) == size

    run(scenario())


def test_an_answer_beyond_all_bounds_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_source, "MOST_BYTES", 100_000)

    async def scenario() -> None:
        outcome = await outcome_of(answering(b'{"content":"' + b"x" * 200_000 + b'"}'))
        assert outcome.is_error and "more than" in str(outcome.parts[0])

    run(scenario())


@pytest.mark.parametrize(
    ("status", "extra", "says"),
    [
        ("404 Not Found", "", "status 404: why"),
        ("302 Found", "location: http://example.com/\r\n", "status 302"),
    ],
)
def test_a_callback_that_refuses_or_sends_elsewhere_is_an_error_for_the_model(
    status: str, extra: str, says: str
) -> None:
    async def scenario() -> None:
        outcome = await outcome_of(answering(b"why", status, extra))
        assert outcome.is_error and says in str(outcome.parts[0])

    run(scenario())


@pytest.mark.parametrize("status", ["500 Oops", "503 Busy"])
def test_a_broken_callback_is_a_fault_of_the_peer(status: str) -> None:
    async def scenario() -> None:
        with pytest.raises(PeerFault, match=status[:3]):
            await outcome_of(answering(b"", status))

    run(scenario())


def test_a_callback_that_is_not_there_is_a_fault_of_the_peer() -> None:
    async def scenario() -> None:
        source = HttpSource(Forgetful())
        tool = source.register(registration("http://127.0.0.1:1/cb"))
        with pytest.raises(PeerFault, match=r"http://127.0.0.1:1/cb failed"):
            await source.call(tool, {}, CONTEXT)
        await source.close()

    run(scenario())


PIXEL = base64.b64encode(b"png").decode()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"content": "a"}, Outcome((Text("a"),))),
        ({"content": "no", "is_error": True}, Outcome((Text("no"),), True)),
        ({"content": []}, Outcome(())),
        (
            {
                "content": [
                    {"type": "text", "text": "a"},
                    "b",
                    {"type": "image", "data": PIXEL, "mimeType": "image/png"},
                    {"type": "file", "data": PIXEL, "mimeType": "x/y", "name": "f"},
                ]
            },
            Outcome((Text("a"), Text("b"), Image("image/png", PIXEL), File("x/y", PIXEL, name="f"))),
        ),
        ({"result": "a"}, Outcome((Text("a"),))),
        ({"result": {"n": [1]}}, Outcome((Text('{"n":[1]}'),), structured={"n": [1]})),
        ({"result": None}, Outcome((Text("null"),))),
    ],
)
def test_answers_are_read(answer: Json, expected: Outcome) -> None:
    assert read_answer(orjson.dumps(answer)) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"", b"hello", b"[]", b"{}", b'{"content":1}', b'{"content":"a","result":"b"}', b'{"content":[{"type":"x"}]}',
        b'{"content":"a","is_error":"yes"}', b'{"content":{"type":"image","data":1}}',
    ],
)  # fmt: skip
def test_answers_of_another_shape_are_errors_that_say_so(data: bytes) -> None:
    outcome = read_answer(data)
    assert outcome.is_error and "callback" in str(outcome.parts[0])


def test_a_tool_for_a_person_that_nobody_answered_fails_and_says_so() -> None:
    async def scenario() -> None:
        source = HttpSource(Forgetful())
        tool = source.register(read_registration({"name": "ask_me", "answered_by": "person"}))
        outcome = await source.call(tool, {}, CONTEXT)
        assert outcome.is_error and "can only be answered by a person" in str(outcome.parts[0])
        await source.close()

    run(scenario())


def test_the_person_sees_where_a_call_goes() -> None:
    source = HttpSource(Forgetful())
    called = source.register(registration("http://127.0.0.1:9/cb"))
    asked_about = source.register(read_registration({"name": "ask_me", "answered_by": "person"}))
    assert source.preview(called, {}) == UrlPreview("POST", "http://127.0.0.1:9/cb", "127.0.0.1")
    assert source.preview(asked_about, {}) is None


def test_registering_twice_is_refused_unless_it_is_the_same() -> None:
    source = HttpSource(Forgetful())
    heard: list[int] = []
    source.on_change(lambda: heard.append(len(source.tools())))
    source.register(registration())
    source.register(registration())
    with pytest.raises(BadRequest) as bad:
        source.register(registration(description="another"))
    assert bad.value.fault.code == "tool_exists" and heard == [1]
    assert source.remove("look_up") and not source.remove("look_up")
    assert heard == [1, 0]


def test_only_what_was_asked_to_stay_outlives_the_program() -> None:
    memory = Forgetful()
    first = HttpSource(memory)
    first.register(registration(persist=True))
    first.register(read_registration({"name": "gone", "answered_by": "person"}))
    assert [tool.name for tool in HttpSource(memory).tools()] == ["look_up"]
    assert HttpSource(memory).tools() == first.tools()[:1]
    first.remove("look_up")
    assert HttpSource(memory).tools() == ()


def test_a_kept_tool_that_cannot_be_read_is_left_out_and_said() -> None:
    memory = Forgetful()
    memory.write([{"name": "bad", "callback_url": "http://example.com"}, 7, {"name": "ok", "answered_by": "person"}])
    source = HttpSource(memory)
    assert [tool.name for tool in source.tools()] == ["ok"]
    assert len(source.problems) == 2 and "callback_url" in source.problems[0]


def test_a_removed_tool_that_is_still_called_says_so() -> None:
    async def scenario() -> None:
        source = HttpSource(Forgetful())
        tool = source.register(registration())
        source.remove("look_up")
        outcome = await source.call(tool, {}, CONTEXT)
        assert outcome.is_error and "not registered any more" in str(outcome.parts[0])
        await source.close()

    run(scenario())


def test_there_is_an_end_to_registering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_source, "MOST_TOOLS", 1)
    source = HttpSource(Forgetful())
    source.register(registration())
    with pytest.raises(BadRequest, match="registered already"):
        source.register(read_registration({"name": "more", "answered_by": "person"}))
