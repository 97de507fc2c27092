import asyncio
import base64
from pathlib import Path

import pytest

from callgate.core.messages import File, Image, ResultPart, Text
from callgate.engine.gate import result_limit
from callgate.engine.gate.result_limit import ResultLimit


def applied(folder: Path, tokens: int, *parts: ResultPart) -> tuple[ResultPart, ...]:
    return asyncio.run(asyncio.wait_for(ResultLimit(folder, tokens).apply("inv_1", parts), 10))


def test_what_fits_is_left_alone_and_nothing_is_written(tmp_path: Path) -> None:
    parts = (Text("x" * 400), Image("image/png", "eA=="))
    assert applied(tmp_path / "r", 100, *parts) == parts
    assert not (tmp_path / "r").exists()


def test_a_long_text_keeps_its_beginning_and_end_and_all_of_it_is_in_a_file(tmp_path: Path) -> None:
    text = "begin " + "ü" * 5000 + " end"
    (short,) = applied(tmp_path / "r", 100, Text(text, {"uri": "u"}))
    assert isinstance(short, Text) and short.extras == {"uri": "u"}
    assert short.text.startswith("begin ü") and short.text.endswith("ü end")
    assert "of 2,502 tokens left out" in short.text
    kept = tmp_path / "r" / "inv_1-0.txt"
    assert str(kept) in short.text and kept.read_text("utf-8") == text
    assert kept.stat().st_mode & 0o077 == 0


def test_several_texts_share_the_limit(tmp_path: Path) -> None:
    first, second, third = applied(tmp_path, 100, Text("a" * 300), Text("b" * 300), Text("c" * 300))
    assert first == Text("a" * 300)
    assert isinstance(second, Text) and second.text.count("b") >= 99 and "left out" in second.text
    assert isinstance(third, Text) and third.text.startswith("[…") and "cc" not in third.text


def test_fifty_megabytes_become_a_few_kilobytes(tmp_path: Path) -> None:
    (short,) = applied(tmp_path, 1000, Text("x" * 50_000_000))
    assert isinstance(short, Text) and len(short.text) < 5000
    assert (tmp_path / "inv_1-0.txt").stat().st_size == 50_000_000


def test_zero_means_no_limit_for_text(tmp_path: Path) -> None:
    assert applied(tmp_path, 0, Text("x" * 1_000_000)) == (Text("x" * 1_000_000),)


def test_a_huge_picture_is_kept_and_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_limit, "MOST_MEDIA_BYTES", 100)
    data = base64.b64encode(b"p" * 300).decode()
    picture, file, small = applied(
        tmp_path, 0, Image("image/png", data), File("x/y", "?" * 200), Image("image/png", "eA==")
    )
    assert isinstance(picture, Text) and "a picture (image/png, 300 bytes)" in picture.text
    assert (tmp_path / "inv_1-0").read_bytes() == b"p" * 300
    assert isinstance(file, Text) and (tmp_path / "inv_1-1").read_bytes() == b"?" * 200
    assert small == Image("image/png", "eA==")


def test_a_disk_that_is_full_costs_the_file_and_not_the_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    (short,) = applied(tmp_path / "file" / "r", 10, Text("x" * 1000))
    assert isinstance(short, Text) and "could not be kept" in short.text
