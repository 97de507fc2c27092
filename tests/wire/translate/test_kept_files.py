"""Files that only their own provider can open are not shown to others."""

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.messages import File, Image, Message, Part, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate
from callgate.wire.translate.kept_files import refuse_kept_files

WIRES: tuple[WireName, ...] = ("openai-chat", "openai-responses", "anthropic", "gemini")


def shown(part: Part) -> tuple[Message, ...]:
    return (Message("user", (Text("look"), part)),)


@pytest.mark.parametrize("target", WIRES)
@pytest.mark.parametrize(
    ("wire", "part"),
    [
        ("anthropic", Image(file_id="file_1")),
        ("anthropic", File(file_id="file_1", name="a.pdf")),
        ("gemini", Image("image/png", url="https://generativelanguage.googleapis.com/v1beta/files/abc")),
        ("gemini", File("application/pdf", url="gs://bucket/a.pdf")),
    ],
)
def test_a_file_that_a_provider_keeps_is_refused_everywhere_else(wire: WireName, part: Part, target: WireName) -> None:
    if target == wire:
        return
    with pytest.raises(Unspeakable) as caught:
        translate(ChatRequest(wire, "m", shown(part)), target, "m")
    assert caught.value.fault.param == "messages"


def test_a_kept_file_inside_a_result_is_found_too() -> None:
    history = (
        say("user", "q"),
        Message("assistant", (ToolCall("a", "f", "{}"),)),
        Message("tool", (ToolResult("a", (Text("see"), Image(file_id="file_1"))),)),
    )
    with pytest.raises(Unspeakable, match="file_1"):
        refuse_kept_files(history, "anthropic", "openai-responses")


def test_both_of_openais_wires_know_the_same_files() -> None:
    pdf = File(file_id="file-1")
    for wire, target, spelled in (
        ("openai-chat", "openai-responses", {"type": "input_file", "file_id": "file-1"}),
        ("openai-responses", "openai-chat", {"type": "file", "file": {"file_id": "file-1"}}),
    ):
        lowered = translate(ChatRequest(wire, "m", shown(pdf)), target, "m")  # type: ignore[arg-type]
        body = CODECS[target].write_request(lowered.request, PLAIN).body  # type: ignore[index]
        (message,) = body["messages" if target == "openai-chat" else "input"]  # type: ignore[misc]
        assert message["content"][1] == spelled  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    "url", ["https://e.org/a.png", "HTTP://e.org/a.png", "data:image/png;base64,AAAA", "http://[no"]
)
def test_what_anyone_can_open_is_let_through(url: str) -> None:
    refuse_kept_files(shown(Image(url=url)), "gemini", "anthropic")
    refuse_kept_files(shown(Image("image/png", "AAAA", file_id="file_1")), "anthropic", "gemini")
