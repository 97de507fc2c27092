"""Accepts connections within their limits: asyncio's own accept loop spins, and logs, when files run out."""

import asyncio
import contextlib
import errno
import os
import socket
from collections import deque
from collections.abc import Callable

from callgate.engine.tasks import Tasks
from callgate.proxy.connection_limits import ConnectionLimits
from callgate.proxy.http_protocol import BoundedHttpProtocol, plain_response
from callgate.proxy.peer_limit import PeerLimit, Place
from callgate.proxy.peer_process import Address, PeerProcesses

MakeProtocol = Callable[[], BoundedHttpProtocol]
Report = Callable[[str], None]

RETRY_AFTER_SECONDS = 5
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_BATCH = 32
"""Connections that are taken before others on the loop have their turn."""
_PAUSE_SECONDS = 0.01
"""After a batch of refusals: who is refused may come again at once, and must not keep us busy."""
_BACK_OFF_SECONDS = 0.1
"""While there are no files."""
_LONGEST_SWEEP = 0.25
_QUIET_SECONDS = 5.0
"""Without a refusal for so long, the overload is over."""
_FULL = plain_response(503, "Callgate has no room for another connection.", f"retry-after: {RETRY_AFTER_SECONDS}\r\n")


class Listener:
    """Stands in for the server object of asyncio that uvicorn closes and waits for."""

    def __init__(
        self,
        sock: socket.socket,
        make_protocol: MakeProtocol,
        limits: ConnectionLimits,
        *,
        processes: PeerProcesses | None,
        tasks: Tasks,
        report: Report,
    ) -> None:
        """`make_protocol` makes one for a new connection; `processes` says whose it is; `report` tells the person."""
        self._sock = sock
        self._make_protocol = make_protocol
        self._limits = limits
        self._tasks = tasks
        self._report = report
        self._peers = PeerLimit(limits, processes, tasks)
        self._open: dict[BoundedHttpProtocol, Place] = {}
        self._opening = 0
        self._leaving = 0
        self._spare: deque[BoundedHttpProtocol] = deque()
        """Connections without a request, as the last look found them: the longest waiting first."""
        self._spare_file: int | None = None
        self._overload = Overload(report)
        self._running: list[asyncio.Task[None]] = []
        self._closed = False

    def start(self) -> None:
        self._spare_file = os.open(os.devnull, os.O_RDONLY)
        accepting = self._tasks.start(self._accept(), "accepting connections")
        accepting.add_done_callback(lambda _: self._sock.close())
        self._running = [accepting, self._tasks.start(self._sweep(), "limits of connections")]

    def close(self) -> None:
        """Accepts no more. Those that are open have their limits until `wait_closed`."""
        self._closed = True
        self._running[0].cancel()
        if self._spare_file is not None:
            os.close(self._spare_file)
            self._spare_file = None

    async def wait_closed(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.wait(self._running)

    # ---- accepting --------------------------------------------------------------------------------------------------

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        taken = refused = 0
        while True:
            try:
                connection, address = await loop.sock_accept(self._sock)
            except OSError as problem:
                if problem.errno in _EXHAUSTED:
                    self._refuse_with_spare_file()
                    await asyncio.sleep(_BACK_OFF_SECONDS)
                elif problem.errno != errno.ECONNABORTED:
                    await asyncio.sleep(_BACK_OFF_SECONDS)
                continue
            if self._has_room(loop.time()):
                self._opening += 1
                self._tasks.start(self._admit(connection, address[:2]), "new connection")
            else:
                refused += 1
                self._refuse(connection)
            taken += 1
            if taken % _BATCH == 0:
                await asyncio.sleep(_PAUSE_SECONDS if refused else 0)
                refused = 0

    async def _admit(self, connection: socket.socket, client: Address) -> None:
        place = Place(client, connection.getsockname()[:2])
        unsure = self._peers.enter(place)
        connected = False
        try:
            if unsure and not await self._peers.admits(place):
                self._refuse(connection)
            else:
                connected = await self._connect(connection, place)
        except BaseException:
            connection.close()
            raise
        finally:
            if not connected:
                self._opening -= 1
                self._peers.leave(place)

    async def _connect(self, connection: socket.socket, place: Place) -> bool:
        made: list[BoundedHttpProtocol] = []

        def make() -> BoundedHttpProtocol:
            protocol = self._make_protocol()
            protocol.on_lost(self._lost)
            self._open[protocol] = place
            self._opening -= 1
            made.append(protocol)
            return protocol

        try:
            await asyncio.get_running_loop().connect_accepted_socket(make, connection)
        except OSError:  # it has gone already
            connection.close()
        return bool(made)

    def _lost(self, protocol: BoundedHttpProtocol) -> None:
        place = self._open.pop(protocol, None)
        if place is not None:
            self._leaving -= protocol.evicted
            self._peers.leave(place)

    def _has_room(self, now: float) -> bool:
        if len(self._open) + self._opening - self._leaving < self._limits.connections:
            return True
        return self._make_room(now)

    def _make_room(self, now: float) -> bool:
        """Closes the connection that has been without a request for longest."""
        while self._spare:
            protocol = self._spare.popleft()
            if protocol in self._open and not protocol.evicted and protocol.waiting_since(now) is not None:
                protocol.evicted = True
                self._leaving += 1
                protocol.transport.abort()
                return True
        return False

    def _refuse(self, connection: socket.socket) -> None:
        self._overload.count += 1
        with contextlib.suppress(OSError), connection:  # it may have gone already
            connection.setblocking(False)
            connection.send(_FULL)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(65536)  # unread bytes would turn the closing into a reset, and destroy the answer

    def _refuse_with_spare_file(self) -> None:
        """Files have run out in spite of the limits: waiting clients get 503, one file serving all of them in turn."""
        if self._spare_file is None:
            return
        os.close(self._spare_file)
        self._spare_file = None
        with contextlib.suppress(OSError):  # no client is waiting
            for _ in range(_BATCH):
                self._refuse(self._sock.accept()[0])
        with contextlib.suppress(OSError):  # another part of the program took it; the next sweep tries again
            self._spare_file = os.open(os.devnull, os.O_RDONLY)

    # ---- limits of time ---------------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        pause = min(_LONGEST_SWEEP, self._limits.header_seconds / 4, self._limits.body_seconds / 4)
        while True:
            await asyncio.sleep(pause)
            now = loop.time()
            for protocol in tuple(self._open):
                protocol.check(now)
            full = len(self._open) + self._opening >= self._limits.connections
            self._spare = self._longest_waiting(now) if full else deque()
            self._overload.look(now, len(self._open))
            if self._spare_file is None and not self._closed:
                with contextlib.suppress(OSError):  # still none: the next sweep tries again
                    self._spare_file = os.open(os.devnull, os.O_RDONLY)

    def _longest_waiting(self, now: float) -> deque[BoundedHttpProtocol]:
        waiting = [(since, p) for p in self._open if (since := p.waiting_since(now)) is not None]
        return deque(protocol for _, protocol in sorted(waiting, key=lambda one: one[0]))


class Overload:
    """More connections than there is room for: reported once when it begins, and once when it is over."""

    def __init__(self, report: Report) -> None:
        self.count = 0
        """Refused so far."""
        self._report = report
        self._reported = 0
        self._last, self._grew_at = 0, 0.0

    def look(self, now: float, held: int) -> None:
        if self.count > self._last:
            if self._last == self._reported:
                self._report(
                    f"Too many connections: {held} are open, {self.count - self._reported} more were refused with 503. "
                    "The limit is max_connections under [server], or the limit of open files."
                )
            self._last, self._grew_at = self.count, now
        elif self._last > self._reported and now - self._grew_at > _QUIET_SECONDS:
            self._report(f"There is room for connections again; {self._last - self._reported:,} were refused.")
            self._reported = self._last
