"""While the journal cannot be written, nothing that has effects runs by rule, and everything says so."""

import json
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.crash.peers import Peers, peers
from tests.fakes.running import RunningStation, running

from callgate.core.calls.invocation import Decision
from callgate.core.events import InvocationChanged, JournalChanged
from callgate.runtime.runtime import Launch

COMMAND = str(Path(sys.executable).with_name("callgate"))
READY = "Callgate listening on "
SECONDS = 20.0
COMMANDS = 20
FULL = 100
"""Bytes that a file may have: no page of a database fits, as on a full disk."""

CONFIG = """
[[upstreams]]
name = "provider"
wire = "openai-chat"
base_url = "{provider}"

[[rules]]
verdict = "allow"
tool = "{tool}"
"""


@pytest.fixture
def around() -> Iterator[Peers]:
    with peers() as found:
        yield found


def configured(folder: Path, around: Peers, tool: str) -> Path:
    (folder / "workspace").mkdir()
    path = folder / "callgate.toml"
    path.write_text(CONFIG.format(provider=around.provider, tool=tool), "utf-8")
    return path


def until(condition: Callable[[], bool], what: str) -> None:
    """Polls another process, which tells nobody of its changes."""
    pause, end = threading.Event(), time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, what
        pause.wait(0.02)


def ask(address: str, task: str, tool: str = "", *, stream: bool = False) -> httpx.Response:
    headers = {"x-callgate-tools": tool, "x-callgate-execution": "auto"} if tool else {}
    body = {"model": "m", "stream": stream, "messages": [{"role": "user", "content": f"Do {task}"}]}
    return httpx.post(f"{address}/v1/chat/completions", json=body, headers=headers, trust_env=False, timeout=SECONDS)


# ---- a process on a full disk --------------------------------------------------------------------------------------


@dataclass
class Served:
    process: subprocess.Popen[str]
    address: str
    errors: Path

    def fill_disk(self) -> None:
        _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (FULL, hard))

    def free_disk(self) -> None:
        _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (hard, hard))

    def health(self) -> dict[str, object]:
        return httpx.get(f"{self.address}/healthz", trust_env=False).json()["journal"]

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(SECONDS) == 0, self.errors.read_text("utf-8")


@contextmanager
def served(folder: Path, config: Path, *more: str) -> Iterator[Served]:
    options = ["--port", "0", "--data", str(folder / "data"), "--workspace", str(folder / "workspace")]
    errors = folder / "stderr"
    with errors.open("a") as said:
        process = subprocess.Popen(
            [COMMAND, "serve", *options, "--config", str(config), *more], stdout=subprocess.PIPE, stderr=said, text=True
        )
    try:
        assert process.stdout is not None
        line = next((line for line in process.stdout if line.startswith(READY)), "")
        assert line, errors.read_text("utf-8")
        yield Served(process, line.removeprefix(READY).strip(), errors)
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stdout.close()  # type: ignore[union-attr]


def audit(folder: Path) -> tuple[list[dict[str, object]], str]:
    done = subprocess.run(
        [COMMAND, "audit", "export", "--data", str(folder / "data")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


@pytest.mark.parametrize("on_ask", ["deny", "allow"])
def test_on_a_full_disk_no_command_runs_unrecorded_and_it_says_when_it_works_again(
    tmp_path: Path, around: Peers, on_ask: str
) -> None:
    config = configured(tmp_path, around, "run_command")
    with served(tmp_path, config, "--on-ask", on_ask) as program:
        assert ask(program.address, "task-denied-0", "run_command").status_code == 200
        assert (tmp_path / "workspace" / "task-denied-0").exists()
        program.fill_disk()
        for number in range(1, COMMANDS + 1):
            answer = ask(program.address, f"task-denied-{number:x}", "run_command")
            assert answer.status_code == 200 and "and more" in answer.text
            assert number == 1 or "it cannot be written" in answer.headers["x-callgate-warnings"]
        assert [path.name for path in (tmp_path / "workspace").iterdir()] == ["task-denied-0"]
        health = program.health()
        assert health["ok"] is False and health["failing_since"] and health["why"]
        assert "The journal cannot be written since" in program.errors.read_text("utf-8")
        program.free_disk()
        until(lambda: program.health()["ok"] is True, "the journal never worked again")
        until(lambda: "can be written again" in program.errors.read_text("utf-8"), "it was not said")
        assert ask(program.address, "task-denied-ff", "run_command").status_code == 200
        assert (tmp_path / "workspace" / "task-denied-ff").exists()
        program.end()
    entries, said = audit(tmp_path)
    assert "chain holds" in said
    assert [entry["verdict"] for entry in entries] == ["allow", *["ask"] * COMMANDS, "allow"]
    assert all(entry["decided_by"] == "setting" and entry["reason"] == "Denied" for entry in entries[1:-1])


@pytest.mark.parametrize("stream", [False, True])
def test_answers_in_words_go_on_with_a_warning(tmp_path: Path, around: Peers, stream: bool) -> None:
    config = configured(tmp_path, around, "run_command")
    with served(tmp_path, config) as program:
        program.fill_disk()
        ask(program.address, "task-text-0")  # by now it is found out
        for number in range(1, 3):
            answer = ask(program.address, f"task-text-{number}", stream=stream)
            assert answer.status_code == 200 and "and more" in answer.text
            said = answer.headers.get("x-callgate-warnings", "") + answer.text
            assert "journal: it cannot be written" in said


def test_ended_on_a_full_disk_the_next_start_says_that_decisions_may_be_missing(tmp_path: Path, around: Peers) -> None:
    config = configured(tmp_path, around, "run_command")
    with served(tmp_path, config) as program:
        program.fill_disk()
        assert ask(program.address, "task-denied-1", "run_command").status_code == 200
        program.process.kill()
        program.process.wait(SECONDS)
    with served(tmp_path, config) as program:
        program.end()
    entries, said = audit(tmp_path)
    assert [entry["stage"] for entry in entries] == ["gap"]
    assert "an unknown number of decisions was not recorded" in said and "chain holds" in said
    with served(tmp_path, config) as program:
        program.end()
    assert len(audit(tmp_path)[0]) == 1


# ---- a person looks on ---------------------------------------------------------------------------------------------


@contextmanager
def replaced(data: Path) -> Iterator[None]:
    """Another file stands where the journal is, until this is left."""
    journal, aside = data / "callgate.db", data / "aside"
    journal.rename(aside)
    journal.write_bytes(b"")
    yield
    aside.replace(journal)


def asked(runtime: RunningStation, task: str, tool: str) -> threading.Thread:
    thread = threading.Thread(target=ask, args=(runtime.address, task, tool))
    thread.start()
    return thread


def waiting_unrecorded(runtime: RunningStation, tool: str) -> str:
    def found(events: list[object]) -> str | None:
        for event in events:
            if isinstance(event, InvocationChanged) and event.invocation.is_waiting:
                verdict = event.invocation.verdict
                if event.invocation.tool == tool and verdict is not None and verdict.unrecorded:
                    return event.invocation.id
        return None

    return runtime.wait_for(found, SECONDS)


def works_again(events: list[object]) -> JournalChanged | None:
    last = next((event for event in reversed(events) if isinstance(event, JournalChanged)), None)
    return last if last is not None and not last.is_failing else None


def test_a_person_may_approve_single_calls_and_what_waits_goes_on_when_it_works_again(
    tmp_path: Path, around: Peers
) -> None:
    config = configured(tmp_path, around, "write_file")
    launch = Launch(config, 0, tmp_path / "workspace", tmp_path / "data")
    with running(launch) as runtime:
        with replaced(tmp_path / "data"):
            ask(runtime.address, "task-text-1")  # it is found out by now
            first = asked(runtime, "task-file-1", "write_file")
            waiting = waiting_unrecorded(runtime, "write_file")
            assert list((tmp_path / "workspace").iterdir()) == []
            invocation = runtime.do(lambda: runtime.runtime.gate.waiting()[0])
            assert invocation.verdict is not None and not invocation.verdict.grantable
            assert runtime.decide(invocation, Decision("approve"))
            first.join(SECONDS)
            assert (tmp_path / "workspace" / "task-file-1.txt").exists()
            runtime.events.clear()
            second = asked(runtime, "task-file-2", "write_file")
            assert waiting_unrecorded(runtime, "write_file") != waiting
            assert not (tmp_path / "workspace" / "task-file-2.txt").exists()
        assert runtime.wait_for(works_again, SECONDS).missing == 0
        second.join(SECONDS)  # the rule counts again
        assert (tmp_path / "workspace" / "task-file-2.txt").exists()
        entries = runtime.call(runtime.runtime.journal.audit())
        assert [(entry.decided_by, entry.verdict) for entry in entries] == [("rule", "allow"), ("person", "ask")]


def test_a_card_that_waits_already_is_told(tmp_path: Path, around: Peers) -> None:
    config = configured(tmp_path, around, "list_directory")
    with running(Launch(config, 0, tmp_path / "workspace", tmp_path / "data")) as runtime:
        asking = asked(runtime, "task-file-1", "write_file")
        invocation = runtime.wait_for_state("WaitingForConfirmation", "write_file")
        assert invocation.verdict is not None and not invocation.verdict.unrecorded
        with replaced(tmp_path / "data"):
            ask(runtime.address, "task-text-1")
            waiting_unrecorded(runtime, "write_file")
        runtime.wait_for(works_again, SECONDS)
        invocation = runtime.do(lambda: runtime.runtime.gate.waiting()[0])
        assert invocation.verdict is not None and not invocation.verdict.unrecorded
        runtime.decide(invocation, Decision("deny"))
        asking.join(SECONDS)


def test_a_journal_that_is_removed_is_put_back_with_everything_in_it(tmp_path: Path, around: Peers) -> None:
    config = configured(tmp_path, around, "write_file")
    with running(Launch(config, 0, tmp_path / "workspace", tmp_path / "data")) as runtime:
        ask(runtime.address, "task-file-1", "write_file")
        for path in (tmp_path / "data").glob("callgate.db*"):
            path.unlink()
        ask(runtime.address, "task-text-2")
        runtime.wait_for(works_again, SECONDS)
        ask(runtime.address, "task-file-3", "write_file")
        assert len(runtime.call(runtime.runtime.journal.audit())) == 2
        assert len(runtime.call(runtime.runtime.journal.conversations())) == 3
    entries, said = audit(tmp_path)
    assert len(entries) == 2 and "chain holds" in said
