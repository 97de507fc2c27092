"""The way from a second `callgate` to the one that runs already on the same data folder.

A socket in the data folder, for the same user only. It tells where the first runs and raises its window; there is
nothing else that it could be asked, and never anything that decides. On Windows there is none.
"""

import asyncio
import contextlib
import json
import logging
import os
import socket
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from callgate import __version__

log = logging.getLogger(__name__)

NAME: Final = "callgate.sock"
SECONDS: Final = 2.0
"""How long either side waits for the other."""
START_SECONDS: Final = 5.0
"""How long a first instance may take from its lock to its socket."""
RAISE_SECONDS: Final = 1.0
"""The window is raised no more often than that: any program of the user can ask for it."""
_LONGEST: Final = 100
"""Bytes of a socket's path that every system takes."""
_MOST_BYTES: Final = 256
_MOST_PEERS: Final = 16

Wish = Literal["where", "raise"]


@dataclass(frozen=True, slots=True)
class About:
    """What the first instance says of itself."""

    address: str
    version: str
    has_window: bool


class InstanceSocket:
    """Listens from `open` to `close`. `raise_window`: None = there is no window."""

    def __init__(self, folder: Path, address: Callable[[], str], raise_window: Callable[[], None] | None) -> None:
        self._folder = folder
        self._address = address
        self._raise_window = raise_window
        self._raised_at = 0.0
        self._server: asyncio.Server | None = None
        self.peers = 0

    async def open(self) -> None:
        """Without it only a second instance can say less, so where it cannot be, the program goes on."""
        if not hasattr(socket, "AF_UNIX") or sys.platform == "win32":
            return
        try:
            listener = _listener(self._folder)
        except OSError as error:
            log.info("a second Callgate cannot find this one: %s", error)
            return
        self._server = await asyncio.get_running_loop().create_unix_server(lambda: _Peer(self), sock=listener)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            (self._folder / NAME).unlink(missing_ok=True)

    def answer(self, wish: object) -> About | None:
        """None = that is nothing that can be asked."""
        if wish not in ("where", "raise"):
            return None
        if wish == "raise" and self._raise_window is not None and time.monotonic() - self._raised_at > RAISE_SECONDS:
            self._raised_at = time.monotonic()
            self._raise_window()
        return About(self._address(), __version__, self._raise_window is not None)


class _Peer(asyncio.Protocol):
    """One line in, one line out."""

    def __init__(self, owner: InstanceSocket) -> None:
        self._owner = owner
        self._read = b""
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._owner.peers += 1
        self._limit = asyncio.get_running_loop().call_later(SECONDS, transport.abort)
        if self._owner.peers > _MOST_PEERS or not _is_same_user(transport.get_extra_info("socket")):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._read += data
        if b"\n" not in self._read and len(self._read) <= _MOST_BYTES:
            return
        said = self._owner.answer(self._read.partition(b"\n")[0].decode("ascii", "replace"))
        if said is not None:
            self._transport.write(json.dumps(asdict(said)).encode("ascii") + b"\n")
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._owner.peers -= 1
        if self._limit is not None:
            self._limit.cancel()


def ask(folder: Path, wish: Wish, seconds: float = START_SECONDS) -> About | None:
    """Asks the instance that holds the folder's lock, which may just be starting; None = it does not answer."""
    if not hasattr(socket, "AF_UNIX") or sys.platform == "win32":
        return None
    until = time.monotonic() + seconds
    while True:
        try:
            return _asked(folder, wish)
        except (OSError, ValueError, TypeError):
            if time.monotonic() > until:
                return None
        time.sleep(0.05)


def _asked(folder: Path, wish: Wish) -> About:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        peer.settimeout(SECONDS)
        with _short_path(folder) as path:
            peer.connect(path)
        if not _is_same_user(peer):
            raise OSError("another user listens there")
        peer.sendall(wish.encode("ascii") + b"\n")
        with peer.makefile("rb") as answer:
            said = json.loads(answer.readline(_MOST_BYTES * 4))
    return About(str(said["address"]), str(said["version"]), said["has_window"] is True)


def _listener(folder: Path) -> socket.socket:
    path = folder / NAME
    if path.is_symlink() or path.exists():
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(f"{path} is no socket")
        path.unlink()  # of an instance that was killed: this one holds the lock
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        os.fchmod(listener.fileno(), 0o600)  # the file is made with this mode, not changed to it afterwards
        with _short_path(folder) as short:
            listener.bind(short)
        path.chmod(0o600)
        listener.listen(_MOST_PEERS)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


@contextlib.contextmanager
def _short_path(folder: Path) -> Iterator[str]:
    """The socket's path; where that is too long for a socket, the same file by way of its open folder."""
    whole = str(folder / NAME)
    if len(os.fsencode(whole)) <= _LONGEST:
        yield whole
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{opened}/{NAME}"
    finally:
        os.close(opened)


def _is_same_user(peer: socket.socket) -> bool:
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the folder and the socket are closed to others
    _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return user == os.getuid()
