"""Content parts and tool output, both ways."""

from typing import Any

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import File, Image, Json, Opaque, Text, ToolResult
from callgate.wire.openai_responses.content import read_output, read_part, write_output, write_part


@pytest.mark.parametrize(
    "part",
    [
        {"type": "input_text", "text": "x", "prompt_cache_breakpoint": {"mode": "explicit"}},
        {"type": "text", "text": "x"},
        {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "auto", "file_id": None},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "high"},
        {"type": "input_image", "image_url": "data:image/svg+xml,<svg/>"},
        {"type": "input_image", "file_id": "file_1"},
        {"type": "input_file", "file_data": "data:application/pdf;base64,AAAA", "filename": "a.pdf"},
        {"type": "input_file", "file_data": "AAAA", "filename": "a.pdf"},
        {"type": "input_file", "file_url": "https://example.com/a.pdf", "detail": "low"},
        {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
    ],
)
def test_a_part_comes_back_as_it_was(part: dict[str, Json]) -> None:
    assert write_part(read_part(Fields(part), "user"), "user", native=True) == part


def test_data_addresses_are_taken_apart() -> None:
    part = read_part(Fields({"type": "input_image", "image_url": "data:image/webp;base64,AAAA"}), "user")
    assert part == Image("image/webp", "AAAA")


def test_a_foreign_file_gets_a_name() -> None:
    written = write_part(File("application/pdf", "AAAA"), "user", native=False)
    assert written == {"type": "input_file", "file_data": "data:application/pdf;base64,AAAA", "filename": "file.pdf"}


def test_foreign_extras_are_not_given_away() -> None:
    part = Text("x", {"cache_control": {"type": "ephemeral"}})
    assert write_part(part, "assistant", native=False) == {"type": "output_text", "text": "x"}


def test_an_unknown_part_is_opaque_in_a_message_and_text_in_a_result() -> None:
    novel: dict[str, Any] = {"type": "novel", "x": 1}
    assert read_part(Fields(novel), "user") == Opaque("openai-responses", novel)
    parts, marks = read_output(Fields({"output": [novel]}))
    assert parts[0].kind == "text"
    assert write_output(ToolResult("c", parts, extras=marks), native=True) == [novel]


@pytest.mark.parametrize(
    "output", ["", "x", [], [{"type": "input_text", "text": "x"}], [{"type": "input_file", "file_id": "f"}]]
)
def test_an_output_comes_back_as_it_was(output: Json) -> None:
    parts, marks = read_output(Fields({"output": output}))
    assert write_output(ToolResult("c", parts, extras=marks), native=True) == output


def test_a_server_that_takes_only_text_gets_only_text() -> None:
    result = ToolResult("c", (Text("a"), Image("image/png", "AAAA"), Text("b")))
    assert write_output(result, native=False, text_only=True) == "a\nb"


def test_a_failure_without_words_gets_some() -> None:
    assert write_output(ToolResult("c", is_error=True), native=False) == "Error: the tool failed."


@pytest.mark.parametrize(
    "file", [File("audio/wav", "AAAA"), File("video/mp4", url="https://e.org/a.mp4")], ids=["sound", "film"]
)
def test_what_no_model_hears_over_this_wire_is_refused_not_sent_as_a_document(file: File) -> None:
    with pytest.raises(Unspeakable, match=file.media_type):
        write_part(file, "user", native=False)
