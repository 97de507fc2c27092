import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from callgate.tools.process import job as job_module
from callgate.tools.process.job import Job, marked_processes
from callgate.tools.process.job_output import JobOutput
from callgate.tools.process.launch import Launch

SECONDS = 5.0
"""Bound of every wait."""


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Starts jobs and sees to it that none outlives the test."""
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.3)
    jobs: list[Job] = []

    def begin(command: str, seconds: float | None = None, **more: object) -> Job:
        output = JobOutput(tmp_path / "out" / f"{len(jobs)}.log")
        argv = ("/bin/sh", "-c", command)
        job_id = f"job_test{os.getpid()}_{len(jobs)}"
        job = Job(job_id, Launch(argv, tmp_path, dict(os.environ)), output, seconds=seconds, **more)  # type: ignore[arg-type]
        jobs.append(job)
        return job

    yield begin
    for job in jobs:
        job.stop()
        assert job.wait(SECONDS)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and only not yet collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


def pids_written(folder: Path, count: int) -> list[int]:
    """The pids that a command writes to files named `pid.*`, once all are there."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        texts = [file.read_text("utf-8").strip() for file in folder.glob("pid.*")]
        if len(texts) >= count and all(texts):
            return [int(text) for text in texts]
        threading.Event().wait(0.01)
    raise AssertionError("the processes never started")


def test_output_and_exit_code_arrive(start, tmp_path: Path) -> None:
    job = start("echo out; echo err >&2; pwd; exit 3")
    assert job.wait(SECONDS)
    assert job.exit_code == 3 and job.ending == "" and not job.left_processes
    assert job.output.text() == f"out\nerr\n{tmp_path}\n"


def test_there_is_nothing_to_read_from(start) -> None:
    job = start("read line; echo \"got '$line'\"")
    assert job.wait(SECONDS)
    assert job.output.text() == "got ''\n"


def test_a_command_is_ended_at_its_deadline_with_what_it_wrote(start) -> None:
    job = start("echo begun; sleep 100", seconds=0.3)
    assert job.wait(SECONDS)
    assert job.ending == "timeout" and job.exit_code == -15 and job.output.text() == "begun\n"


def test_a_command_that_closes_its_output_is_still_waited_for(start) -> None:
    job = start("exec >/dev/null 2>&1; sleep 0.3; exit 7")
    assert job.wait(SECONDS)
    assert job.exit_code == 7 and job.seconds > 0.25


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_command_that_ignores_the_request_and_forks_is_ended_whole(start, tmp_path: Path) -> None:
    command = """
    trap '' TERM
    for n in 1 2 3; do
        ( trap '' TERM; sh -c 'echo $$ > pid.'$n'; trap "" TERM; while :; do sleep 1; done' ) &
    done
    echo $$ > pid.shell
    while :; do sleep 1; done
    """
    job = start(command)
    pids = pids_written(tmp_path, 4)
    assert all(map(is_alive, pids))
    job.stop()
    assert job.wait(SECONDS)
    assert job.exit_code == -9
    assert not [pid for pid in pids if is_alive(pid)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_what_a_command_leaves_behind_is_ended(start, tmp_path: Path) -> None:
    job = start("sleep 100 & echo $! > pid.1; echo done")
    assert job.wait(SECONDS)
    assert job.exit_code == 0 and job.left_processes and job.output.text() == "done\n"
    assert not is_alive(pids_written(tmp_path, 1)[0])


@pytest.mark.skipif(shutil.which("setsid") is None or not Path("/proc").is_dir(), reason="needs setsid and /proc")
def test_what_leaves_the_group_is_ended_too(start, tmp_path: Path) -> None:
    job = start("setsid sh -c 'echo $$ > pid.1; trap \"\" TERM HUP; sleep 100' & while [ ! -s pid.1 ]; do :; done")
    assert job.wait(SECONDS)
    assert job.left_processes
    assert not is_alive(pids_written(tmp_path, 1)[0])


def test_a_tidy_command_may_clean_up_when_it_is_asked_to_end(start, tmp_path: Path) -> None:
    job = start("trap 'echo cleaned; exit 0' TERM; echo $$ > pid.1; while :; do sleep 0.05; done")
    pids_written(tmp_path, 1)
    job.stop()
    assert job.wait(SECONDS)
    assert job.exit_code == 0 and job.output.text().endswith("cleaned\n")


def test_a_writer_that_never_stops_is_ended(start) -> None:
    job = start("yes", seconds=0.3)
    assert job.wait(SECONDS)
    assert job.ending == "timeout" and job.output.size > 0


def test_fifty_megabytes_arrive_in_full(start) -> None:
    job = start("head -c 52428800 /dev/zero | tr '\\0' x; echo; echo end")
    assert job.wait(SECONDS)
    assert job.output.size == 52428800 + 5 and job.exit_code == 0
    assert job.output.path.stat().st_size == job.output.size
    assert job.output.text().endswith("x\nend\n") and len(job.output.text()) < 70_000


def test_the_end_is_announced_once(start) -> None:
    ends: list[int] = []
    job = start("true", on_end=lambda: ends.append(1))
    assert job.wait(SECONDS)
    deadline = time.monotonic() + SECONDS
    while not ends and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert ends == [1]


def test_no_process_bears_a_mark_that_was_never_given() -> None:
    assert marked_processes(b"CALLGATE_JOB=never-given") == []
