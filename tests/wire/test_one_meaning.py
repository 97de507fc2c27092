"""What a client could take out of the bytes that it gets is what was judged, however a provider contradicts itself.

Clients of one wire differ in which of several places they read a call from. Each stream here tells of `destroy` in a
place that some of them read and others do not.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.wire.contract import deltas_of, read_stream

from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Failed
from callgate.core.messages import say
from callgate.core.request import ChatRequest, WireName
from callgate.wire.codec import Frame
from callgate.wire.registry import CODECS

LOOK, REMOVE = '{"cmd":"ls"}', '{"cmd":"destroy"}'
FORBIDDEN = "destroy"


def events(*values: dict[str, Any]) -> bytes:
    return b"".join(
        (f"event: {value['type']}\n" if "type" in value else "").encode() + f"data: {json.dumps(value)}\n\n".encode()
        for value in values
    )


# ---- OpenAI Chat -----------------------------------------------------------------------------------------------------

DONE = b"data: [DONE]\n\n"


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, **more}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def fragment(name: str, arguments: str = "{}", **more: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function, **more}]}


ROLE = chunk({"role": "assistant", "content": ""})
CHAT = {
    "a function beside free text": events(
        ROLE, chunk(fragment("ls", custom={"name": FORBIDDEN, "input": ""})), chunk({}, "tool_calls")
    )
    + DONE,
    "free text beside a function": events(
        ROLE, chunk(fragment(FORBIDDEN, custom={"name": "ls", "input": ""}, type="custom")), chunk({}, "tool_calls")
    )
    + DONE,
    "a whole message beside a piece": events(
        ROLE, chunk({"content": "x"}, message={"role": "assistant", **fragment(FORBIDDEN)}), chunk({}, "stop")
    )
    + DONE,
    "a call after the end of its choice": events(ROLE, chunk({"content": "x"}, "stop"), chunk(fragment(FORBIDDEN)))
    + DONE,
    "a call after the end of the stream": events(ROLE, chunk({"content": "x"}, "stop"))
    + DONE
    + events(chunk(fragment(FORBIDDEN))),
    "the same call in the old style": events(
        ROLE,
        chunk({**fragment("ls"), "function_call": {"name": FORBIDDEN, "arguments": "{}"}}),
        chunk({}, "tool_calls"),
    )
    + DONE,
    "another name under the same index": events(
        ROLE, chunk(fragment("ls", '{"a"')), chunk(fragment(FORBIDDEN, ":1}")), chunk({}, "tool_calls")
    )
    + DONE,
}

# ---- OpenAI Responses ------------------------------------------------------------------------------------------------

RESPONSE = {"id": "resp_1", "object": "response", "created_at": 1, "status": "in_progress", "model": "m", "output": []}
CREATED = {"type": "response.created", "response": RESPONSE}
ITEM = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "ls", "arguments": "", "status": "x"}
ADDED = {"type": "response.output_item.added", "output_index": 0, "item": ITEM}
OTHER = {**ITEM, "id": "fc_2", "call_id": "call_2", "name": FORBIDDEN, "arguments": "{}"}


def piece(text: str) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "fc_1", "delta": text}


def all_pieces(text: str) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "fc_1", "arguments": text}


def finished(text: str, **more: Any) -> dict[str, Any]:
    item = {**ITEM, "arguments": text, "status": "completed", **more}
    return {"type": "response.output_item.done", "output_index": 0, "item": item}


def completed(*output: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.completed", "response": {**RESPONSE, "status": "completed", "output": list(output)}}


SOUND = (CREATED, ADDED, piece(LOOK), all_pieces(LOOK), finished(LOOK))
LISTED = {**ITEM, "arguments": LOOK}
RESPONSES = {
    "pieces unlike the whole": events(
        CREATED, ADDED, piece(REMOVE), all_pieces(LOOK), finished(LOOK), completed(LISTED)
    ),
    "the whole unlike the pieces": events(
        CREATED, ADDED, piece(LOOK), all_pieces(REMOVE), finished(LOOK), completed(LISTED)
    ),
    "the finished item unlike the pieces": events(
        CREATED, ADDED, piece(LOOK), all_pieces(LOOK), finished(REMOVE), completed(LISTED)
    ),
    "another name in the finished item": events(
        CREATED, ADDED, piece(LOOK), all_pieces(LOOK), finished(LOOK, name=FORBIDDEN), completed(LISTED)
    ),
    "another group in the finished item": events(
        CREATED, ADDED, piece(LOOK), all_pieces(LOOK), finished(LOOK, namespace=FORBIDDEN), completed(LISTED)
    ),
    "a call finished twice": events(*SOUND, finished(REMOVE), completed(LISTED)),
    "pieces after the end of the call": events(*SOUND, piece(REMOVE), completed(LISTED)),
    "a final response unlike the stream": events(*SOUND, completed({**LISTED, "arguments": REMOVE})),
    "another name in the final response": events(*SOUND, completed({**LISTED, "name": FORBIDDEN})),
    "a call in the final response only": events(*SOUND, completed(LISTED, OTHER)),
    "a call after the end of the stream": events(
        *SOUND, completed(LISTED), {"type": "response.output_item.done", "output_index": 1, "item": OTHER}
    ),
    "a call in the first event": events({**CREATED, "response": {**RESPONSE, "output": [OTHER]}}, completed()),
}

# ---- Anthropic -------------------------------------------------------------------------------------------------------

USE = {"type": "tool_use", "id": "t1", "name": "ls", "input": {}}
MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
BEGUN = {"type": "message_start", "message": {**MESSAGE, "usage": {"input_tokens": 1, "output_tokens": 1}}}
STOP = {"type": "message_stop"}


def block(value: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": value}


def block_piece(text: str, index: int = 0) -> dict[str, Any]:
    return {
        "type": "content_block_delta",
        "index": index,
        "delta": {"type": "input_json_delta", "partial_json": text},
    }


def block_end(index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def ended(reason: str = "tool_use") -> dict[str, Any]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}}


CALLED = (BEGUN, block(USE), block_piece(LOOK), block_end())
REMOVING = {**USE, "id": "t2", "name": FORBIDDEN}
ANTHROPIC = {
    "a call in message_start": events({**BEGUN, "message": {**MESSAGE, "content": [REMOVING]}}, ended(), STOP),
    "pieces after the end of the block": events(*CALLED, block_piece(REMOVE), ended(), STOP),
    "a second message_start": events(*CALLED, {**BEGUN, "message": {**MESSAGE, "content": [REMOVING]}}, ended(), STOP),
    "a call after the end of the stream": events(*CALLED, ended(), STOP, block(REMOVING, 1), block_end(1)),
}

# ---- Gemini ----------------------------------------------------------------------------------------------------------


def candidate(part: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0, **more}], "responseId": "r"}


GEMINI = {
    "a call beside words": events(
        candidate({"text": "x", "functionCall": {"name": FORBIDDEN, "args": {}}}, finishReason="STOP")
    ),
    "a call spelled the other way": events(
        candidate({"function_call": {"name": FORBIDDEN, "args": {}}}, finishReason="STOP")
    ),
    "a call in a thought": events(
        candidate({"thought": True, "functionCall": {"name": FORBIDDEN, "args": {}}}, finishReason="STOP")
    ),
    "a call after the end of its candidate": events(
        candidate({"text": "x"}, finishReason="STOP"), candidate({"functionCall": {"name": FORBIDDEN, "args": {}}})
    ),
}

ALL: dict[WireName, dict[str, bytes]] = {
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
}
CASES = [
    pytest.param(wire, stream, id=f"{wire}: {name}") for wire, kinds in ALL.items() for name, stream in kinds.items()
]


def given_to(client: WireName, provider: WireName, frames: list[Frame]) -> bytes:
    """What the client gets of a reply whose calls are held until its end and then allowed; nothing where it failed."""
    writer = CODECS[client].stream_writer(ChatRequest(client, "m", (say("user", "go"),), stream=True))
    relaying = client == provider and not any(frame.repairs for frame in frames)
    sent: list[bytes] = []
    for frame in frames:
        if relaying:
            writer.follow(frame)
            sent.append(frame.raw)
        else:
            sent += [writer.write(delta) for delta in frame.deltas]
    return b"".join(sent) + writer.close()


def judged(frames: list[Frame]) -> Iterator[str]:
    for delta in deltas_of(frames):
        if isinstance(delta, CallStarted):
            yield delta.name
        elif isinstance(delta, CallEnded):
            yield delta.arguments


@pytest.mark.parametrize("client", ALL)
@pytest.mark.parametrize(("provider", "stream"), CASES)
def test_no_client_hears_of_a_call_that_was_not_judged(client: WireName, provider: WireName, stream: bytes) -> None:
    frames = read_stream(CODECS[provider], stream)
    if any(isinstance(delta, Failed) for delta in deltas_of(frames)):
        return  # the whole reply is an error: nothing that was held is released
    if not any(FORBIDDEN in said for said in judged(frames)):
        assert FORBIDDEN.encode() not in given_to(client, provider, frames)


@pytest.mark.parametrize(("provider", "stream"), CASES)
def test_what_is_judged_is_what_was_streamed(provider: WireName, stream: bytes) -> None:
    pieces: dict[int, str] = {}
    for delta in deltas_of(read_stream(CODECS[provider], stream)):
        if isinstance(delta, ArgumentsDelta):
            pieces[delta.part] = pieces.get(delta.part, "") + delta.text
        elif isinstance(delta, CallEnded):
            assert pieces.get(delta.part, "") == delta.arguments


def test_a_call_that_is_told_alike_in_all_places_is_relayed_as_it_came() -> None:
    stream = events(*SOUND, completed(LISTED))
    frames = read_stream(CODECS["openai-responses"], stream)
    assert not any(frame.repairs for frame in frames)
    assert given_to("openai-responses", "openai-responses", frames) == stream


def test_the_same_arguments_in_another_spelling_are_no_contradiction() -> None:
    spaced = LOOK.replace(":", ": ")
    stream = events(CREATED, ADDED, piece(LOOK), all_pieces(spaced), finished(spaced), completed(LISTED))
    ends = [
        delta for delta in deltas_of(read_stream(CODECS["openai-responses"], stream)) if isinstance(delta, CallEnded)
    ]
    assert [end.arguments for end in ends] == [LOOK]


def test_a_server_that_gives_its_calls_new_ids_at_the_end_makes_no_call_twice() -> None:
    frames = read_stream(CODECS["openai-responses"], events(*SOUND, completed({**LISTED, "call_id": "call_9"})))
    assert len([delta for delta in deltas_of(frames) if isinstance(delta, CallStarted)]) == 1
    assert any("differently" in repair for frame in frames for repair in frame.repairs)
