"""The script that restricts itself and becomes the command."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from callgate.tools.process import landlock_launcher
from callgate.tools.process.landlock_launcher import landlock_version

needs_landlock = pytest.mark.skipif(landlock_version() == 0, reason="this kernel has no Landlock")


def launch(policy: object, *command: str, parent: int | None = None) -> "subprocess.CompletedProcess[str]":
    with tempfile.TemporaryFile() as file:
        file.write(json.dumps(policy).encode())
        file.seek(0)
        script = (sys.executable, "-I", "-S", landlock_launcher.__file__, str(file.fileno()))
        return subprocess.run(
            (*script, str(parent or os.getpid()), *command),
            pass_fds=(file.fileno(),),
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )


def allowing(*write: Path) -> dict[str, object]:
    read = [str(path) for path in Path("/").iterdir() if not path.is_symlink()]
    return {"list": ["/"], "read": read, "write": [*map(str, write), "/gone-since"], "tcp": False}


@needs_landlock
def test_it_allows_what_the_policy_says_and_nothing_else(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    done = launch(allowing(inside), "/bin/sh", "-c", f"echo x > {inside}/f; echo y > {outside}/f; cat {inside}/f")
    assert done.stdout == "x\n" and "Permission denied" in done.stderr and not (outside / "f").exists()


@needs_landlock
def test_it_becomes_the_command_and_starts_fast(tmp_path: Path) -> None:
    assert launch(allowing(tmp_path), "/bin/sh", "-c", "exit 7").returncode == 7
    assert launch(allowing(tmp_path), "/bin/sh", "-c", "kill -9 $$").returncode == -9
    missing = launch(allowing(tmp_path), "no-such-program")
    assert missing.returncode == 127 and "no-such-program" in missing.stderr


@needs_landlock
def test_a_pipe_that_is_closed_ends_the_command_as_usual(tmp_path: Path) -> None:
    assert launch(allowing(tmp_path), "/bin/sh", "-c", "trap '' 0; kill -PIPE $$; echo survived").stdout == ""


def test_nothing_runs_once_its_parent_has_gone(tmp_path: Path) -> None:
    assert launch(allowing(tmp_path), "/bin/sh", "-c", "echo ran", parent=1).stdout == ""


def test_a_policy_that_the_kernel_refuses_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = {"list": [], "read": ["/proc/self/fd/0/not-a-folder"], "write": [], "tcp": False}
    done = launch(refused, "/bin/sh", "-c", "echo ran")
    assert "ran" not in done.stdout and done.returncode != 0
