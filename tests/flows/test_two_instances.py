"""A second Callgate on the same data folder harms nothing: it brings the first to the front, or says where it runs."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.fakes.running import RunningStation, running

from callgate.core.calls.invocation import Decision
from callgate.runtime.runtime import Launch, Runtime
from callgate.store.folder_lock import FolderInUse

COMMAND = str(Path(sys.executable).with_name("callgate"))
READY = "Callgate listening on "
SECONDS = 30.0


def options(folder: Path) -> list[str]:
    return ["--port", "0", "--data", str(folder / "data"), "--workspace", str(folder)]


def environment() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


@contextmanager
def first(folder: Path, *command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen(
        [COMMAND, *command, *options(folder)], stdout=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            assert process.stdout is not None
            line = next(line for line in process.stdout if line.startswith(READY))
            yield process, line.removeprefix(READY).strip()
        finally:
            process.kill()


def second(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [COMMAND, *command, *options(folder)], capture_output=True, text=True, timeout=SECONDS, env=environment()
    )


@contextmanager
def a_waiting_call(folder: Path) -> Iterator[RunningStation]:
    (folder / "notes.txt").write_text("buy milk\n", "utf-8")
    config = folder / "callgate.toml"
    config.write_text("", "utf-8")
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "#read_file Read notes.txt"}],
        "use_tools": True,
        "tool_execution": "auto",
    }
    with running(Launch(config, 0, folder, folder / "data", demo_pace_ms=0)) as runtime:
        url = f"{runtime.address}/v1/chat/completions"
        asking = threading.Thread(target=lambda: httpx.post(url, json=body, trust_env=False, timeout=SECONDS))
        asking.start()
        yield runtime
        asking.join(SECONDS)


def test_a_call_that_waits_in_one_is_not_cancelled_by_another(tmp_path: Path) -> None:
    with a_waiting_call(tmp_path) as runtime:
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        with pytest.raises(FolderInUse):
            Runtime(Launch(tmp_path / "callgate.toml", 0, tmp_path, tmp_path / "data"))
        said = second(tmp_path, "serve")
        assert said.returncode == 3
        assert runtime.address in said.stderr and f"process {os.getpid()}" in said.stderr
        assert runtime.decide(waiting, Decision("approve"))
        runtime.wait_for_state("Completed")
        entries = runtime.call(runtime.runtime.journal.audit())
        assert [(entry.state, entry.decided_by) for entry in entries] == [("Executing", "person")]


def test_a_second_window_brings_the_first_to_the_front_and_ends(tmp_path: Path) -> None:
    with first(tmp_path) as (process, address):
        said = second(tmp_path)
        assert (said.returncode, said.stderr.replace("This plugin does not support propagateSizeHints()\n", "")) == (
            0,
            "",
        )
        assert address in said.stdout and "brought to the front" in said.stdout
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0


def test_a_second_window_beside_one_without_says_so(tmp_path: Path) -> None:
    with first(tmp_path, "serve") as (process, address):
        said = second(tmp_path)
        assert said.returncode == 3
        assert address in said.stderr and "without a window" in said.stderr
        assert process.poll() is None


def test_a_killed_one_leaves_nothing_that_stops_the_next(tmp_path: Path) -> None:
    with first(tmp_path, "serve") as (process, _):
        process.kill()
        process.wait(SECONDS)
    assert (tmp_path / "data" / "callgate.sock").exists()
    with first(tmp_path, "serve") as (process, address):
        assert httpx.get(f"{address}/healthz", trust_env=False).status_code == 200
        assert address in second(tmp_path, "serve").stderr


def test_commands_that_look_work_beside_a_running_one_and_import_says_what_to_do(tmp_path: Path) -> None:
    with a_waiting_call(tmp_path) as runtime:
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        data = ["--data", str(tmp_path / "data")]
        for command in (["export", "--list"], ["audit", "export"], ["tools", "read_file"]):
            done = subprocess.run([COMMAND, *command, *data], capture_output=True, text=True, timeout=SECONDS)
            assert done.returncode == 0, done.stderr
        exported = tmp_path / "conversations.jsonl"
        subprocess.run([COMMAND, "export", "--all", "--out", str(exported), *data], timeout=SECONDS, check=True)
        done = subprocess.run(
            [COMMAND, "import", str(exported), *data], capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 2 and "already running" in done.stderr and "File → Open" in done.stderr
        runtime.decide(waiting, Decision("deny"))
    assert subprocess.run([COMMAND, "import", str(exported), *data], timeout=SECONDS).returncode == 0


def test_the_socket_can_be_asked_nothing_that_decides(tmp_path: Path) -> None:
    with a_waiting_call(tmp_path) as runtime:
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        path = tmp_path / "data" / "callgate.sock"
        assert path.stat().st_mode & 0o777 == 0o600
        for wish in (
            f"approve {waiting.id}",
            "decide",
            json.dumps({"verb": "approve", "id": waiting.id}),
            "x" * 10_000,
        ):
            with socket.socket(socket.AF_UNIX) as peer:
                peer.settimeout(SECONDS)
                peer.connect(str(path))
                peer.sendall(wish.encode() + b"\n")
                assert peer.recv(1000) == b""
        assert runtime.do(lambda: len(runtime.runtime.gate.waiting())) == 1
        runtime.decide(waiting, Decision("deny"))


def test_a_child_of_the_first_does_not_keep_the_lock(tmp_path: Path) -> None:
    runtime = Runtime(Launch(None, 0, tmp_path, tmp_path / "data"))
    assert runtime.lock is not None
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False):
        runtime.lock.release()
        runtime.database.close()
        again = Runtime(Launch(None, 0, tmp_path, tmp_path / "data"))
        assert again.lock is not None
        again.lock.release()
        again.database.close()
