"""What a bus, or what pretends to be one, can do to the window: nothing."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fakes.desktop_bus import RealBus
from tests.fakes.loop import BoundLoop

from callgate.ui.desktop import bus as bus_module
from callgate.ui.desktop.bus import BusFault, BusLost, DesktopBus, session_address, system_address

OK = b"OK 0123456789abcdef0123456789abcdef\r\n"
HUGE = b"l\x02\x00\x01" + (100_000_000).to_bytes(4, "little") + (1).to_bytes(4, "little") + bytes(4)
GARBAGE = b"x" * 64


class Pretender:
    """Listens where a bus would, and says what it was told to."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "bus"
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self.path))
        self._socket.listen()
        self._threads: list[threading.Thread] = []
        self._taken: list[socket.socket] = []

    def say(self, *answers: bytes) -> None:
        def serve() -> None:
            taken, _ = self._socket.accept()
            self._taken.append(taken)
            for answer in answers:
                taken.recv(4096)
                taken.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        self._threads.append(thread)

    def close(self) -> None:
        for thread in self._threads:
            thread.join(5)
        for taken in self._taken:
            taken.close()
        self._socket.close()


@pytest.fixture
def pretender(tmp_path: Path) -> Iterator[Pretender]:
    one = Pretender(tmp_path)
    yield one
    one.close()


async def _open(address: str) -> None:
    with pytest.raises(BusLost):
        await DesktopBus.open(address)


@pytest.mark.parametrize("answers", [(b"REJECTED EXTERNAL\r\n",), (b"x" * 9000,), (OK, GARBAGE), (OK, HUGE)])
def test_what_is_no_bus_is_refused(loop: BoundLoop, pretender: Pretender, answers: tuple[bytes, ...]) -> None:
    pretender.say(*answers)
    loop.run(_open(f"unix:path={pretender.path}"))


def test_a_bus_that_never_answers_is_given_up(
    loop: BoundLoop, pretender: Pretender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_module, "CALL_SECONDS", 0.2)
    pretender.say()
    loop.run(_open(f"unix:path={pretender.path}"))


@pytest.mark.parametrize("address", ["", "nonsense", "tcp:host=127.0.0.1,port=1", "unix:path=/nowhere/at/all"])
def test_an_address_that_leads_nowhere_is_refused(loop: BoundLoop, address: str) -> None:
    loop.run(_open(address))


def test_a_call_to_what_is_not_there_says_so(loop: BoundLoop, desktop: RealBus) -> None:
    async def ask() -> str:
        async with await DesktopBus.open(desktop.address) as bus:
            assert await bus.watch("org.example.Nobody", start=True) == bus.owner("org.example.Nobody") == ""
            with pytest.raises(BusFault) as caught:
                await bus.call("org.example.Nobody", "/x", "org.example.Nobody.Do")
            return caught.value.name

    assert loop.run(ask()) == "org.freedesktop.DBus.Error.NameHasNoOwner"


def test_the_address_of_the_session_is_where_the_session_says(tmp_path: Path) -> None:
    assert session_address({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/b"}) == "unix:path=/a"
    assert session_address({"XDG_RUNTIME_DIR": str(tmp_path)}) == session_address({}) == ""
    (tmp_path / "bus").touch()
    assert session_address({"XDG_RUNTIME_DIR": str(tmp_path)}) == f"unix:path={tmp_path / 'bus'}"
    assert system_address({"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/c"}) == "unix:path=/c"


def test_a_flood_does_not_keep_the_loop(loop: BoundLoop, desktop: RealBus) -> None:
    """Other programs can send to any program on the bus; the longest turn of the loop is what the person feels."""
    stranger = desktop.service("stranger")

    async def measure() -> float:
        longest = 0.0
        running = asyncio.get_running_loop()
        async with await DesktopBus.open(desktop.address) as bus:
            await bus.watch("org.freedesktop.ScreenSaver")
            waiting = running.create_task(bus.signal())
            stranger.tell(f"flood {bus.unique_name} 3000")
            sent = running.create_task(asyncio.to_thread(stranger.read_until, "done"))
            while not sent.done():
                before = running.time()
                await asyncio.sleep(0)
                longest = max(longest, running.time() - before)
            waiting.cancel()
            assert not waiting.done() or waiting.cancelled(), "a stranger's signal counts for nothing"
        return longest

    assert loop.run(measure()) < 1.0
