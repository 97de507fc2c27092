"""`callgate accept`: only a person at a terminal answers, and never a program that Callgate started."""

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from callgate.cli import accept_command
from callgate.core.config.widening import FileChange, compare
from callgate.core.errors import UserFault
from callgate.runtime.runtime import Launch

COMMAND = str(Path(sys.executable).with_name("callgate"))
RULES = '[[rules]]\nverdict = "allow"\ntool = "git"\n'


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    """A data folder into which another program has written a rule."""
    work, data = tmp_path / "work", tmp_path / "data"
    work.mkdir()
    data.mkdir()
    (data / "rules.toml").write_text(RULES, "utf-8")
    return Launch(None, 0, work, data)


def waits(launch: Launch) -> bool:
    return bool(accept_command.read_all(launch).changes())


def at_terminal(argv: list[str], answer: str) -> tuple[int, str]:
    """Runs a command that has a terminal of its own, as a person's has, and types when it asks."""
    person, program = pty.openpty()

    def own() -> None:
        os.setsid()
        fcntl.ioctl(program, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(argv, stdin=program, stdout=program, stderr=program, preexec_fn=own)
    os.close(program)
    said, ends, typed = b"", time.monotonic() + 60, False
    while time.monotonic() < ends:
        if not select.select([person], [], [], 0.1)[0]:
            continue
        try:
            said += os.read(person, 4096)
        except OSError:  # the last program has closed it
            break
        if b"[y/N]" in said and not typed:
            typed = True
            os.write(person, f"{answer}\n".encode())
    code = process.wait(10)
    os.close(person)
    return code, said.decode("utf-8", "replace")


def words(launch: Launch) -> list[str]:
    return ["accept", "--data", str(launch.data), "--workspace", str(launch.workspace)]


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1), ("", 1)])
def test_a_person_sees_the_difference_and_answers(launch: Launch, answer: str, code: int) -> None:
    done, said = at_terminal([COMMAND, *words(launch)], answer)
    assert done == code and "Allows git without asking" in said and '+ tool = "git"' in said
    assert waits(launch) is (code == 1)
    if code == 0:
        assert "Nothing to accept" in at_terminal([COMMAND, *words(launch)], "")[1]


def test_a_pipe_accepts_nothing(launch: Launch) -> None:
    done = subprocess.run(
        [COMMAND, *words(launch)], input="y\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2 and "Only a person at a terminal" in done.stderr
    assert "Allows git" in done.stdout and waits(launch)


def test_a_terminal_without_being_its_session_accepts_nothing(launch: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    person, program = pty.openpty()
    done = subprocess.run(
        [COMMAND, *words(launch)], stdin=program, stdout=program, stderr=subprocess.PIPE, text=True, timeout=60,
        check=False, start_new_session=True,
    )  # fmt: skip
    os.close(person)
    os.close(program)
    assert done.returncode == 2 and "no controlling terminal" in done.stderr and waits(launch)


def test_a_program_that_callgate_started_accepts_nothing(launch: Launch, tmp_path: Path) -> None:
    parent = tmp_path / "callgate"
    parent.write_text(f"import subprocess, sys\nsys.exit(subprocess.call({[COMMAND, *words(launch)]!r}))\n", "utf-8")
    code, said = at_terminal([sys.executable, str(parent)], "y")
    assert code == 2 and "Callgate itself started this process" in said and waits(launch)


@pytest.mark.parametrize(
    ("line", "is_own"),
    [
        (["/usr/bin/python3", "/usr/bin/callgate", "serve"], True),
        (["callgate.exe"], True),
        (["python", "-m", "callgate", "serve"], True),
        (["bash"], False),
        (["vim", "callgate.toml"], False),
        (["grep", "-m", "callgate"], True),
        ([], False),
    ],
)
def test_callgate_is_known_by_its_command_line(line: list[str], is_own: bool) -> None:
    assert accept_command._is_callgate(line) is is_own


def test_a_broken_configuration_is_said(launch: Launch, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[[", "utf-8")
    with pytest.raises(UserFault, match=r"c\.toml"):
        accept_command.read_all(Launch(config, 0, launch.workspace, launch.data))


def test_what_a_file_says_does_not_drive_the_terminal() -> None:
    found = {'rule:{"tool":"x"}': {"verdict": "allow", "tool": "x\x1b[2J\u202ey"}}
    said = accept_command.described([FileChange("f", "/f", compare("f", {}, found).widenings)])
    assert "\x1b" not in said and "\u202e" not in said
