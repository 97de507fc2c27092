"""Answers that say why there is none, on every wire alike."""

from typing import Any

import pytest
from tests.fakes.translating import ALL_WIRES as WIRES

from callgate.core.errors import Fault, PeerFault
from callgate.core.failure_notice import MARK
from callgate.core.messages import Message, Text, ToolCall, say
from callgate.core.request import ChatRequest, ChatResponse, Choice
from callgate.wire.registry import CODECS

NOTHING = ChatResponse("", "", (Choice(Message("assistant"), "stop"),))
HALF = ChatResponse(
    "", "", (Choice(Message("assistant", (Text("So."), ToolCall("call_half", "f", "{}"))), "tool_calls"),)
)
STOPPED = Fault("permission", "stopped by the person", code="stopped_by_person")
LIMITED = Fault("rate_limit", "Slow down", status=429, retry_after=7.0)


def written(wire: Any, fault: Fault, said: ChatResponse) -> dict[str, Any]:
    request = ChatRequest(wire, "m", (say("user", "hi"),))
    return CODECS[request.wire].write_failure(fault, said, request)


def texts(value: Any) -> list[str]:
    """Every text in the answer itself, wherever the wire puts it."""
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("text", "content") if isinstance(value.get(key), str)]
    inner = [
        text for key, item in value.items() if key not in ("error", "stop_details", "tools") for text in texts(item)
    ]
    return own + inner


@pytest.mark.parametrize("wire", WIRES)
def test_the_answer_says_what_failed_and_holds_no_call(wire: str) -> None:
    body = written(wire, LIMITED, HALF)
    assert texts(body) == [
        f"So.\n\n{MARK}The provider answered with status 429: Slow down. It may be asked again in 7 s."
    ]
    assert "call_half" not in str(body), "the call is gone"


@pytest.mark.parametrize("wire", WIRES)
def test_a_callgate_behind_another_reads_the_failure_as_one(wire: Any) -> None:
    with pytest.raises(PeerFault) as raised:
        CODECS[wire].read_response(written(wire, LIMITED, NOTHING))
    assert (raised.value.fault.kind, raised.value.fault.message) == ("rate_limit", "Slow down")


def test_each_wire_ends_in_its_own_abnormal_way() -> None:
    chat = written("openai-chat", STOPPED, NOTHING)
    assert chat["choices"][0]["finish_reason"] == "content_filter"
    assert chat["error"]["code"] == "stopped_by_person"
    responses = written("openai-responses", STOPPED, NOTHING)
    assert responses["status"] == "failed" and responses["output"][0]["status"] == "incomplete"
    assert responses["error"] == {"code": "invalid_prompt", "message": "stopped by the person"}
    message = written("anthropic", STOPPED, NOTHING)
    assert (message["type"], message["stop_reason"]) == ("message", "refusal")
    assert message["stop_details"]["explanation"] == f"{MARK}Stopped by the person."
    assert message["error"]["details"] == {"error_code": "stopped_by_person"}
    generated = written("gemini", STOPPED, NOTHING)
    [candidate] = generated["candidates"]
    assert candidate["finishReason"] == "OTHER" and candidate["finishMessage"].startswith(MARK)
    assert generated["error"]["details"][0]["reason"] == "stopped_by_person"
