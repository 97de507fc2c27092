"""Images and files."""

import pytest

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.messages import File, Image, Json
from callgate.wire.gemini_generate.media import read_inline, read_uri, write_media


@pytest.mark.parametrize(
    ("part", "written"),
    [
        (Image("image/png", "iVBO"), {"inlineData": {"mimeType": "image/png", "data": "iVBO"}}),
        (Image(url="data:image/gif;base64,R0lG"), {"inlineData": {"mimeType": "image/gif", "data": "R0lG"}}),
        (
            Image(url="https://e.org/a.JPG?x=1"),
            {"fileData": {"mimeType": "image/jpeg", "fileUri": "https://e.org/a.JPG?x=1"}},
        ),
        (Image(url="https://e.org/a"), {"fileData": {"mimeType": "image/png", "fileUri": "https://e.org/a"}}),
        (File("", "JVBE", name="a.pdf"), {"inlineData": {"mimeType": "application/pdf", "data": "JVBE"}}),
    ],
)
def test_foreign_media_is_spelled_with_the_type_that_the_wire_demands(
    part: Image | File, written: dict[str, Json]
) -> None:
    assert write_media(part, same=False) == written


def test_another_providers_file_is_refused() -> None:
    with pytest.raises(Unspeakable):
        write_media(File(file_id="file_1"), same=False)


@pytest.mark.parametrize("mime", ["image/png", "application/pdf"])
def test_the_wires_own_media_comes_back_as_it_was(mime: str) -> None:
    blob: dict[str, Json] = {"mimeType": mime, "data": "AAAA", "displayName": "n", "novel": 1}
    file: dict[str, Json] = {"mimeType": mime, "fileUri": "gs://b/a", "displayName": "n", "novel": 1}
    beside: dict[str, Json] = {"videoMetadata": {"fps": 1}}
    assert write_media(read_inline(Fields(blob), dict(beside)), same=True) == {"inlineData": blob, **beside}
    assert write_media(read_uri(Fields(file), dict(beside)), same=True) == {"fileData": file, **beside}


def test_what_is_no_address_is_left_to_the_provider_to_refuse() -> None:
    assert write_media(Image(url="http://[no"), same=False)["fileData"] == {
        "mimeType": "image/png",
        "fileUri": "http://[no",
    }
