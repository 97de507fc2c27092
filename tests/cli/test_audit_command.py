"""`callgate audit`: what goes out can be checked by anybody, and no file ends in a traceback."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.store.samples import a_conversation

from callgate.cli import main as cli
from callgate.store.database import Database
from callgate.store.journal import Journal

SECONDS = 20


def recorded(folder: Path, decisions: int = 3) -> None:
    database = Database(folder / "callgate.db")
    journal = Journal(database)
    for number in range(decisions):
        for event in a_conversation(f"e{number}"):
            journal.record(event)
    asyncio.run(asyncio.wait_for(journal.settled(), 5))
    assert database.close()


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    recorded(tmp_path)
    out = tmp_path / "audit.jsonl"
    assert export(tmp_path, "--out", str(out)) == 0
    return out


def export(folder: Path, *more: str) -> int:
    return cli.main(["audit", "export", "--data", str(folder), *more])


def verify(file: Path, *more: str) -> int:
    return cli.main(["audit", "verify", str(file), *more])


def test_an_export_has_one_object_on_each_line_and_verifies(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [json.loads(line) for line in exported.read_text("ascii").splitlines()]
    assert [(entry["v"], entry["sequence"]) for entry in entries] == [(1, 1), (1, 2), (1, 3)]
    assert export(exported.parent, "--out", str(exported)) == 0
    assert verify(exported) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == ["3 entries, chain holds", f"last hash: {entries[-1]['hash']}"]
    assert said.err == said.out


def test_without_a_file_the_lines_go_to_standard_output(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert cli.main(["--data", str(exported.parent), "audit", "export"]) == 0
    assert capsys.readouterr().out == exported.read_text("ascii")


def test_an_edited_line_is_named(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = exported.read_text("ascii").splitlines()
    lines[1] = lines[1].replace('"decided_by":"rule"', '"decided_by":"person"')
    exported.write_text("\n".join(lines) + "\n", "ascii")
    assert verify(exported) == 1
    assert capsys.readouterr().out.startswith("line 2: edited: ")


def test_a_removed_line_and_a_cut_off_end_are_named(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = exported.read_text("ascii").splitlines(keepends=True)
    exported.write_text(first + third, "ascii")
    assert verify(exported) == 1
    assert capsys.readouterr().out == "line 2: removed: entry 2 is missing before this one\n"
    exported.write_text(first + second, "ascii")
    assert verify(exported) == 0
    assert verify(exported, "--last", json.loads(third)["hash"].upper()) == 1
    exported.write_text(first + second + third[:40], "ascii")
    assert verify(exported) == 1
    assert "line 3: truncated" in capsys.readouterr().out


def test_what_was_done_to_the_journal_itself_shows_at_once(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = Database(exported.parent / "callgate.db")
    database.submit(lambda c: c.execute("UPDATE audit SET body = 'ä\n' WHERE sequence = 2")).result(5)
    assert database.close()
    assert export(exported.parent, "--out", str(exported)) == 1
    assert "line 2: edited" in capsys.readouterr().err
    assert verify(exported) == 1


def test_nothing_decided_yet_is_an_empty_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path, decisions=0)
    assert export(tmp_path) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "0 entries, chain holds\n")


def test_where_there_is_no_journal_none_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["audit", "export", "--data", str(tmp_path / "nowhere")]) == 2
    assert "no journal" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()


def test_files_that_cannot_be_read_or_written_are_said_in_words(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = exported.parent
    assert verify(folder / "missing.jsonl") == 2
    assert verify(folder) == 2
    assert export(folder, "--out", str(folder)) == 2
    assert export(folder, "--out", str(folder / "a" / "b")) == 2
    said = capsys.readouterr().err
    assert said.count("cannot be read") == 2
    assert said.count("cannot be written") == 2


@pytest.mark.parametrize("junk", [b"\x00\xff" * 500, b"{\n", b"\n\n", "text in UTF-16".encode("utf-16")])
def test_a_file_of_anything_else_does_not_verify(tmp_path: Path, junk: bytes) -> None:
    file = tmp_path / "junk"
    file.write_bytes(junk)
    assert verify(file) == 1


def test_a_journal_of_another_program_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "callgate.db").write_text("mine", "ascii")
    assert export(tmp_path) == 2
    assert "is no journal of Callgate" in capsys.readouterr().err
    assert (tmp_path / "callgate.db").read_text("ascii") == "mine"


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    recorded(tmp_path, decisions=200)
    with subprocess.Popen(
        [sys.executable, "-m", "callgate", "audit", "export", "--data", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        assert process.wait(SECONDS) == 0
    assert said.startswith("200 entries, chain holds")
