import asyncio

import httpx
import jsonschema_rs
import pytest
from tests.fakes.demo_tools import TOOLS, offered
from tests.fakes.provider import run

from callgate.core.assembly import assemble
from callgate.core.calls.invocation import denied_text
from callgate.core.deltas import ArgumentsDelta, TextDelta
from callgate.core.json.text import dump_bytes, parse, parse_object
from callgate.core.messages import Json, ToolCall
from callgate.core.request import ChatResponse
from callgate.upstream.client import UpstreamClient
from callgate.upstream.demo.model import (
    DEMO_HOST,
    DEMO_URL,
    MOST_CHARACTERS,
    DemoTransport,
    demo_endpoint,
    persons_words,
    plan,
)
from callgate.wire.codec import Frame
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


def calls(response: ChatResponse) -> list[tuple[str, str]]:
    parts = response.choices[0].message.parts
    return [(part.name, part.arguments) for part in parts if isinstance(part, ToolCall)]


def posted(content: bytes, path: str = "/chat/completions", method: str = "POST") -> httpx.Response:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=DemoTransport(0), base_url=DEMO_URL) as http:
            return await http.request(method, path, content=content)

    return run(ask())


class Talk:
    """A conversation with the model; each `round` is one request."""

    def __init__(self, words: str, **more: Json) -> None:
        self.messages: list[Json] = [{"role": "user", "content": words}]
        self.more = {"tools": offered(), **more}
        self.text = ""
        self.calls: tuple[ToolCall, ...] = ()

    def round(self, *results: str) -> list[str]:
        """The names of the tools that are called next."""
        for call, result in zip(self.calls, results, strict=True) if results else ():
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        request = OpenAIChat().read_request({"model": "m", "messages": self.messages, **self.more})
        self.text, self.calls = plan(request)
        said: dict[str, Json] = {"role": "assistant", "content": self.text}
        if self.calls:
            said["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.calls
            ]
        self.messages.append(said)
        return [call.name for call in self.calls]


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
    assert bool(calls(whole)) == bool(more)
    assert streamed.choices[0].finish == whole.choices[0].finish
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


def test_usage_comes_in_a_stream_only_when_asked_for() -> None:
    assert answer(body("hi", stream=True)).usage is None
    usage = answer(body("hi", stream=True, stream_options={"include_usage": True})).usage
    assert usage is not None
    assert usage.input > 0
    assert usage.output > 10


def test_the_loop_is_free_while_the_model_speaks() -> None:
    async def turns_meanwhile() -> int:
        speaking = asyncio.ensure_future(taken(body("hi", stream=True), pace_ms=1))
        turns = 0
        while not speaking.done():
            await asyncio.sleep(0)
            turns += 1
        assert await speaking
        return turns

    assert run(turns_meanwhile()) > 50


@pytest.mark.parametrize(
    ("content", "param"),
    [
        (b"{nope", "model"),
        (b'{"model":"m"}', "messages"),
        (dump_bytes(body("hi", n=2)), "n"),
        (dump_bytes(body("hi", tools=[{"type": "web_search"}])), "tools[0].type"),
    ],
)
def test_a_malformed_request_is_refused_in_openais_shape(content: bytes, param: str) -> None:
    response = posted(content)
    assert response.status_code == 400
    error = (parse_object(response.content) or {})["error"]
    assert isinstance(error, dict)
    assert error["type"] == "invalid_request_error"
    if content.startswith(b'{"'):
        assert error["param"] == param


def test_its_model_is_listed_and_other_addresses_are_refused() -> None:
    assert b'"callgate-demo"' in posted(b"", "/models", "GET").content
    assert posted(b"{}", "/embeddings").status_code == 404
    assert posted(b"", "/chat/completions", "GET").status_code == 404


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("<context>\na\n</context>\n<userRequest>\nread it\n</userRequest>", "read it"),
        ("<environment>\nlinux\n</environment>\nread it", "read it"),
        ("what does <b> mean?", "what does <b> mean?"),
        ("<b>unclosed\n<b>again\nread it", "<b>unclosed\n<b>again\nread it"),
        ("Read a.txt. " + "x" * 10_000, ("Read a.txt. " + "x" * 10_000)[:MOST_CHARACTERS]),
    ],
)
def test_what_the_person_said_is_told_from_what_the_agent_adds(text: str, words: str) -> None:
    assert persons_words(text) == words


def test_the_turn_begins_where_the_person_spoke_last() -> None:
    talk = Talk("Read a.txt")
    talk.round()
    talk.round("alpha")
    talk.messages.append({"role": "user", "content": [{"type": "text", "text": "List src"}]})
    talk.messages.append({"role": "user", "content": "<system-reminder>\nRead b.txt\n</system-reminder>"})
    assert talk.round() == ["list_directory"]
    assert talk.round("x.py") == []
    assert "alpha" not in talk.text and "x.py" in talk.text


def test_calls_are_made_once_and_their_results_are_used() -> None:
    talk = Talk("Read a.txt and list src")
    assert talk.round() == ["read_file", "list_directory"]
    assert talk.round("alpha", "x.py") == []
    assert "alpha" in talk.text and "x.py" in talk.text


def test_a_later_step_waits_for_the_results_of_the_first() -> None:
    talk = Talk("Read a.txt then run `ls`")
    assert talk.round() == ["read_file"]
    assert talk.round("alpha") == ["run_command"]
    assert talk.round("beta") == []


def test_without_parallel_calls_they_come_one_by_one() -> None:
    talk = Talk("weather in Paris and Rome", parallel_tool_calls=False)
    assert talk.round() == ["get_weather"]
    assert talk.calls[0].arguments == '{"city":"Paris"}'
    assert talk.round("sun") == ["get_weather"]
    assert talk.calls[0].arguments == '{"city":"Rome"}'
    assert talk.round("rain") == []


def test_a_refused_tool_is_not_called_again_nor_worked_around() -> None:
    talk = Talk("Read a.txt then read b.txt")
    assert talk.round() == ["read_file"]
    assert talk.round(denied_text("read_file", "private", "the user")) == []
    assert "“private”" in talk.text
    talk.messages.append({"role": "user", "content": "Read b.txt"})
    assert talk.round() == ["read_file"], "the person may ask again"


def test_a_call_that_a_person_edited_counts_as_made() -> None:
    talk = Talk("Read a.txt")
    talk.round()
    edited: Json = {"name": "read_file", "arguments": '{"path":"b"}'}
    talk.messages[-1] = {
        "role": "assistant",
        "tool_calls": [{"id": talk.calls[0].id, "type": "function", "function": edited}],
    }
    assert talk.round("beta") == []


def test_the_tool_choice_is_honoured() -> None:
    assert Talk("Read a.txt", tool_choice="none").round() == []
    named: Json = {"type": "function", "function": {"name": "find_files"}}
    assert Talk("Read a.txt", tool_choice=named).round() == ["find_files"]
    allowed: Json = {"mode": "auto", "tools": [{"type": "function", "function": {"name": "find_files"}}]}
    choice: Json = {"type": "allowed_tools", "allowed_tools": allowed}
    assert Talk("Read a.txt and find *.py files", tool_choice=choice).round() == ["find_files"]


def test_a_demanded_call_is_made_once_a_turn_and_fits_its_schema() -> None:
    talk = Talk("hello", tool_choice="required")
    [name] = talk.round()
    [tool] = [tool for tool in TOOLS if tool.name == name]
    jsonschema_rs.validate(dict(tool.schema or {}), parse(talk.calls[0].arguments))
    assert talk.round("done") == []


def test_an_old_function_is_called_alone() -> None:
    functions: Json = [tool["function"] for tool in offered() if isinstance(tool, dict)]
    said = answer(body("weather in Paris and Rome", functions=functions))
    assert calls(said) == [("get_weather", '{"city":"Paris"}')]
    assert said.choices[0].finish == "tool_calls"


def test_a_json_answer_is_json() -> None:
    talk = Talk("hello", response_format={"type": "json_object"})
    talk.round()
    told = parse(talk.text)
    assert isinstance(told, dict)
    assert told["tools_used"] == []


def test_an_answer_of_a_demanded_shape_fits_it() -> None:
    inner: Json = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    shape: dict[str, Json] = {
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "mood": {"enum": ["good", "bad"]},
            "n": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "state": inner,
        },
        "required": ["answer", "mood", "n", "tags", "state"],
        "additionalProperties": False,
    }
    talk = Talk("nothing", response_format={"type": "json_schema", "json_schema": {"name": "s", "schema": shape}})
    talk.round()
    told = parse(talk.text)
    jsonschema_rs.validate(shape, told)
    assert isinstance(told, dict)
    assert told["mood"] == "good"


def test_an_answer_ends_at_a_stop_word() -> None:
    talk = Talk("Read a.txt", stop=["demo"])
    assert talk.round() == []
    assert talk.text.endswith("built-in ")


def test_an_answer_ends_at_the_limit_of_tokens() -> None:
    short = answer(body("hello", max_tokens=5))
    assert len(short.choices[0].message.text.split()) == 5
    assert (short.choices[0].finish, short.usage and short.usage.output) == ("length", 5)
    full = answer(body("Read a.txt", tools=offered()))
    assert full.usage is not None
    cut = answer(body("Read a.txt", tools=offered(), max_completion_tokens=full.usage.output - 3))
    assert cut.choices[0].finish == "length"
    [(_, whole)], [(_, arguments)] = calls(full), calls(cut)
    assert whole.startswith(arguments) and whole != arguments
