"""`callgate export` writes what was asked for, says what it took out, and explains what it cannot do."""

import asyncio
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from tests.store.samples import a_conversation, started, wire_piece

from callgate.cli.export_command import Wanted, export, take_in
from callgate.cli.main import main
from callgate.core.errors import UserFault
from callgate.export.format import ExportOptions
from callgate.store.database import Database
from callgate.store.journal import Journal

KEY = "sk-abcdefgh0123456789"
SECONDS = 5


@pytest.fixture
def data(tmp_path: Path) -> Path:
    database = Database(tmp_path / "callgate.db")

    async def fill() -> None:
        journal = Journal(database, keep_secrets=True)
        for event in (*a_conversation(), wire_piece(), started("e2", "c2", 5e9, f"my key {KEY}")):
            journal.record(event)
        await journal.settled()

    asyncio.run(asyncio.wait_for(fill(), SECONDS))
    assert database.close()
    return tmp_path


def test_the_format_follows_the_name_of_the_file(data: Path) -> None:
    for name, begins in (
        ("a.html", "<!DOCTYPE"),
        ("a.md", "# Hello"),
        ("a.har", '{"log"'),
        ("a.otlp.json", '{"resource'),
        ("a.callgate.jsonl", '{"callgate"'),
        ("a.txt", '{"callgate"'),
    ):
        export(data / "callgate.db", Wanted(("c1",)), None, ExportOptions(), data / name)
        assert (data / name).read_text("utf-8").startswith(begins), name


def test_the_command_prints_to_standard_output_without_secrets(
    data: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["export", "--data", str(data), "--all"]) == 0
    out, err = capfdbinary.readouterr()
    assert KEY.encode() not in out and out.count(b'"callgate":"conversation"') == 2
    assert b"2 conversations as Callgate; taken out: 2" in err
    assert main(["export", "--data", str(data), "--since", "1d", "--no-redact", "--no-wire"]) == 0
    out, _ = capfdbinary.readouterr()
    assert KEY.encode() in out and out.count(b'"callgate":"conversation"') == 1
    assert all(orjson.loads(line) for line in out.splitlines())


def test_it_lists_and_takes_in(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(data), "--list"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == ["c2", "c1"]
    out = data / "talk.jsonl"
    assert main(["export", "--data", str(data), "--conversation", "c1", "--out", str(out)]) == 0
    assert main(["import", "--data", str(data), str(out)]) == 0
    assert "1 imported from talk.jsonl: imported_" in capsys.readouterr().out
    assert len(list(_ids(data))) == 3


def _ids(data: Path) -> list[str]:
    database = Database(data / "callgate.db")
    try:
        return [summary.id for summary in asyncio.run(Journal(database).conversations())]
    finally:
        database.close()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(), "Say which: --conversation ID, --all, or --since 7d. The latest are:\n  c2  my key"),
        (Wanted(("nope",)), "There is no conversation nope in this data folder."),
        (Wanted(since="tomorrow"), "--since takes a span such as 7d"),
    ],
)
def test_what_makes_no_sense_is_explained(data: Path, wanted: Wanted, said: str) -> None:
    with pytest.raises(UserFault) as problem:
        export(data / "callgate.db", wanted, None, ExportOptions(), data / "out.jsonl")
    assert said in str(problem.value)
    assert not (data / "out.jsonl").exists()


def test_places_that_cannot_be_read_or_written_are_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(UserFault, match="There is no journal"):
        export(tmp_path / "none" / "callgate.db", Wanted(everything=True), None, ExportOptions())
    with pytest.raises(UserFault, match="cannot be written"):
        export(data / "callgate.db", Wanted(everything=True), None, ExportOptions(), data / "no" / "file.html")
    with pytest.raises(UserFault, match="cannot be read"):
        take_in(data / "callgate.db", tmp_path / "nothing.jsonl")


def test_a_reader_that_has_seen_enough_is_no_error(data: Path) -> None:
    command = f"{sys.executable} -m callgate export --data {data} --all | head -c 10"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, timeout=30, check=False)
    assert b"Traceback" not in done.stderr
    assert done.stdout == b'{"callgate'
