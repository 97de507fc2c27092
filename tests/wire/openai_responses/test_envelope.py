"""The response object around the output."""

import time

from tests.wire.samples_openai_responses import REQUESTS

from callgate.core.messages import Usage, say
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.openai_responses.envelope import Envelope, created_at, ending, write_usage
from callgate.wire.openai_responses.read_request import read_request


def test_every_request_can_be_echoed() -> None:
    for body in REQUESTS:
        response = Envelope(read_request(body)).response("resp_1", "", 1, "in_progress")
        assert response["model"] == body["model"]
        assert response["tools"] == body.get("tools", [])
        assert response["tool_choice"] == body.get("tool_choice", "auto")


def test_a_foreign_request_can_be_echoed_too() -> None:
    tools = (ToolSpec("f"), HostedTool("anthropic", {"type": "web_search_20250305"}))
    request = ChatRequest(
        "anthropic", "m", (say("user", "x"),), tools=tools, tool_choice=ToolChoice("required", ("f",))
    )
    response = Envelope(request).response("resp_1", "m", 1, "completed")
    assert response["tool_choice"] == {"type": "function", "name": "f"}
    assert len(response["tools"]) == 1  # type: ignore[arg-type]


def test_the_echo_of_a_reasoning_request_keeps_what_only_this_wire_says() -> None:
    response = Envelope(read_request(REQUESTS[2])).response("resp_1", "m", 1, "completed")
    assert response["reasoning"] == {"effort": "medium", "summary": "auto", "context": "all_turns"}


def test_usage_has_every_detail() -> None:
    assert write_usage(Usage(3, 4)) == {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 4,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 7,
    }


def test_an_ending_has_a_status_and_perhaps_a_reason() -> None:
    assert (ending("tool_calls"), ending("length")) == (("completed", None), ("incomplete", "max_output_tokens"))


def test_the_time_is_the_providers_or_now() -> None:
    assert created_at(5) == 5
    assert created_at(0) >= int(time.time()) - 5
