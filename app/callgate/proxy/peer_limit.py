"""How many connections one peer may have: an address of the network, or a process on loopback.

All programs of this machine share one address. Which of them a connection belongs to is looked up, off the loop and
many at a time, only while their address has so many that one of them could be near its limit.
"""

import asyncio
import ipaddress
from collections import Counter
from dataclasses import dataclass

from callgate.engine.tasks import Tasks
from callgate.proxy.connection_limits import ConnectionLimits
from callgate.proxy.peer_process import Address, PeerProcesses

_GATHER_SECONDS = 0.02
"""Connections that come within it are looked up together: a flood costs one look at `/proc` for so long."""


@dataclass(slots=True, eq=False)
class Place:
    """One connection, as it counts."""

    client: Address
    server: Address
    process: str = ""
    """By what it counts; empty = not known."""
    looked_up: bool = False


class PeerLimit:
    def __init__(self, limits: ConnectionLimits, processes: PeerProcesses | None, tasks: Tasks) -> None:
        """`processes`: None = all programs of this machine count together, and only by the limit for all."""
        self._limits = limits
        self._processes = processes
        self._tasks = tasks
        self._places: dict[Place, None] = {}
        self._by_address: Counter[str] = Counter()
        self._by_process: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None

    def enter(self, place: Place) -> bool:
        """Counts a connection; whether `admits` has to be asked. A refused one has to `leave` too."""
        self._places[place] = None
        host = place.client[0]
        self._by_address[host] += 1
        if _is_loopback(host):
            return self._processes is not None and self._by_address[host] > self._limits.looked_up_from
        return self._by_address[host] > self._limits.of_one_address

    async def admits(self, place: Place) -> bool:
        """Of a peer that may be over its limit."""
        if not _is_loopback(place.client[0]):
            return self._by_address[place.client[0]] <= self._limits.of_one_address
        while not place.looked_up:
            if self._looking is None:
                self._looking = self._tasks.start(self._look(), "processes of connections")
            await asyncio.wait({self._looking})
        return self._by_process[place.process] <= self._limits.of_one_process

    def leave(self, place: Place) -> None:
        del self._places[place]
        _subtract(self._by_address, place.client[0])
        if place.process:
            _subtract(self._by_process, place.process)

    def __len__(self) -> int:
        """How many peers are counted."""
        return len(self._by_address) + len(self._by_process)

    async def _look(self) -> None:
        try:
            await asyncio.sleep(_GATHER_SECONDS)
            wanted = [place for place in self._places if not place.looked_up and _is_loopback(place.client[0])]
            found = {}
            try:
                if self._processes is not None:
                    found = await self._processes.find_all([(place.client, place.server) for place in wanted])
            finally:
                for place in wanted:
                    place.looked_up = True
            for place in wanted:
                peer = found.get((place.client, place.server))
                if peer is not None and place in self._places:  # it may have gone meanwhile
                    place.process = peer.key
                    self._by_process[peer.key] += 1
        finally:
            self._looking = None


def _subtract(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False
