import os
import stat
from pathlib import Path

import pytest

from callgate.tools.process import job_output
from callgate.tools.process.job_output import HEAD_KEPT, LIVE_KEPT, TAIL_KEPT, JobOutput, plain, prune


def test_a_short_output_is_kept_whole_and_needs_no_file(tmp_path: Path) -> None:
    output = JobOutput(tmp_path / "out" / "a.log")
    output.add(b"one\n")
    output.add(b"two\n")
    assert stat.S_IMODE(output.path.stat().st_mode) == 0o600
    output.close()
    assert output.is_whole and output.text() == "one\ntwo\n" and not output.path.exists()
    assert output.lines(2, 5) == ["two"]


def test_a_long_output_keeps_head_and_tail_and_is_saved_in_full(tmp_path: Path) -> None:
    output = JobOutput(tmp_path / "a.log")
    data = b"".join(b"line %06d\n" % n for n in range(20_000))
    for start in range(0, len(data), 1000):
        output.add(data[start : start + 1000])
    output.close()
    text = output.text()
    assert text.startswith("line 000000\n") and text.endswith("line 019999\n")
    assert f"[… {len(data) - HEAD_KEPT - TAIL_KEPT:,} bytes left out …]" in text
    assert len(text) < HEAD_KEPT + TAIL_KEPT + 100
    assert output.path.read_bytes() == data and output.saved_note() == ""
    assert output.lines(10_001, 10_002) == ["line 010000", "line 010001"]


def test_one_piece_larger_than_all_that_is_kept_is_cut_the_same_way(tmp_path: Path) -> None:
    output = JobOutput(tmp_path / "a.log")
    output.add(b"<" + b"x" * 1_000_000 + b">")
    output.close()
    text = output.text()
    assert text.startswith("<xx") and text.endswith("xx>") and len(text) < HEAD_KEPT + TAIL_KEPT + 100


def test_an_endless_output_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_output, "MOST_SAVED", 100_000)
    output = JobOutput(tmp_path / "a.log")
    for _ in range(30):
        output.add(b"x" * 10_000)
    output.close()
    assert output.path.stat().st_size == 100_000 and output.size == 300_000
    assert "first 100,000 bytes" in output.saved_note()


def test_live_viewers_get_whole_lines_once(tmp_path: Path) -> None:
    output = JobOutput(tmp_path / "a.log")
    output.add(b"one\ntw")
    assert output.take_fresh() == "one\n" and output.take_fresh() == ""
    output.add(b"o\nthr")
    assert output.take_fresh() == "two\n"
    assert output.take_fresh(all_of_it=True) == "thr"
    output.add(b"y\n" * LIVE_KEPT)
    fresh = output.take_fresh()
    assert fresh.startswith(f"[… {LIVE_KEPT:,} bytes not shown …]\n") and len(fresh) < LIVE_KEPT + 100
    output.close()


def test_colours_and_cursor_movements_are_taken_out() -> None:
    assert plain(b"\x1b[1;31mred\x1b[0m \x1b]0;title\x07done \xff") == "red done \ufffd"


def test_the_oldest_saved_outputs_are_removed_first(tmp_path: Path) -> None:
    for number in range(3):
        file = tmp_path / f"{number}.log"
        file.write_bytes(b"x" * 10)
        os.utime(file, (number, number))
    prune(tmp_path, 20)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.log", "2.log"]
    prune(tmp_path / "missing", 0)
