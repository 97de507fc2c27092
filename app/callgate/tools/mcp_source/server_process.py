"""A server's process: started in a group of its own, and never left behind.

Not the SDK's `stdio_client`: that one shows neither process id nor exit code, takes up to six seconds to stop a
stubborn server, and leaves it running if the stopping task is cancelled again meanwhile.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, SubprocessStreamProtocol
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from callgate.core.errors import UserFault

STDIN_GRACE_SECONDS = 0.3
"""A server should leave when its stdin closes; together the three waits stay under a second for the caller."""
TERM_GRACE_SECONDS = 0.25
KILL_GRACE_SECONDS = 0.25
"""Nobody survives SIGKILL: this is only the time until the system says so."""
_POLL_SECONDS = 0.01
_DRAIN_SECONDS = 0.25
"""After the exit, for what is still in the pipe; a grandchild may hold the pipe open for good."""
_BUFFER = 1 << 20
_NO_WINDOW = subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0
"""Other systems know no such flag, and take only 0."""


class CannotStart(UserFault):
    """The command can't be run as it is configured: trying again would not help."""


class _Pipes(SubprocessStreamProtocol):
    """stdout through a reader with back-pressure; stderr straight to its listener, so that it can never block."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_stderr: Callable[[bytes], None]) -> None:
        super().__init__(limit=_BUFFER, loop=loop)
        self.exited = asyncio.Event()
        self._on_stderr = on_stderr

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        if fd == 2 and isinstance(data, bytes):
            self._on_stderr(data)
        else:
            super().pipe_data_received(fd, data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 2:
            self._on_stderr(b"")
        super().pipe_connection_lost(fd, exc)

    def process_exited(self) -> None:
        super().process_exited()
        self.exited.set()
        if self.stdout is not None and not self.stdout.at_eof():
            asyncio.get_running_loop().call_later(_DRAIN_SECONDS, self.stdout.feed_eof)


class ServerProcess:
    def __init__(self, transport: asyncio.SubprocessTransport, pipes: _Pipes) -> None:
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        self.stdin: asyncio.StreamWriter = pipes.stdin
        self.stdout: asyncio.StreamReader = pipes.stdout
        self.exited = pipes.exited
        self.pid = transport.get_pid()
        self._transport = transport
        self._over = False
        """True: nothing of the group is left, so its id may belong to a stranger by now."""

    @classmethod
    async def spawn(
        cls, argv: Sequence[str], env: Mapping[str, str], cwd: Path, on_stderr: Callable[[bytes], None]
    ) -> "ServerProcess":
        if not await asyncio.to_thread(cwd.is_dir):
            raise CannotStart(f"The folder {cwd} in which to run '{argv[0]}' does not exist.")
        loop = asyncio.get_running_loop()
        try:
            transport, pipes = await loop.subprocess_exec(
                lambda: _Pipes(loop, on_stderr),
                *_runnable(argv, env),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=dict(env),
                cwd=str(cwd),
                start_new_session=sys.platform != "win32",
                creationflags=_NO_WINDOW,
            )
        except FileNotFoundError as missing:
            raise CannotStart(f"The command '{argv[0]}' was not found. Is it installed and on the PATH?") from missing
        except PermissionError as refused:
            raise CannotStart(f"The command '{argv[0]}' may not be run: {refused.strerror}.") from refused
        except (OSError, ValueError) as bad:
            raise CannotStart(f"The command '{argv[0]}' can't be run: {bad}.") from bad
        return cls(transport, pipes)

    @property
    def exit_code(self) -> int | None:
        return self._transport.get_returncode()

    async def stop(self) -> None:
        """Closes stdin, then asks, then kills; whatever interrupts this, nothing stays behind."""
        try:
            self.stdin.close()
            if await self._gone_within(STDIN_GRACE_SECONDS):
                return
            self._signal_group("SIGTERM")
            if await self._gone_within(TERM_GRACE_SECONDS):
                return
            self.kill()
            await self._gone_within(KILL_GRACE_SECONDS)
        finally:
            self.kill()
            self._transport.close()

    def kill(self) -> None:
        """At once and without waiting: the process and everything it has started."""
        if not self._gone():
            self._signal_group("SIGKILL")

    async def _gone_within(self, seconds: float) -> bool:
        """Whether the process and its whole group end in time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not self._gone():
            if loop.time() >= until:
                return False
            await asyncio.sleep(_POLL_SECONDS)
        return True

    def _gone(self) -> bool:
        if not self._over and self.exit_code is not None:
            self._over = sys.platform == "win32" or not _group_lives(self.pid)
        return self._over

    def _signal_group(self, name: str) -> None:
        if sys.platform == "win32":
            if self.exit_code is None:
                # Windows has no group signals; taskkill ends the tree while its root still stands
                subprocess.Popen(
                    ["taskkill", "/T", "/F", "/PID", str(self.pid)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    creationflags=_NO_WINDOW,
                )
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.Signals[name])


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _runnable(argv: Sequence[str], env: Mapping[str, str]) -> Sequence[str]:
    """On Windows `npx` and its like are scripts, which only their full names start."""
    if sys.platform == "win32":
        return [shutil.which(argv[0], path=env.get("PATH")) or argv[0], *argv[1:]]
    return argv
