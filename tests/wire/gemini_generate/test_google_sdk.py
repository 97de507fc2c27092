"""Google's own SDK must accept what is written, and what it sends must be read: a real client on a loopback socket."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson
import pytest
from google import genai
from google.genai import errors, types
from tests.wire.samples_gemini_generate import RESPONSES, STREAMS

from callgate.core.assembly import assemble
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    ReasoningDelta,
    ReasoningSigned,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import BadRequest, Fault, FaultKind
from callgate.core.messages import Reasoning, Usage
from callgate.core.request import ChatRequest
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.gemini_generate import GeminiGenerate
from callgate.wire.signature_envelope import seal

CODEC = GeminiGenerate()
MODEL = "gemini-3-pro"
START = Started("msg_foreign", "claude-x")
JOIN_SECONDS = 5.0
"""The server's thread ends as soon as it is asked to."""

Reply = tuple[int, bytes]
Answer = Callable[[ChatRequest], Reply]


class Gate:
    """A front door with nothing behind it: reads with the codec, answers what the test says."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[ChatRequest] = []
        self.bodies: list[dict[str, Any]] = []
        self.answer = answer

    def serve(self, path: str, body: bytes) -> Reply:
        model, _, verb = path.partition("?")[0].rpartition("/")[2].partition(":")
        self.bodies.append(orjson.loads(body))
        try:
            request = CODEC.read_request(self.bodies[-1], model=model, stream=verb == "streamGenerateContent")
        except BadRequest as bad:
            return refusal(bad.fault)
        self.requests.append(request)
        return self.answer(request)


def handler_for(gate: Gate) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, data = gate.serve(self.path, self.rfile.read(int(self.headers["content-length"])))
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


@contextmanager
def client_of(gate: Gate) -> Iterator[genai.Client]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_for(gate)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        options = types.HttpOptions(base_url=f"http://127.0.0.1:{server.server_port}")
        client = genai.Client(api_key="k", http_options=options)
        try:
            yield client
        finally:
            client.close()
            server.shutdown()
            thread.join(JOIN_SECONDS)


def refusal(fault: Fault) -> Reply:
    written = CODEC.write_error(fault)
    return written.status, orjson.dumps(written.body)


def streamed(request: ChatRequest, *deltas: Delta, beat: bool = True) -> Reply:
    writer = CODEC.stream_writer(request)
    pieces = [writer.keep_alive()] if beat else []
    for delta in deltas:
        pieces.append(writer.write(delta))
        if beat:
            pieces.append(writer.keep_alive())
    return 200, b"".join(pieces) + writer.close()


def told(request: ChatRequest, *deltas: Delta) -> Reply:
    """Streamed or plain, as the client asked."""
    if request.stream:
        return streamed(request, *deltas)
    return 200, orjson.dumps(CODEC.write_response(assemble(deltas), request))


def calls(*made: tuple[str, str, str], signature: str = "", first: int = 0) -> list[Delta]:
    deltas: list[Delta] = []
    for number, (id, name, arguments) in enumerate(made, first):
        deltas.append(CallStarted(number, id, name))
        deltas.append(ArgumentsDelta(number, arguments))
        proof = signature if number == first else ""
        deltas.append(CallEnded(number, arguments, proof, "gemini" if proof else ""))
    return [*deltas, Finished("tool_calls"), UsageReported(Usage(10, 5, reasoning=2))]


def calls_in(response: types.GenerateContentResponse) -> list[tuple[int, types.FunctionCall]]:
    candidates = response.candidates or ()
    parts = [(one.index or 0, part) for one in candidates for part in (one.content and one.content.parts) or ()]
    return [(index, part.function_call) for index, part in parts if part.function_call]


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def test_a_foreign_stream_is_heard_in_full_with_newlines_between() -> None:
    def answer(request: ChatRequest) -> Reply:
        return streamed(
            request,
            START,
            ReasoningDelta(0, "hm"),
            ReasoningSigned(0, "EqQB", "anthropic"),
            TextDelta(1, "Zür"),
            TextDelta(1, "ich\u2028 🌦"),
            *calls(("toolu_1", "f", '{"a":"ü"}'), ("toolu_2", "f", '{"a":"ü"}'), ("toolu_3", "g", ""), first=2),
        )

    with client_of(Gate(answer)) as client:
        chunks = list(client.models.generate_content_stream(model=MODEL, contents="hi"))
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts]
    assert "".join(part.text for part in parts if part.text and not part.thought) == "Zürich\u2028 🌦"
    assert [part.text for part in parts if part.thought] == ["hm"]
    made = [part.function_call for part in parts if part.function_call]
    assert [(call.id, call.name, call.args) for call in made] == [
        ("toolu_1", "f", {"a": "ü"}),
        ("toolu_2", "f", {"a": "ü"}),
        ("toolu_3", "g", {}),
    ]
    assert chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP
    assert chunks[-1].usage_metadata.total_token_count == 15
    assert {chunk.response_id for chunk in chunks} == {"msg_foreign"}


@pytest.mark.parametrize("number", range(len(RESPONSES)))
def test_every_sample_is_understood_after_being_written_anew(number: int) -> None:
    def answer(request: ChatRequest) -> Reply:
        reader = CODEC.stream_reader()
        if request.stream:
            frames = [*reader.decode(STREAMS[number]), *reader.flush()]
            return streamed(request, *(delta for frame in frames for delta in frame.deltas))
        return 200, orjson.dumps(CODEC.write_response(CODEC.read_response(RESPONSES[number]), request))

    with client_of(Gate(answer)) as client:
        plain = client.models.generate_content(model=MODEL, contents="hi")
        chunks = list(client.models.generate_content_stream(model=MODEL, contents="hi"))
    assert all(chunk.candidates for chunk in chunks)
    assert chunks[-1].candidates[0].finish_reason == plain.candidates[0].finish_reason
    assert chunks[-1].usage_metadata.total_token_count == plain.usage_metadata.total_token_count
    assert [call for chunk in chunks for call in calls_in(chunk)] == calls_in(plain)


@pytest.mark.parametrize("stream", [False, True])
def test_a_loop_of_automatic_calls_runs_to_its_end(stream: bool) -> None:
    def answer(request: ChatRequest) -> Reply:
        results = [result.text for message in request.messages for result in message.results]
        if not results:
            made = [("toolu_1", "get_weather", '{"city":"Rome"}'), ("toolu_2", "get_weather", '{"city":"Bonn"}')]
            return told(request, START, *calls(*made, signature="ab+/cQ=="))
        return told(request, START, TextDelta(0, " and ".join(results)), Finished("stop"))

    gate = Gate(answer)
    config = types.GenerateContentConfig(tools=[get_weather], system_instruction="Be brief.")
    with client_of(gate) as client:
        if stream:
            pieces = client.models.generate_content_stream(model=MODEL, contents="weather?", config=config)
            text = "".join(piece.text or "" for piece in pieces)
        else:
            text = client.models.generate_content(model=MODEL, contents="weather?", config=config).text or ""
    assert text == "sunny in Rome and sunny in Bonn"
    first, second = gate.requests
    assert first.messages[0].text == "Be brief."
    assert first.tools[0].name == "get_weather"  # type: ignore[union-attr]
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [call.id for call in second.messages[2].calls] == ["toolu_1", "toolu_2"]
    assert [message.results[0].call_id for message in second.messages[3:]] == ["toolu_1", "toolu_2"]


def test_a_chat_gives_signatures_and_envelopes_back_on_the_parts_they_came_on() -> None:
    envelope = seal("anthropic", "claude-x", {"signature": "EqQB"})

    def answer(request: ChatRequest) -> Reply:
        if any(message.results for message in request.messages):
            return told(request, START, TextDelta(0, "done"), Finished("stop"))
        thought: list[Delta] = [ReasoningDelta(0, "hm"), ReasoningSigned(0, envelope, "anthropic")]
        made = calls(("a", "f", "{}"), ("b", "f", "{}"), signature="ab+/cQ==", first=1)
        return told(request, START, *thought, *made)

    gate = Gate(answer)
    with client_of(gate) as client:
        chat = client.chats.create(model=MODEL)
        list(chat.send_message_stream("go"))
        responses = [
            types.Part.from_function_response(name="f", response={"output": "1"}),
            types.Part(function_response=types.FunctionResponse(id="a", name="f", response={"error": "2"})),
        ]
        assert chat.send_message(responses[::-1]).text == "done"
    _, assistant, *results = gate.requests[1].messages
    assert [call.signature for call in assistant.calls] == ["ab-_cQ==", ""]  # the same bytes in the other alphabet
    assert [call.wire for call in assistant.calls] == ["gemini", ""]
    [thought] = [part for part in assistant.parts if isinstance(part, Reasoning) and part.signature]
    assert thought.wire == ""
    assert [(message.results[0].call_id, message.results[0].is_error) for message in results] == [
        ("a", True),
        ("b", False),
    ]


@pytest.mark.parametrize(
    ("kind", "code", "status", "error"),
    [
        ("invalid_request", 400, "INVALID_ARGUMENT", errors.ClientError),
        ("authentication", 401, "UNAUTHENTICATED", errors.ClientError),
        ("permission", 403, "PERMISSION_DENIED", errors.ClientError),
        ("not_found", 404, "NOT_FOUND", errors.ClientError),
        ("rate_limit", 429, "RESOURCE_EXHAUSTED", errors.ClientError),
        ("upstream", 502, "INTERNAL", errors.ServerError),
        ("overloaded", 503, "UNAVAILABLE", errors.ServerError),
        ("timeout", 504, "DEADLINE_EXCEEDED", errors.ServerError),
    ],
)
def test_failures_are_raised_as_the_sdks_own_errors(
    kind: FaultKind, code: int, status: str, error: type[errors.APIError]
) -> None:
    fault = Fault(kind, "it did not work")
    with client_of(Gate(lambda _: refusal(fault))) as client, pytest.raises(error) as plain:
        client.models.generate_content(model=MODEL, contents="hi")
    heard: list[str | None] = []
    broken = Gate(lambda request: streamed(request, START, TextDelta(0, "a"), Failed(fault)))
    with client_of(broken) as client, pytest.raises(error) as midway:
        for chunk in client.models.generate_content_stream(model=MODEL, contents="hi"):
            heard.append(chunk.text)
    assert heard == ["a"]
    for caught in (plain.value, midway.value):
        assert (caught.code, caught.status, caught.message) == (code, status, "it did not work")


def test_a_bad_request_names_its_field() -> None:
    orphan = types.Part.from_function_response(name="f", response={"output": "1"})
    gate = Gate(lambda request: told(request, Finished("stop")))
    with client_of(gate) as client, pytest.raises(errors.ClientError) as caught:
        client.models.generate_content(model=MODEL, contents=[orphan])
    assert caught.value.code == 400
    violations = caught.value.details["error"]["details"][0]["fieldViolations"]
    assert violations[0]["field"] == "contents[0].parts[0].functionResponse.name"


def test_everything_that_the_sdk_can_ask_for_is_read_and_written_back() -> None:
    gate = Gate(lambda request: told(request, START, TextDelta(0, "{}"), Finished("stop")))
    schema = types.Schema(type=types.Type.OBJECT, properties={"a": types.Schema(type=types.Type.STRING, nullable=True)})
    declared = types.FunctionDeclaration(name="f", description="Does.", parameters=schema)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared]), types.Tool(google_search=types.GoogleSearch())],
        tool_config=types.ToolConfig(
            function_calling_config=types.FunctionCallingConfig(
                mode=types.FunctionCallingConfigMode.ANY, allowed_function_names=["f"]
            )
        ),
        thinking_config=types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW, include_thoughts=True),
        response_mime_type="application/json",
        response_json_schema={"type": "object"},
        temperature=0.5,
        top_k=40,
        candidate_count=2,
        stop_sequences=["x"],
        safety_settings=[
            types.SafetySetting(
                category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH, threshold=types.HarmBlockThreshold.BLOCK_NONE
            )
        ],
        labels=None,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    picture = types.Part.from_bytes(data=b"\xfb\xff\xfe", mime_type="image/png")
    with client_of(gate) as client:
        client.models.generate_content(model=MODEL, contents=["see", picture], config=config)
    [request] = gate.requests
    assert request.messages[0].parts[1].data == "+//+"  # type: ignore[union-attr]
    assert request.tool_choice is not None
    assert request.tool_choice.names == ("f",)
    [tool] = [tool for tool in request.tools if isinstance(tool, ToolSpec)]
    assert tool.schema == {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    assert request.reply_format is not None
    assert (request.sampling.top_k, request.sampling.n) == (40, 2)
    [sent] = gate.bodies
    again = CODEC.read_request(CODEC.write_request(request, PLAIN).body, model=MODEL, stream=False)
    assert again == request
    assert sent["safetySettings"] == request.extras["safetySettings"]
