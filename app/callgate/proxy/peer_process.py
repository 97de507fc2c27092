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
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

Address = tuple[str, int]
Pair = tuple[Address, Address]
"""A connection: the client's address, and ours."""
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
        self._known: OrderedDict[Pair, tuple[Peer, float]] = OrderedDict()
        self._looking: dict[Pair, asyncio.Future[Peer]] = {}
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

    async def find_all(self, pairs: Collection[Pair]) -> dict[Pair, Peer]:
        """Many at once, at the cost of one look at the table of sockets; those that are not found are left out."""
        if self._thread is None or not pairs:
            return {}
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._look_all, tuple(pairs))

    def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
            self._thread = None

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
        return self._look_all(((client, server),)).get((client, server), Peer(client[0]))

    def _look_all(self, pairs: Collection[Pair]) -> dict[Pair, Peer]:
        sockets = self._sockets(pairs)
        found = {pair: Peer(pair[0][0], uid=uid) for pair, (_, uid) in sockets.items()}
        wanted = {f"socket:[{inode}]": pair for pair, (inode, _) in sockets.items()}
        for pid in self._candidates():
            if not wanted:
                break
            held = self._held(pid, wanted)
            if not held:
                continue
            self._remember(pid)
            name = self._name(pid)
            for link in held:
                pair = wanted.pop(link)
                found[pair] = Peer(pair[0][0], pid, name, found[pair].uid)
        return found

    def _remember(self, pid: int) -> None:
        self._recent.pop(pid, None)
        self._recent[pid] = None
        while len(self._recent) > _MOST_WAITING:
            self._recent.popitem(last=False)

    def _sockets(self, pairs: Collection[Pair]) -> dict[Pair, tuple[str, int]]:
        """Inode and user of each client's socket: the one whose own address is the client's."""
        wanted = {(_plain(client[0]), client[1], server[1]): (client, server) for client, server in pairs}
        ports = {f"{port:04X}" for _, port, _ in wanted}
        found: dict[Pair, tuple[str, int]] = {}
        for name in ("tcp", "tcp6"):
            try:
                lines = (self._proc / "net" / name).read_text("ascii").splitlines()[1:]
            except OSError:
                continue
            for line in lines:
                _, own, remote = line.split(None, 3)[:3]
                address, port = own.split(":")
                if port not in ports:  # there may be thousands, and taking a line apart is what costs
                    continue
                pair = wanted.get((_decoded(address), int(port, 16), int(remote.rpartition(":")[2], 16)))
                if pair is not None:
                    fields = line.split()
                    found.setdefault(pair, (fields[9], int(fields[7])))
        return found

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

    def _held(self, pid: int, links: Collection[str]) -> set[str]:
        held: set[str] = set()
        try:
            with os.scandir(self._proc / str(pid) / "fd") as descriptors:
                for descriptor in descriptors:
                    if (link := _target(Path(descriptor.path))) in links:
                        held.add(link)
                        if len(held) == len(links):
                            break
        except OSError:  # ended meanwhile, or another user's
            return set()
        return held

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
