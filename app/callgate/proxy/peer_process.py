"""Which program is behind a connection on loopback, as far as the platform tells: on Linux by `/proc`.

A socket has an inode; `/proc/net/tcp` names it by its two addresses, `/proc/PID/fd` says who holds it. Both are only a
fact to show and to count by, never a proof: a program can pass its socket on.
"""

import asyncio
import logging
import os
import socket
import struct
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

Address = tuple[str, int]
_KNOWN_SECONDS = 10.0
"""After that a port may belong to another program."""
_MOST_KNOWN = 4096
_PATIENCE = 0.25
"""A request waits no longer for it: what comes later counts for the connection's next request."""
_MOST_WAITING = 64


@dataclass(frozen=True, slots=True)
class Peer:
    """The other end of a connection."""

    address: str = ""
    pid: int = 0
    """0 = not known."""
    program: str = ""
    uid: int | None = None

    @property
    def key(self) -> str:
        """By what its requests are counted. Not the program's name: that a program can change."""
        if self.pid:
            return f"pid {self.pid}"
        return f"address {self.address}" if self.uid is None else f"user {self.uid} at {self.address}"

    @property
    def words(self) -> str:
        return f"{self.program or 'process'} · pid {self.pid}" if self.pid else ""


class PeerProcesses:
    """Looks each connection up once, on a thread of its own."""

    def __init__(self, proc: Path = Path("/proc"), clock: Callable[[], float] = time.monotonic) -> None:
        self._proc = proc
        self._clock = clock
        self._known: OrderedDict[tuple[Address, Address], tuple[Peer, float]] = OrderedDict()
        self._looking: dict[tuple[Address, Address], asyncio.Future[Peer]] = {}
        self._recent: OrderedDict[int, None] = OrderedDict()
        """Processes that connected lately: whoever connects next is mostly one of them."""
        self._thread = ThreadPoolExecutor(1, "peer process") if sys.platform == "linux" else None

    async def find(self, client: Address | None, server: Address | None) -> Peer:
        if client is None or server is None or not client[1]:
            return Peer("" if client is None else client[0])
        key = (client, server)
        known = self._known.get(key)
        if known is not None and self._clock() - known[1] < _KNOWN_SECONDS:
            return known[0]
        unknown = Peer(client[0])
        if self._thread is None or (key not in self._looking and len(self._looking) >= _MOST_WAITING):
            return unknown
        looking = self._looking.get(key)
        if looking is None:
            looking = asyncio.get_running_loop().run_in_executor(self._thread, self._look, client, server)
            self._looking[key] = looking
            looking.add_done_callback(lambda done: self._found(key, done))
        await asyncio.wait({looking}, timeout=_PATIENCE)
        if not looking.done() or looking.cancelled() or looking.exception() is not None:
            return unknown
        return looking.result()

    def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def __len__(self) -> int:
        return len(self._known)

    def _found(self, key: tuple[Address, Address], done: "asyncio.Future[Peer]") -> None:
        self._looking.pop(key, None)
        if done.cancelled():
            return
        if (failure := done.exception()) is not None:
            log.warning("the process behind a connection can't be looked up: %s", failure)
            return
        self._known.pop(key, None)
        self._known[key] = (done.result(), self._clock())
        while len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)

    # ---- on the thread ---------------------------------------------------------------------------------------------

    def _look(self, client: Address, server: Address) -> Peer:
        found = self._socket(client, server)
        if found is None:
            return Peer(client[0])
        inode, uid = found
        link = f"socket:[{inode}]"
        for pid in self._candidates():
            if self._holds(pid, link):
                self._recent.pop(pid, None)
                self._recent[pid] = None
                while len(self._recent) > _MOST_WAITING:
                    self._recent.popitem(last=False)
                return Peer(client[0], pid, self._name(pid), uid)
        return Peer(client[0], uid=uid)

    def _socket(self, client: Address, server: Address) -> tuple[str, int] | None:
        """Inode and user of the client's socket: the one whose own address is the client's."""
        ports = (f"{client[1]:04X}", f"{server[1]:04X}")
        for name in ("tcp", "tcp6"):
            try:
                lines = (self._proc / "net" / name).read_text("ascii").splitlines()[1:]
            except OSError:
                continue
            for line in lines:
                if f":{ports[0]} " not in line:  # there may be thousands, and taking a line apart is what costs
                    continue
                fields = line.split()
                own, own_port = fields[1].split(":")
                if (own_port, fields[2].split(":")[1]) == ports and _decoded(own) == _plain(client[0]):
                    return fields[9], int(fields[7])
        return None

    def _candidates(self) -> Iterator[int]:
        recent = tuple(reversed(self._recent))
        yield from recent
        try:
            with os.scandir(self._proc) as entries:
                names = [entry.name for entry in entries]
        except OSError:
            return
        # the youngest first: who connects has mostly just been started
        yield from sorted({int(name) for name in names if name.isdecimal()} - set(recent), reverse=True)

    def _holds(self, pid: int, link: str) -> bool:
        try:
            with os.scandir(self._proc / str(pid) / "fd") as descriptors:
                return any(_target(Path(descriptor.path)) == link for descriptor in descriptors)
        except OSError:  # ended meanwhile, or another user's
            return False

    def _name(self, pid: int) -> str:
        try:
            return (self._proc / str(pid) / "comm").read_text("utf-8", "replace").strip()
        except OSError:
            return ""


def _target(descriptor: Path) -> str:
    try:
        return str(descriptor.readlink())
    except OSError:  # closed meanwhile
        return ""


def _decoded(text: str) -> bytes:
    """An address as `/proc/net/tcp` has it: words of 32 bits in the machine's own order of bytes."""
    words = [int(text[at : at + 8], 16) for at in range(0, len(text), 8)]
    return _short(struct.pack(f"={len(words)}I", *words))


def _plain(host: str) -> bytes:
    try:
        return _short(socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host.partition("%")[0]))
    except OSError:
        return b""


def _short(address: bytes) -> bytes:
    """An IPv4 address that an IPv6 socket wears is the same address."""
    return address[12:] if len(address) == 16 and address.startswith(bytes(10) + b"\xff\xff") else address
