"""Every kind of part has its fate: given as it is, as text, or kept aside with a note."""

import asyncio
import base64
from pathlib import Path

import pytest

from callgate.core.messages import File, Image, ResultPart, Text
from callgate.engine.gate.result_limit import Fate, ResultLimit, fate


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def applied(folder: Path, *parts: ResultPart, for_model: bool = True) -> tuple[ResultPart, ...]:
    limit = ResultLimit(folder, 100)
    return asyncio.run(asyncio.wait_for(limit.apply("inv_1", parts, for_model=for_model), 5))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Text("x"), "given"),
        (Image("image/png", "eA=="), "given"),
        (Image(url="https://x.example/a.tiff"), "given"),
        (File("application/pdf", "eA=="), "given"),
        (Image("image/svg+xml", "eA=="), "text"),
        (File("text/csv; charset=utf-8", "eA=="), "text"),
        (File("application/vnd.api+json", "eA=="), "text"),
        (Image("image/tiff", "eA=="), "kept"),
        (File("application/zip", "eA=="), "kept"),
        (File("", "eA=="), "kept"),
        (File("audio/wav", "eA=="), "kept"),
    ],
)
def test_the_fate_of_a_part(part: ResultPart, expected: Fate) -> None:
    assert fate(part) == expected


def test_a_file_of_text_is_read_and_counts_as_text(tmp_path: Path) -> None:
    (text,) = applied(tmp_path, File("application/json", encoded('{"a":1}'), name="a.json"))
    assert text == Text('a.json:\n{"a":1}')
    (long,) = applied(tmp_path, File("text/plain", encoded("y" * 5000)))
    assert isinstance(long, Text)
    assert "left out" in long.text


def test_a_file_that_no_model_reads_is_kept_and_said(tmp_path: Path) -> None:
    (note,) = applied(tmp_path, File("application/zip", encoded("PK!"), name="a.zip"))
    assert isinstance(note, Text)
    assert "a file a.zip (application/zip, 3 bytes)" in note.text
    assert str(tmp_path / "inv_1-0") in note.text
    assert (tmp_path / "inv_1-0").read_bytes() == b"PK!"


def test_a_recording_is_kept_and_still_given(tmp_path: Path) -> None:
    (sound,) = applied(tmp_path, File("audio/wav", encoded("RIFF")))
    assert isinstance(sound, File)
    assert sound.data == encoded("RIFF")
    assert str(tmp_path / "inv_1-0") in sound.name


def test_a_program_gets_every_file_as_it_is(tmp_path: Path) -> None:
    parts = (File("application/zip", encoded("PK!")), File("text/plain", encoded("hello")))
    assert applied(tmp_path, *parts, for_model=False) == parts
    assert list(tmp_path.iterdir()) == []
