"""Sound in a tool's result costs no exchange: it is left out where no provider takes it, and that is said."""

import orjson
import pytest

from callgate.core.messages import File, Message, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, WireName
from callgate.core.tool import ToolSpec
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS


def written(client: WireName, wire: WireName, part: File) -> str:
    messages = (
        say("user", "hi"),
        Message("assistant", (ToolCall("c1", "t", "{}"),)),
        Message("tool", (ToolResult("c1", (Text("done"), part), name="t"),)),
    )
    request = ChatRequest(client, "m", messages, (ToolSpec("t", schema={"type": "object"}),))
    return orjson.dumps(CODECS[wire].write_request(request, PLAIN).body).decode()


@pytest.mark.parametrize("wire", ["openai-chat", "openai-responses", "anthropic"])
@pytest.mark.parametrize("native", [True, False])
def test_words_stand_in_for_a_recording(wire: WireName, native: bool) -> None:
    client: WireName = wire if native else "gemini"
    body = written(client, wire, File("audio/wav", "UklGRg==", name="all of it is in /r/inv_1-0"))
    assert "UklGRg==" not in body
    assert "a sound (audio/wav), which this model cannot be given: all of it is in /r/inv_1-0" in body


def test_gemini_hears_it() -> None:
    assert "UklGRg==" in written("openai-chat", "gemini", File("audio/wav", "UklGRg=="))


@pytest.mark.parametrize(
    ("text", "expected"), [('{"n": 1}', {"output": {"n": 1}}), ("one, that is", {"output": "one, that is"})]
)
def test_gemini_gets_a_value_as_a_value_where_the_text_says_the_same(text: str, expected: object) -> None:
    result = ToolResult("c1", (Text(text),), name="t", structured={"n": 1})
    messages = (say("user", "hi"), Message("assistant", (ToolCall("c1", "t", "{}"),)), Message("tool", (result,)))
    request = ChatRequest("openai-chat", "m", messages, (ToolSpec("t", schema={"type": "object"}),))
    body = orjson.loads(orjson.dumps(CODECS["gemini"].write_request(request, PLAIN).body))
    assert body["contents"][-1]["parts"][0]["functionResponse"]["response"] == expected
