"""How connections of one peer are counted: by address on the network, by process on this machine."""

import asyncio
from collections.abc import Collection
from pathlib import Path

from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.proxy.connection_limits import ConnectionLimits
from callgate.proxy.peer_limit import PeerLimit, Place
from callgate.proxy.peer_process import Pair, Peer, PeerProcesses

HERE = ("127.0.0.1", 8080)
LIMITS = ConnectionLimits(40)
"""20 of one process, looked up from the eleventh on; 10 of an address on the network."""


class Processes(PeerProcesses):
    """Ports below 1000 are of process 7, those below 2000 of process 8, all others of a user that can't be seen."""

    def __init__(self) -> None:
        super().__init__(Path("/nowhere"))
        self.looks: list[int] = []

    async def find_all(self, pairs: Collection[Pair]) -> dict[Pair, Peer]:
        self.looks.append(len(pairs))
        await asyncio.sleep(0)
        return {pair: self.peer(pair[0][1]) for pair in pairs if pair[0][1] < 3000}

    def peer(self, port: int) -> Peer:
        return Peer("127.0.0.1", 7 + port // 1000) if port < 2000 else Peer("127.0.0.1", uid=1000)


async def comes(limit: PeerLimit, place: Place) -> bool:
    admitted = not limit.enter(place) or await limit.admits(place)
    if not admitted:
        limit.leave(place)
    return admitted


async def come(limit: PeerLimit, ports: range, host: str = "127.0.0.1") -> list[Place]:
    """All at once; those that are admitted."""
    places = [Place((host, port), HERE) for port in ports]
    admitted = await asyncio.gather(*[comes(limit, place) for place in places])
    return [place for place, stays in zip(places, admitted, strict=True) if stays]


def test_one_process_leaves_room_for_others_of_the_same_address() -> None:
    async def scenario() -> None:
        limit = PeerLimit(LIMITS, processes := Processes(), Tasks(Bus()))
        bad = await come(limit, range(100, 200))
        assert len(bad) == 20 and len(processes.looks) <= 2, "those that come together are looked up together"
        assert len(await come(limit, range(1000, 1015))) == 15
        assert len(await come(limit, range(2000, 2100))) == 20, "programs of another user count together"
        assert not await come(limit, range(300, 303))
        for place in bad[:5]:
            limit.leave(place)
        assert len(await come(limit, range(400, 410))) == 5

    asyncio.run(scenario())


def test_few_connections_cost_no_look_and_nothing_is_kept_of_them() -> None:
    async def scenario() -> None:
        limit = PeerLimit(LIMITS, processes := Processes(), Tasks(Bus()))
        for place in await come(limit, range(100, 110)):
            limit.leave(place)
        assert processes.looks == [] and len(limit) == 0
        for place in await come(limit, range(100, 200)):
            limit.leave(place)
        assert len(limit) == 0

    asyncio.run(scenario())


def test_what_cannot_be_looked_up_is_left_to_the_limit_for_all() -> None:
    async def scenario() -> None:
        assert len(await come(PeerLimit(LIMITS, Processes(), Tasks(Bus())), range(5000, 5050))) == 50
        assert len(await come(PeerLimit(LIMITS, None, Tasks(Bus())), range(100, 150))) == 50

    asyncio.run(scenario())


def test_on_the_network_an_address_is_a_peer() -> None:
    async def scenario() -> None:
        limit = PeerLimit(LIMITS, processes := Processes(), Tasks(Bus()))
        assert len(await come(limit, range(100, 130), "192.0.2.7")) == 10
        assert len(await come(limit, range(100, 130), "192.0.2.8")) == 10
        assert processes.looks == []

    asyncio.run(scenario())
