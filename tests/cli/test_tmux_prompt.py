"""The prompt in a real terminal: the whole program, real keys; on a pty, and under tmux where that is there."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import httpx
import pytest

SECONDS = 20.0
"""A whole program starts, on a machine that may be busy."""


class Screen(Protocol):
    def text(self) -> str: ...
    def type(self, line: str) -> None: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


class TmuxScreen:
    def __init__(self, socket: Path, command: list[str]) -> None:
        self._tmux = ["tmux", "-S", str(socket)]
        self._run("new-session", "-d", "-x", "110", "-y", "200", shlex.join(command))

    def text(self) -> str:
        return self._run("capture-pane", "-p")

    def type(self, line: str) -> None:
        self._run("send-keys", "-l", line)
        self._run("send-keys", "Enter")

    def interrupt(self) -> None:
        self._run("send-keys", "C-c")

    def close(self) -> None:
        self._run("kill-server")

    def _run(self, *arguments: str) -> str:
        ran = subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, timeout=SECONDS, check=True)
        return ran.stdout


class PtyScreen:
    """Without tmux: a terminal of our own, of which all that was written is kept."""

    def __init__(self, command: list[str]) -> None:
        self._ours, theirs = os.openpty()
        self._program = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, close_fds=True
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._seen = b""

    def text(self) -> str:
        try:
            while more := os.read(self._ours, 65536):
                self._seen += more
        except OSError:
            pass  # nothing more for now, or the program is gone
        return self._seen.decode("utf-8", "replace").replace("\r\n", "\n")

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def interrupt(self) -> None:
        self._program.send_signal(signal.SIGINT)

    def close(self) -> None:
        if self._program.poll() is None:
            self._program.terminate()
        self._program.wait(SECONDS)
        os.close(self._ours)


def wait_for(screen: Screen, text: str, count: int = 1) -> str:
    return until(lambda: screen.text() if screen.text().count(text) >= count else "", f"{text!r} on the screen")


def until(found: Callable[[], str], what: str) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.05)  # another program's screen tells nobody that it has changed
    raise AssertionError(f"there was never {what}")


NAMES = ("a.txt", "b.txt", "c.txt", "d.txt")
OTHER = "other.txt"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    for name in (*NAMES, OTHER):
        (folder / name).write_text("kept\n")
    return folder


@pytest.fixture(params=["pty", "tmux"])
def screen(request: pytest.FixtureRequest, tmp_path: Path, workspace: Path) -> Iterator[Screen]:
    served = [sys.executable, "-m", "callgate", "serve", "--on-ask", "prompt", "--port", "0"]
    served += ["--data", str(tmp_path / "data"), "--workspace", str(workspace)]
    environment = [f"{key}={value}" for key, value in os.environ.items() if key.startswith(("XDG_", "HOME", "PATH"))]
    command = ["env", *environment, *served]
    if request.param == "tmux" and shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    opened = TmuxScreen(tmp_path / "tmux", command) if request.param == "tmux" else PtyScreen(command)
    yield opened
    opened.close()


def asked_about(screen: Screen, question: int) -> str:
    """The file that the question of this number is about; it is the only one on the screen since the one before."""
    shown = wait_for(screen, "[a]pprove", question)
    current = shown.split(" wants to run ")[question]
    (name,) = [name for name in (*NAMES, OTHER) if json.dumps(name) in current]
    return name


def test_waiting_calls_are_put_one_after_the_other_and_decided_by_each_verb(screen: Screen, workspace: Path) -> None:
    shown = wait_for(screen, "listening on http")
    address = shown[shown.index("http://") :].split()[0]
    answers: dict[str, str] = {}

    def ask(name: str) -> None:
        body = {
            "model": "callgate-demo",
            "use_tools": True,
            "tool_execution": "auto",
            "messages": [{"role": "user", "content": f"delete the file {name}"}],
        }
        reply = httpx.post(f"{address}/v1/chat/completions", json=body, timeout=3 * SECONDS)
        answers[name] = reply.json()["choices"][0]["message"]["content"]

    asking = [threading.Thread(target=ask, args=(name,)) for name in NAMES]
    for thread in asking:
        thread.start()
    denied = asked_about(screen, 1)
    screen.type("d")
    wait_for(screen, "Reason, told to the model")
    screen.type("leave it")
    answered = asked_about(screen, 2)
    screen.type("r")
    wait_for(screen, "in place of the tool's")
    screen.type("It was gone already")
    edited = asked_about(screen, 3)
    screen.type("e")
    wait_for(screen, "New arguments as one line of JSON")
    screen.type(json.dumps({"path": OTHER}))
    # what the edited call would delete was not shown yet, so that is asked about anew
    last = {asked_about(screen, 4)}
    screen.type("a")
    last.add(asked_about(screen, 5))
    screen.type("a")
    (approved,) = last - {OTHER}
    for thread in asking:
        thread.join(3 * SECONDS)
    assert "leave it" in answers[denied] and (workspace / denied).exists()
    assert "It was gone already" in answers[answered] and (workspace / answered).exists()
    assert (workspace / edited).exists() and not (workspace / OTHER).exists()
    assert "Deleted" in answers[approved] and not (workspace / approved).exists()
    assert {denied, answered, edited, approved} == set(NAMES)
    screen.interrupt()
