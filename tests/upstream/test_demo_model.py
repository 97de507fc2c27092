import asyncio

import httpx
import pytest
from tests.fakes.demo_tools import offered
from tests.fakes.provider import run

from callgate.core.assembly import assemble
from callgate.core.deltas import ArgumentsDelta, TextDelta
from callgate.core.messages import Json, ToolCall
from callgate.core.request import ChatResponse
from callgate.upstream.client import UpstreamClient
from callgate.upstream.demo_model import DEMO_HOST, DEMO_URL, DemoTransport, demo_endpoint, pieces
from callgate.wire.codec import Frame
from callgate.wire.json_text import dump_bytes, parse_object
from callgate.wire.openai_chat import OpenAIChat


def body(words: str, **more: Json) -> dict[str, Json]:
    return {"model": "any", "messages": [{"role": "user", "content": words}], **more}


async def taken(request: dict[str, Json], pace_ms: int = 0) -> list[Frame]:
    upstream = UpstreamClient({"openai-chat": OpenAIChat()}, mounts={DEMO_HOST: DemoTransport(pace_ms)})
    stream = request.get("stream") is True
    try:
        async with upstream.open(
            demo_endpoint(), "openai-chat", "any", dump_bytes(request), stream, {}, "unused"
        ) as reply:
            return [frame async for frame in reply.frames()]
    finally:
        await upstream.close()


def answer(request: dict[str, Json]) -> ChatResponse:
    return assemble([delta for frame in run(taken(request)) for delta in frame.deltas])


def posted(content: bytes, path: str = "/chat/completions", method: str = "POST") -> httpx.Response:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=DemoTransport(0), base_url=DEMO_URL) as http:
            return await http.request(method, path, content=content)

    return run(ask())


def calls(response: ChatResponse) -> list[tuple[str, str]]:
    parts = response.choices[0].message.parts
    return [(part.name, part.arguments) for part in parts if isinstance(part, ToolCall)]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"tools": offered()},
        {"functions": [{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {}}}}]},
        {"tools": [{"type": "custom", "custom": {"name": "weather"}}]},
    ],
)
def test_the_stream_says_what_the_whole_answer_says(more: dict[str, Json]) -> None:
    request = body("What's the weather in Paris and in Rome?", **more)
    whole = answer(request)
    streamed = answer({**request, "stream": True, "stream_options": {"include_usage": True}})
    assert streamed.choices[0].message.text == whole.choices[0].message.text
    assert calls(streamed) == calls(whole)
    assert streamed.choices[0].finish == whole.choices[0].finish
    assert streamed.usage == whole.usage
    assert streamed.model == whole.model == "any"


def test_a_stream_breaks_no_rule_of_its_wire() -> None:
    frames = run(taken(body("Read a.txt and list src", tools=offered(), stream=True)))
    assert [frame.repairs for frame in frames if frame.repairs] == []


def test_words_and_arguments_come_in_small_pieces() -> None:
    frames = run(taken(body("#run_command echo 'a long line of words'", tools=offered(), stream=True)))
    deltas = [delta for frame in frames for delta in frame.deltas]
    assert max(len(delta.text.split()) for delta in deltas if isinstance(delta, TextDelta)) == 1
    fragments = [delta.text for delta in deltas if isinstance(delta, ArgumentsDelta)]
    assert len(fragments) > 5
    assert max(map(len, fragments)) <= 5


def test_usage_comes_only_when_asked_for() -> None:
    assert answer(body("hi", stream=True)).usage is None
    usage = answer(body("hi", stream=True, stream_options={"include_usage": True})).usage
    assert usage is not None
    assert usage.input > 0
    assert usage.output > 10


def test_the_loop_is_free_while_the_model_speaks() -> None:
    async def beside() -> int:
        speaking = asyncio.ensure_future(taken(body("hi", stream=True), pace_ms=1))
        turns = 0
        while not speaking.done():
            await asyncio.sleep(0)
            turns += 1
        assert await speaking
        return turns

    assert run(beside()) > 50


@pytest.mark.parametrize("text", ["one two\n\nthree ", "a\n```\nx y\nz\n```\nb c", "", "  lead"])
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_a_quoted_block_comes_line_by_line() -> None:
    assert pieces("a b\n```\nx y\n```\n") == ["a ", "b\n", "```\n", "x y\n", "```\n"]


def test_malformed_bodies_are_refused_in_openais_shape() -> None:
    for content, param in ((b"{nope", None), (b"[]", None), (b'{"model":"m"}', "messages")):
        response = posted(content)
        assert response.status_code == 400
        error = (parse_object(response.content) or {})["error"]
        assert isinstance(error, dict)
        assert error["type"] == "invalid_request_error"
        assert error["param"] == param


def test_models_are_listed_and_any_name_is_accepted() -> None:
    listed = parse_object(posted(b"", "/models", "GET").content)
    assert listed is not None
    assert [model["id"] for model in listed["data"] if isinstance(model, dict)] == ["callgate-demo"]  # type: ignore[union-attr]
    one = parse_object(posted(b"", "/models/gpt-9", "GET").content)
    assert one is not None
    assert one["id"] == "gpt-9"


def test_other_paths_and_methods_are_refused() -> None:
    assert posted(b"{}", "/embeddings").status_code == 404
    assert posted(b"", "/chat/completions", "GET").status_code == 405
