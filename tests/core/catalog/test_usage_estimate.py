"""Where nobody counts, a guess is near enough, cheap, and known to be one."""

import base64

from callgate.core.catalog.usage_estimate import LETTERS, PICTURE, estimated_usage, request_tokens
from callgate.core.messages import File, Image, Message, Reasoning, Text, ToolCall, ToolResult, Usage, say


def test_a_request_is_about_a_quarter_of_its_bytes() -> None:
    assert request_tokens(4000, (say("user", "x" * 3600),)) == 4000 // LETTERS
    assert request_tokens(0, ()) == 0


def test_what_is_attached_is_no_text() -> None:
    data = base64.b64encode(bytes(30_000)).decode()
    result = ToolResult("call", (Image("image/png", data),))
    parts = (Image("image/png", data), File("text/plain", data), Image(url=f"data:image/png;base64,{data}"), result)
    size = 4 * len(data) + 400
    assert request_tokens(size, (Message("user", parts),)) <= 3 * PICTURE + 400 // LETTERS
    assert request_tokens(10, (Message("user", parts),)) == 3 * PICTURE, "never below nothing"


def test_an_answer_counts_words_thoughts_and_calls() -> None:
    said = Message("assistant", (Text("x" * 40), Reasoning("y" * 20), ToolCall("id", "read", '{"path": "a"}')))
    usage = estimated_usage(100, said)
    assert usage == Usage(100, 20, reasoning=5, estimated=120)
    assert estimated_usage(0, Message("assistant", ())) is None


def test_a_sum_tells_how_much_of_it_is_a_guess() -> None:
    assert (Usage(10, 5) + Usage(100, 20, estimated=120)).estimated == 120
