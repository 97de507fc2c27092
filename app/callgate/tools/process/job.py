"""One running command with all the processes it starts: read to its end, and ended without remainder.

A thread of its own reads and ends it, so that it works the same on every event loop and while the loop is busy. POSIX.
"""

import logging
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from callgate.tools.process.job_output import JobOutput
from callgate.tools.process.launch import Launch

log = logging.getLogger(__name__)

GRACE_SECONDS = 2.0
"""Between the request to end and the end by force: enough to remove a lock file, short for a person who waits."""
ENDING_SECONDS = GRACE_SECONDS + 1.0
"""What ending a command may take: its own limit must come that much before the limit of every tool call."""
_LOOK_SECONDS = 0.1
"""How often a silent command is looked at."""
_CHUNK = 64 * 1024
_SWEEPS = 5
"""A process may fork while it is being looked for; more rounds than this mean that it can't be killed at all."""
_MARK = "CALLGATE_JOB"

_SHELL_SIGNALS = 128
"""Added to a signal's number by whatever watches a command that the signal has ended."""
_SIGNALS = frozenset(one.value for one in signal.Signals)

Ending = Literal["", "timeout", "stopped"]


class Job:
    def __init__(
        self,
        job_id: str,
        launch: Launch,
        output: JobOutput,
        *,
        seconds: float | None,
        on_end: Callable[[], None] | None = None,
    ) -> None:
        """Starts at once; raises `OSError` if the program can't be started, `ValueError` for a NUL in its arguments.

        A command in a sandbox dies with the thread that starts it: that must be one which lasts, such as the loop's.
        """
        self.id = job_id
        self.argv = tuple(launch.argv)
        self._launch = launch
        self.output = output
        self.started = time.monotonic()
        self.ended: float | None = None
        self.ending: Ending = ""
        self.left_processes = False
        """Whether something was still running when the command itself had ended."""
        self._deadline = None if seconds is None else self.started + seconds
        self._on_end = on_end
        self._over = threading.Event()
        self._mark = f"{_MARK}={job_id}".encode()
        self._stop = threading.Event()
        try:
            self._process = subprocess.Popen(
                launch.executed,
                cwd=launch.folder,
                env={**launch.environment, _MARK: job_id},
                stdin=launch.stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
                pass_fds=launch.descriptors,
            )
        except BaseException:
            launch.abandon()
            raise
        launch.started()
        threading.Thread(target=self._supervise, name=job_id, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    @property
    def exit_code(self) -> int | None:
        """Negative = ended by that signal; None = still running."""
        if not self.is_over:
            return None
        code = self._process.returncode
        died = self._launch.monitored and code - _SHELL_SIGNALS in _SIGNALS
        return _SHELL_SIGNALS - code if died else code

    @property
    def notes(self) -> tuple[str, ...]:
        """What it has done to the workspace that its output does not tell; nothing before it is over."""
        return self._launch.notes if self.is_over else ()

    @property
    def seconds(self) -> float:
        return (self.ended or time.monotonic()) - self.started

    def stop(self) -> None:
        """Asks it to end; returns at once."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Waits for its end; False = it still runs."""
        return self._over.wait(seconds)

    # ---- the thread ------------------------------------------------------------------------------------------------

    def _supervise(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream, selectors.DefaultSelector() as selector:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
            while self._process.poll() is None and not self._must_end():
                self._pump(selector, _LOOK_SECONDS)
            self._end_group(selector)
            self._end_strays()
            self._process.wait()
            # what the last processes wrote before they went; bounded, as one that can't be killed may go on
            deadline = time.monotonic() + GRACE_SECONDS
            while self._pump(selector, 0) and time.monotonic() < deadline:
                pass
        self.output.close()
        self.ended = time.monotonic()
        try:
            self.left_processes |= self._launch.ended() and not self.ending
        finally:
            self._over.set()
        if self._on_end is not None:
            self._on_end()

    def _must_end(self) -> bool:
        if self._stop.is_set():
            self.ending = "stopped"
        elif self._deadline is not None and time.monotonic() >= self._deadline:
            self.ending = "timeout"
        return bool(self.ending)

    def _pump(self, selector: selectors.BaseSelector, seconds: float) -> bool:
        """Waits for output and takes some; False = there was none."""
        if not selector.get_map():  # the output has been closed, the command may go on
            self._stop.wait(seconds)
            return False
        for key, _ in selector.select(seconds):
            data = os.read(key.fd, _CHUNK)
            if data:
                self.output.add(data)
                return True
            selector.unregister(key.fileobj)
        return False

    def _end_group(self, selector: selectors.BaseSelector) -> None:
        """Asks every process of the group to end, and makes those end that do not."""
        if self._process.poll() is not None:
            if not self._has_members():
                return
            self._noticed_leftovers()
        self._ask_to_end()
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            self._process.poll()
            if not self._has_members():
                return
            # a process may be stuck in writing: it ends only if somebody reads
            if not self._pump(selector, _LOOK_SECONDS / 4):
                time.sleep(_LOOK_SECONDS / 10)
        self._signal(signal.SIGKILL)

    def _has_members(self) -> bool:
        return self._signal(0) and has_living_member(self._process.pid)

    def _noticed_leftovers(self) -> None:
        # with what watches a command everything ends, but not in the same instant; its launch says what it left
        self.left_processes |= not self._launch.monitored

    def _ask_to_end(self) -> None:
        if not self._launch.monitored:
            self._signal(signal.SIGTERM)
            return
        # what watches the command would end at once, and all that it watches with it by force
        for pid in living_members(self._process.pid):
            if pid != self._process.pid:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGTERM)

    def _signal(self, number: int) -> bool:
        """Signals the whole group; False = there is none any more."""
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return False
        except PermissionError:
            return False  # what is left runs as somebody else: sudo
        return True

    def _end_strays(self) -> None:
        """Kills what has left the group, by setsid or by job control; known by the mark in its environment."""
        for _ in range(_SWEEPS):
            strays = marked_processes(self._mark)
            if not strays:
                return
            self._noticed_leftovers()
            for pid in strays:
                try:
                    os.kill(pid, signal.SIGKILL)
                except (ProcessLookupError, PermissionError):
                    continue  # ended by itself meanwhile, or has become somebody else
            time.sleep(_LOOK_SECONDS / 4)
        if strays := marked_processes(self._mark):
            log.warning("processes of %s could not be ended: %s", self.id, strays)


def has_living_member(group: int) -> bool:
    """Whether a process group that exists is more than zombies: in a container nobody may ever collect those."""
    return not Path("/proc/self/stat").exists() or next(living_members(group), None) is not None


def living_members(group: int) -> Iterator[int]:
    """The processes of a group, without zombies; none where the system does not tell (no /proc)."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, _, member_of = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue  # gone meanwhile
        if int(member_of) == group and state not in ("Z", "X"):
            yield int(entry.name)


def marked_processes(mark: bytes) -> list[int]:
    """Processes with a mark in their environment; none where the system does not tell (no /proc)."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            # a zombie's environment reads as empty, so that it is not found
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            continue  # gone meanwhile, or somebody else's
    return found
