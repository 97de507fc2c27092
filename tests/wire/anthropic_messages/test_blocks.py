"""Content blocks and parts."""

import base64

import pytest

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import File, Image, Json, Opaque, Reasoning, Text, ToolCall, ToolResult
from callgate.wire.anthropic_messages.blocks import (
    as_string,
    own_signature,
    read_block,
    read_content,
    write_file,
    write_image,
    write_plain,
    write_result,
    write_text,
)

MARK: dict[str, Json] = {"type": "ephemeral"}


def _read(block: dict[str, Json]) -> object:
    return read_block(Fields(block, "messages.0.content.0", "."))


def test_text_keeps_what_is_not_known_of_it() -> None:
    assert _read({"type": "text", "text": "a", "cache_control": MARK}) == Text("a", {"cache_control": MARK})


def test_a_signature_belongs_to_this_wire_unless_it_is_our_envelope() -> None:
    assert _read({"type": "thinking", "thinking": "t", "signature": "Eq"}) == Reasoning("t", "Eq", wire="anthropic")
    assert _read({"type": "thinking", "thinking": "t", "signature": "cg1.abc"}) == Reasoning("t", "cg1.abc")
    assert _read({"type": "thinking", "thinking": "t", "signature": ""}) == Reasoning("t")
    redacted = _read({"type": "redacted_thinking", "data": "Em"})
    assert redacted == Reasoning(signature="Em", redacted=True, wire="anthropic")


def test_a_call_is_read_with_its_input_as_text() -> None:
    call = _read({"type": "tool_use", "id": "a", "name": "f", "input": {"x": "ü"}, "toolset_name": "computer"})
    assert call == ToolCall("a", "f", '{"x":"ü"}', extras={"toolset_name": "computer"})


def test_an_input_that_is_no_object_is_refused_by_name() -> None:
    with pytest.raises(BadRequest) as caught:
        _read({"type": "tool_use", "id": "a", "name": "f", "input": "x"})
    assert caught.value.fault.param == "messages.0.content.0.input"


@pytest.mark.parametrize("type", ["server_tool_use", "web_search_tool_result", "mcp_tool_use", "never_seen"])
def test_what_only_this_wire_has_is_opaque_and_never_a_call(type: str) -> None:
    block: dict[str, Json] = {"type": type, "id": "x", "name": "web_search", "input": {}}
    assert _read(block) == Opaque("anthropic", block)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (None, ()),
        ("", ()),
        ("ok", (Text("ok"),)),
        ([{"type": "text", "text": "ok"}], (Text("ok"),)),
        ({"a": 1}, (Text('{"a":1}'),)),
        (7, (Text("7"),)),
    ],
)
def test_a_results_content_is_read_in_every_form(content: Json, parts: tuple[Text, ...]) -> None:
    read = _read({"type": "tool_result", "tool_use_id": "a", "content": content})
    assert read == ToolResult("a", parts)


def test_blocks_inside_a_result_that_have_no_neutral_form_are_told_as_text_and_come_back_whole() -> None:
    found: dict[str, Json] = {
        "type": "search_result",
        "title": "Rome",
        "source": "https://e.org",
        "content": [{"type": "text", "text": "showers"}],
    }
    reference: dict[str, Json] = {"type": "tool_reference", "tool_name": "f"}
    result = _read({"type": "tool_result", "tool_use_id": "a", "content": [found, reference]})
    assert isinstance(result, ToolResult)
    assert result.text == 'Rome\nhttps://e.org\nshowers\n{"type":"tool_reference","tool_name":"f"}'
    assert write_result(result, "a", same=True)["content"] == [found, reference]
    foreign = write_result(result, "a", same=False)["content"]
    assert [block["type"] for block in foreign] == ["text", "text"]  # type: ignore[union-attr,index,call-overload]


def test_a_document_made_of_blocks_is_told_as_text() -> None:
    content: list[Json] = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    part = _read({"type": "document", "title": "T", "source": {"type": "content", "content": content}})
    assert isinstance(part, Text)
    assert part.text == "T\none\ntwo"


def test_a_plain_text_document_becomes_a_file_and_comes_back() -> None:
    block: dict[str, Json] = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "naïve"},
        "title": "n.txt",
    }
    part = _read(block)
    assert part == File("text/plain", base64.b64encode("naïve".encode()).decode(), name="n.txt")
    assert isinstance(part, File)
    assert write_file(part, same=True) == block


def test_unknown_fields_of_a_source_come_back() -> None:
    block: dict[str, Json] = {"type": "image", "source": {"type": "url", "url": "https://e.org/a", "hint": 1}}
    part = _read(block)
    assert isinstance(part, Image)
    assert write_image(part, same=True) == block


def test_an_image_of_an_unknown_source_is_kept_word_for_word() -> None:
    block: dict[str, Json] = {"type": "image", "source": {"type": "hologram"}}
    assert _read(block) == Opaque("anthropic", block)


def test_a_data_address_becomes_inline_data() -> None:
    image = write_image(Image(url="data:image/png;base64,iVBO"), same=False)
    assert image["source"] == {"type": "base64", "media_type": "image/png", "data": "iVBO"}
    document = write_file(File(url="data:application/pdf;base64,JVBE", name="r"), same=False)
    assert document["source"] == {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}
    assert document["title"] == "r"


def test_files_that_are_images_or_text_are_sent_as_such() -> None:
    assert write_file(File("image/png", "iVBO"), same=False)["type"] == "image"
    text = write_file(File("application/json", base64.b64encode(b"{}").decode()), same=False)
    assert text["source"] == {"type": "text", "media_type": "text/plain", "data": "{}"}
    assert write_file(File(url="https://e.org/a.pdf"), same=False)["source"] == {
        "type": "url",
        "url": "https://e.org/a.pdf",
    }


@pytest.mark.parametrize(
    "part",
    [File("audio/wav", "UklG"), File(file_id="file-1"), File("text/plain", "not base64!")],
)
def test_a_file_that_cannot_be_sent_is_refused(part: File) -> None:
    with pytest.raises(Unspeakable):
        write_file(part, same=False)


def test_another_providers_file_id_is_refused_and_our_own_is_not() -> None:
    with pytest.raises(Unspeakable):
        write_image(Image(file_id="file-1"), same=False)
    assert write_image(Image(file_id="file-1"), same=True)["source"] == {"type": "file", "file_id": "file-1"}


def test_foreign_extras_stay_behind_except_cache_marks() -> None:
    assert write_text(Text("a", {"annotations": [], "cache_control": MARK}), same=False) == {
        "type": "text",
        "text": "a",
        "cache_control": MARK,
    }


def test_empty_text_is_never_written() -> None:
    assert write_text(Text(""), same=True) is None
    assert write_plain((Text(""),), same=False) == ""
    assert "content" not in write_result(ToolResult("a", (Text(""),)), "a", same=False)


def test_a_single_plain_text_is_a_string_and_anything_more_is_blocks() -> None:
    assert as_string([{"type": "text", "text": "a"}]) == "a"
    marked: dict[str, Json] = {"type": "text", "text": "a", "cache_control": MARK}
    assert as_string([marked]) == [marked]
    assert read_content(Fields({"content": "a"})) == (Text("a"),)


def test_an_error_said_aloud_to_be_none_comes_back_as_it_came() -> None:
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": "a", "content": "x", "is_error": False}
    part = _read(block)
    assert isinstance(part, ToolResult)
    assert write_result(part, "a", same=True) == block
    assert "is_error" not in write_result(part, "a", same=False)
    assert write_result(ToolResult("a", is_error=True), "a", same=False)["is_error"] is True


def test_clients_see_only_signatures_that_are_this_wires_or_ours() -> None:
    assert own_signature("Eq", "anthropic") == "Eq"
    assert own_signature("cg1.x", "gemini") == "cg1.x"
    assert own_signature("Ao", "gemini") == ""


def test_a_file_without_a_type_is_what_its_name_says() -> None:
    words = base64.b64encode(b"hi").decode()
    assert write_file(File(data=words, name="a.txt"), same=False)["source"] == {
        "type": "text",
        "media_type": "text/plain",
        "data": "hi",
    }
    assert write_file(File(data="AAAA", name="a.png"), same=False)["type"] == "image"
    assert write_file(File(data="AAAA", name="a"), same=False)["source"] == {
        "type": "base64",
        "media_type": "application/pdf",
        "data": "AAAA",
    }


def test_a_film_is_no_document_wherever_it_is() -> None:
    with pytest.raises(Unspeakable, match="video/mp4"):
        write_file(File("video/mp4", url="https://e.org/a.mp4"), same=False)
