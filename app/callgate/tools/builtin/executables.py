"""Running programs with arguments that are fixed here: bounded in time and output, never through a shell.

For looking at things only. What a model may word itself goes through `terminal`, where a person sees it.
"""

import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from callgate.tools.builtin.source import Stopped, ToolProblem
from callgate.tools.confinement import Confinement

_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    output: str
    errors: str
    is_cut: bool
    """Whether the output was longer than was asked for."""


def find_executable(name: str, workspace: Confinement, path: str | None = None) -> str | None:
    """Where a program is; one that lies in the workspace is not taken, as anybody may have put it there."""
    found = shutil.which(name, path=path)
    if found is None or not Path(found).is_absolute() or workspace.holds(Path(found).resolve()):
        return None
    return found


def run_fixed(
    argv: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    seconds: float,
    most_bytes: int,
    stop: threading.Event,
    text: bytes = b"",
) -> Answer:
    """Runs a program to its end, with `text` to read; raises `ToolProblem` when it takes too long."""
    # files instead of pipes: they never fill up, so nothing has to be read while it runs
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write(text)
        given.seek(0)
        with subprocess.Popen(
            argv, cwd=folder, env=dict(environment), stdin=given, stdout=output, stderr=errors
        ) as process:
            try:
                _wait(process, time.monotonic() + seconds, stop)
            except BaseException:
                process.kill()
                raise
        output.seek(0)
        errors.seek(0)
        data = output.read(most_bytes + 1)
        return Answer(
            process.returncode,
            data[:most_bytes].decode("utf-8", "replace"),
            errors.read(most_bytes).decode("utf-8", "replace"),
            len(data) > most_bytes,
        )


def _wait(process: "subprocess.Popen[bytes]", deadline: float, stop: threading.Event) -> None:
    name = Path(str(process.args[0] if isinstance(process.args, Sequence) else process.args)).name
    while process.poll() is None:
        if stop.wait(_LOOK_SECONDS):
            raise Stopped
        if time.monotonic() > deadline:
            raise ToolProblem(f"{name} took too long and was stopped")
