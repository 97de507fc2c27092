"""Parts of a content."""

import pytest

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import File, Image, Json, Opaque, Part, Reasoning, Text, ToolCall, ToolResult
from callgate.wire.gemini_generate.parts import read_part, write_call, write_response, write_thought

HERE = "contents[0].parts[0]"


def read(part: dict[str, Json]) -> Part:
    return read_part(Fields(part, HERE))


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"text": "hi"}, Text("hi")),
        ({"text": "hi", "thoughtSignature": "c2ln"}, Text("hi", {"thoughtSignature": "c2ln"})),
        ({"text": "hi", "thought_signature": "c2ln"}, Text("hi", {"thoughtSignature": "c2ln"})),
        ({"thoughtSignature": "c2ln"}, Text("", {"thoughtSignature": "c2ln"})),
        ({"text": "hm", "thought": True}, Reasoning("hm")),
        (
            {"text": "hm", "thought": True, "thoughtSignature": "c2ln"},
            Reasoning("hm", "c2ln", wire="gemini"),
        ),
        ({"thought": True, "thoughtSignature": "c2ln"}, Reasoning("", "c2ln", wire="gemini")),
        ({"function_call": {"name": "f"}}, ToolCall("", "f", "{}")),
        (
            {"functionCall": {"id": "a", "name": "f", "args": {"x": "ü"}}, "thoughtSignature": "c2ln"},
            ToolCall("a", "f", '{"x":"ü"}', signature="c2ln", wire="gemini"),
        ),
        ({"inline_data": {"mime_type": "image/png", "data": "-_8="}}, Image("image/png", "+/8=")),
        ({"fileData": {"fileUri": "gs://b/a", "mimeType": "audio/wav"}}, File("audio/wav", url="gs://b/a")),
        ({"executable_code": {"code": "1"}}, Opaque("gemini", {"executable_code": {"code": "1"}})),
        ({"brandNewKind": {"x": 1}}, Opaque("gemini", {"brandNewKind": {"x": 1}})),
        ({"text": "hi", "brandNewNote": 1}, Text("hi", {"brandNewNote": 1})),
    ],
)
def test_each_kind_of_part_is_read(given: dict[str, Json], part: Part) -> None:
    assert read(given) == part


@pytest.mark.parametrize(
    ("given", "param"),
    [
        ({}, HERE),
        ({"text": None}, HERE),
        ({"brandNewKind": 1}, HERE),
        ({"text": "a", "functionCall": {"name": "f"}}, HERE),
        ({"text": 1}, f"{HERE}.text"),
        ({"text": "a", "thought": "yes"}, f"{HERE}.thought"),
        ({"functionCall": "f"}, f"{HERE}.functionCall"),
        ({"functionCall": {}}, f"{HERE}.functionCall.name"),
        ({"functionCall": {"name": "f", "args": "{}"}}, f"{HERE}.functionCall.args"),
        ({"functionResponse": {"name": "f", "response": "x"}}, f"{HERE}.functionResponse.response"),
        ({"inlineData": {"mimeType": 1}}, f"{HERE}.inlineData.mimeType"),
        ({"fileData": {}}, f"{HERE}.fileData.fileUri"),
        ({"executableCode": "x"}, f"{HERE}.executableCode"),
    ],
)
def test_what_is_no_part_is_refused_by_name(given: dict[str, Json], param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read(given)
    assert caught.value.fault.param == param


@pytest.mark.parametrize(
    ("response", "text", "is_error"),
    [
        ({"output": "42"}, "42", False),
        ({"output": {"a": 1}}, '{"a":1}', False),
        ({"result": "42"}, "42", False),
        ({"error": "broken"}, "broken", True),
        ({"error": {"code": 1}}, '{"code":1}', True),
        ({"output": "x", "error": "warned"}, '{"output":"x","error":"warned"}', False),
        ({"anything": 1}, '{"anything":1}', False),
        ({}, "", False),
    ],
)
def test_what_a_function_returned_is_read_and_given_back(response: Json, text: str, is_error: bool) -> None:
    result = read({"functionResponse": {"name": "f", "response": response}})
    assert isinstance(result, ToolResult)
    assert (result.text, result.is_error, result.name) == (text, is_error, "f")
    [part] = write_response(result, "", "f", same=True, media_within=True)
    assert part == {"functionResponse": {"name": "f", "response": response}}


def test_a_foreign_result_is_always_one_text() -> None:
    error = ToolResult("a", (Text("no"), Text("way")), is_error=True, extras={"functionResponse": {"x": 1}})
    assert write_response(error, "a", "f", same=False, media_within=True) == [
        {"functionResponse": {"id": "a", "name": "f", "response": {"error": "no\nway"}}}
    ]
    pointer = ToolResult("a", (Text('{"$ref":"x"}'),))
    [part] = write_response(pointer, "", "f", same=False, media_within=True)
    assert part == {"functionResponse": {"name": "f", "response": {"output": '{"$ref":"x"}'}}}


def test_images_stand_within_a_response_or_beside_it() -> None:
    result = ToolResult("a", (Text("see"), Image("image/png", "iVBO")))
    picture: Json = {"inlineData": {"mimeType": "image/png", "data": "iVBO"}}
    [within] = write_response(result, "", "f", same=False, media_within=True)
    assert within == {"functionResponse": {"name": "f", "response": {"output": "see"}, "parts": [picture]}}
    beside = write_response(result, "", "f", same=False, media_within=False)
    assert beside == [{"functionResponse": {"name": "f", "response": {"output": "see"}}}, picture]


def test_images_that_a_client_put_within_a_response_stay_there() -> None:
    picture: Json = {"inlineData": {"mimeType": "image/png", "data": "iVBO"}}
    part: dict[str, Json] = {"functionResponse": {"name": "f", "response": {"output": "see"}, "parts": [picture]}}
    result = read(part)
    assert isinstance(result, ToolResult)
    assert write_response(result, "", "f", same=True, media_within=False) == [part]


def test_calls_and_thoughts_are_written_with_their_signature() -> None:
    call = ToolCall("a", "f", "", extras={"partMetadata": {}})
    assert write_call(call, "", "c2ln", same=False) == {
        "functionCall": {"name": "f", "args": {}},
        "thoughtSignature": "c2ln",
    }
    assert write_call(call, "a", "", same=True) == {
        "functionCall": {"id": "a", "name": "f", "args": {}},
        "partMetadata": {},
    }
    assert write_thought(Reasoning("hm"), "c2ln", same=False) == {
        "text": "hm",
        "thought": True,
        "thoughtSignature": "c2ln",
    }
