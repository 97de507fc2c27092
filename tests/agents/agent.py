"""A real command-line agent, started as a person would start it in a script, and what became of it."""

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.agents.errand import Call, Place

FOLDER = Path(os.environ.get("CALLGATE_AGENTS") or Path(sys.prefix) / "agents").resolve()
PROGRAMS = FOLDER / "node_modules" / ".bin"
SECONDS = 60.0
"""Bound of one run. An agent needs two to ten seconds, most of them for its own start."""
KEY = "sk-of-the-agent"
WARNED = ("cache_control", "prompt_cache_key", "metadata", "does not think")
"""Expected in `x-callgate-warnings` of any agent: hints for caches, and who it is, have no word elsewhere and change no
answer; gpt-4.1 does not think."""


@dataclass(frozen=True)
class Ran:
    code: int | None
    """None: it did not end in time, and was ended."""
    output: str
    errors: str


class Agent:
    """How one agent is started. Subclasses, one a file, know its flags, files and tools."""

    name = ""
    wire = ""
    warns: tuple[str, ...] = ()
    """What else is expected in `x-callgate-warnings`; each was looked at."""

    def unable(self, model: str) -> str:
        """Why it can't be sent to a model, of its own accord; empty = it can."""
        return ""

    def program(self) -> Path:
        """What is executed; need not be there."""
        raise NotImplementedError

    def arguments(self, place: Place) -> list[str]:
        raise NotImplementedError

    def environment(self, place: Place) -> dict[str, str]:
        return {}

    def furnish(self, place: Place) -> None:
        """Writes its configuration, where it has any."""

    def reads(self, place: Place, path: Path) -> Call:
        """The call with which the model makes it read a file."""
        raise NotImplementedError

    def asks(self, server: str, tool: str, arguments: dict[str, Any]) -> list[Call]:
        """The calls, one after the other, with which the model makes it ask an MCP server."""
        raise NotImplementedError

    def look_for(self) -> None:
        """Skips the test where it can't be had."""
        if not self.program().exists():
            why = FOLDER / "missing"
            reason = why.read_text("utf-8") if why.exists() else "`make agents` has it"
            pytest.skip(f"{self.program().name} is not here: {reason}")

    def run(self, place: Place) -> Ran:
        place.furnish()
        self.furnish(place)
        return _run([str(self.program()), *self.arguments(place)], self._environment(place), place)

    def tells(self, place: Place, *arguments: str) -> str:
        """What it says of itself."""
        command = (str(self.program()), *arguments)
        said = subprocess.run(command, env=self._environment(place), capture_output=True, timeout=SECONDS, check=True)
        return said.stdout.decode()

    def _environment(self, place: Place) -> dict[str, str]:
        usual = {name: os.environ[name] for name in KEPT if name in os.environ}
        own = {"HOME": str(place.home), "LANG": "C.UTF-8", "CI": "1", "NO_COLOR": "1", "TERM": "dumb"}
        return usual | own | self.environment(place)


KEPT = ("PATH", *(f"{word}_PROXY" for word in ("HTTP", "HTTPS", "ALL", "NO")))
"""The proxies are `offline`'s own where it has no namespace; node reads none of them in small letters only."""


def node_program(script: str) -> Path:
    return PROGRAMS / script


def platform_program(*names: str) -> Path:
    """A program that npm brings as a package for this platform; its own installing script was not run."""
    machine = "arm64" if os.uname().machine in ("arm64", "aarch64") else "x64"
    system = "darwin" if sys.platform == "darwin" else "linux"
    found = (FOLDER / "node_modules" / name.format(platform=f"{system}-{machine}") for name in names)
    paths = list(found)
    return next((path for path in paths if path.exists()), paths[0])


def _run(command: list[str], environment: dict[str, str], place: Place) -> Ran:
    output, errors = place.home / ".output", place.home / ".errors"
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command,
            cwd=place.workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            code: int | None = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(process, place.home)
    return Ran(code, output.read_text("utf-8", "replace"), errors.read_text("utf-8", "replace"))


def _end(process: "subprocess.Popen[bytes]", home: Path) -> None:
    """With whatever it started and left behind; what lives in its home is known by that (Cline's hub goes on alone)."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(SECONDS)
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"HOME={home}".encode() in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)
