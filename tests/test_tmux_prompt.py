"""The prompt in the terminal, under tmux: a real screen, real keys."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

SECONDS = 20.0
"""A whole program starts, on a machine that may be busy."""


class Screen:
    def __init__(self, socket: Path, command: list[str]) -> None:
        self._tmux = ["tmux", "-S", str(socket)]
        self._run("new-session", "-d", "-x", "110", "-y", "50", shlex.join(command))

    def text(self) -> str:
        return self._run("capture-pane", "-p")

    def type(self, line: str) -> None:
        self._run("send-keys", "-l", line)
        self._run("send-keys", "Enter")

    def press(self, key: str) -> None:
        self._run("send-keys", key)

    def wait_for(self, text: str, count: int = 1) -> str:
        return until(lambda: self.text() if self.text().count(text) >= count else "", f"{text!r} on the screen")

    def close(self) -> None:
        self._run("kill-server")

    def _run(self, *arguments: str) -> str:
        ran = subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, timeout=SECONDS, check=True)
        return ran.stdout


def until(found: Callable[[], str], what: str) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.05)  # another program's screen tells nobody that it has changed
    raise AssertionError(f"there was never {what}")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("kept\n")
    return folder


@pytest.fixture
def screen(tmp_path: Path, workspace: Path) -> Iterator[Screen]:
    served = [sys.executable, "-m", "callgate", "serve", "--on-ask", "prompt", "--port", "0"]
    served += ["--data", str(tmp_path / "data"), "--workspace", str(workspace)]
    environment = [f"{key}={value}" for key, value in os.environ.items() if key.startswith(("XDG_", "HOME", "PATH"))]
    opened = Screen(tmp_path / "tmux", ["env", *environment, *served])
    yield opened
    opened.close()


def test_two_waiting_calls_are_put_one_after_the_other_and_decided_by_keys(screen: Screen, workspace: Path) -> None:
    shown = screen.wait_for("listening on http")
    address = shown[shown.index("http://") :].split()[0]
    answers: dict[str, str] = {}

    def ask(name: str) -> None:
        body = {
            "model": "callgate-demo",
            "use_tools": True,
            "tool_execution": "auto",
            "messages": [{"role": "user", "content": f"delete the file {name}"}],
        }
        reply = httpx.post(f"{address}/v1/chat/completions", json=body, timeout=SECONDS)
        answers[name] = reply.json()["choices"][0]["message"]["content"]

    asking = [threading.Thread(target=ask, args=(name,)) for name in ("a.txt", "b.txt")]
    for thread in asking:
        thread.start()
    first = "a.txt" if '"a.txt"' in screen.wait_for("[a]pprove") else "b.txt"
    second = "b.txt" if first == "a.txt" else "a.txt"
    assert json.dumps(second) not in screen.text(), "one question at a time"
    screen.type("d")
    screen.wait_for("Reason")
    screen.type("leave it")
    screen.wait_for("[a]pprove", 2)
    screen.type("a")
    for thread in asking:
        thread.join(SECONDS)
    assert "leave it" in answers[first] and (workspace / first).exists()
    assert "Deleted" in answers[second] and not (workspace / second).exists()
    screen.press("C-c")
