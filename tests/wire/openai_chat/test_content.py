"""Parts of a message's content, both ways."""

import base64

import pytest

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import File, Image, Json, Opaque, Part, Refusal, Text
from callgate.wire.dialects import DIALECTS
from callgate.wire.openai_chat.content import ContentWriter, read_content


def read(content: Json) -> tuple[Part, ...]:
    return read_content(Fields({"content": content}, "messages[0]"))


@pytest.mark.parametrize("content", ["", None])
def test_empty_content_has_no_parts(content: Json) -> None:
    assert read(content) == ()


def test_an_embedded_image_is_taken_apart_and_a_linked_one_kept_as_a_link() -> None:
    embedded: dict[str, Json] = {"url": "data:image/png;base64,AAAA", "detail": "high"}
    assert read([{"type": "image_url", "image_url": embedded}]) == (Image("image/png", "AAAA", detail="high"),)
    assert read([{"type": "image_url", "image_url": "https://e.org/a.png"}]) == (Image(url="https://e.org/a.png"),)


def test_audio_and_files_are_attachments_with_a_type() -> None:
    audio: Json = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}
    file: Json = {"type": "file", "file": {"file_data": "AAAA", "filename": "a.bin"}}
    assert read([audio, file]) == (File("audio/mp3", "AAAA"), File("", "AAAA", name="a.bin"))


def test_unknown_parts_are_kept_word_for_word() -> None:
    part: dict[str, Json] = {"type": "video_url", "video_url": {"url": "https://e.org/a.mp4"}}
    assert read([part]) == (Opaque("openai-chat", part),)
    assert ContentWriter(own=True).write_part(Opaque("openai-chat", part)) == part


@pytest.mark.parametrize(
    ("content", "param"),
    [
        (5, "messages[0].content"),
        ([5], "messages[0].content[0]"),
        ([{"text": "a"}], "messages[0].content[0].type"),
        ([{"type": "text"}], "messages[0].content[0].text"),
        ([{"type": "image_url", "image_url": {}}], "messages[0].content[0].image_url.url"),
        ([{"type": "input_audio", "input_audio": {"format": "wav"}}], "messages[0].content[0].input_audio.data"),
        ([{"type": "file"}], "messages[0].content[0].file"),
    ],
)
def test_a_malformed_part_is_refused_by_name(content: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read(content)
    assert caught.value.fault.param == param


def test_one_text_is_a_string_and_several_parts_an_array() -> None:
    writer = ContentWriter(own=False)
    assert writer.write([]) == ""
    assert writer.write([Text("a")]) == "a"
    assert writer.write([Text("a"), Text("b")]) == [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]


def test_extras_go_back_to_their_own_wire_only() -> None:
    part = Text("a", {"cache_control": {"type": "ephemeral"}})
    assert ContentWriter(own=True).write([part]) == [
        {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}
    ]
    assert ContentWriter(own=False).write([part]) == "a"


def test_a_text_document_of_another_wire_is_said_as_text() -> None:
    data = base64.b64encode("naïve".encode()).decode()
    written = ContentWriter(own=False).write_part(File("text/plain", data, name="a.txt"))
    assert written == {"type": "text", "text": "a.txt\n\nnaïve"}


def test_a_nameless_file_gets_a_name_beside_its_data() -> None:
    written = ContentWriter(own=False).write_part(File("application/pdf", "AAAA"))
    assert written == {"type": "file", "file": {"file_data": "data:application/pdf;base64,AAAA", "filename": "file"}}


def test_foreign_audio_is_spelled_by_its_format() -> None:
    written = ContentWriter(own=False).write_part(File("audio/mpeg", "AAAA"))
    assert written == {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}
    assert ContentWriter(own=False).write_part(Refusal("no")) == {"type": "refusal", "refusal": "no"}


@pytest.mark.parametrize(
    "part",
    [
        Opaque("anthropic", {"type": "container_upload"}),
        File("audio/flac", "AAAA"),
        File(url="https://e.org/a.pdf"),
        File(file_id="file_of_somebody_else"),
        Image(file_id="file_1"),
    ],
)
def test_what_cannot_be_said_is_refused_not_dropped(part: Part) -> None:
    with pytest.raises(Unspeakable):
        ContentWriter(own=False).write_part(part)


def test_a_server_that_fetches_nothing_is_not_sent_links() -> None:
    with pytest.raises(Unspeakable, match="ollama"):
        ContentWriter(own=True, dialect=DIALECTS["ollama"]).write_part(Image(url="https://e.org/a.png"))
