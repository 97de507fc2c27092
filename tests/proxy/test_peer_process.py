"""Which process is at the other end of a real connection on loopback."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from callgate.proxy import peer_process
from callgate.proxy.peer_process import Peer, PeerProcesses

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")

Pair = tuple[tuple[str, int], tuple[str, int]]


def found(peers: PeerProcesses, client: tuple[str, int], server: tuple[str, int]) -> Peer:
    try:
        return asyncio.run(peers.find(client, server))
    finally:
        peers.close()


@pytest.mark.parametrize(
    ("family", "host", "dialled"),
    [
        (socket.AF_INET, "127.0.0.1", "127.0.0.1"),
        (socket.AF_INET6, "::1", "::1"),
        (socket.AF_INET, "127.0.0.1", "::ffff:127.0.0.1"),
    ],
)
def test_a_connection_belongs_to_the_process_that_made_it(
    family: socket.AddressFamily, host: str, dialled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer_process, "_PATIENCE", 10.0)
    with socket.socket(family) as listening:
        try:
            listening.bind((host, 0))
        except OSError as missing:
            pytest.skip(f"no {host} here: {missing}")
        listening.listen()
        port = listening.getsockname()[1]
        dial = "import socket,sys; s=socket.create_connection((sys.argv[1],int(sys.argv[2]))); sys.stdin.read()"
        other = subprocess.Popen([sys.executable, "-c", dial, dialled, str(port)], stdin=subprocess.PIPE)
        try:
            listening.settimeout(10)
            accepted, peer = listening.accept()
            with accepted:
                who = found(PeerProcesses(), peer[:2], accepted.getsockname()[:2])
        finally:
            other.communicate(timeout=10)
    assert (who.pid, who.uid) == (other.pid, os.getuid())
    assert who.key == f"pid {other.pid}"
    assert who.words.endswith(f"· pid {other.pid}")


def test_the_servers_own_end_is_not_taken_for_the_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ends of a loopback connection are in the table, and here one process has both."""
    monkeypatch.setattr(peer_process, "_PATIENCE", 10.0)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket.create_connection(listening.getsockname()) as client:
            assert found(PeerProcesses(), client.getsockname(), listening.getsockname()).pid == os.getpid()
        gone = found(PeerProcesses(), ("127.0.0.1", 9), listening.getsockname())
    assert (gone.pid, gone.key, gone.words) == (0, "address 127.0.0.1", "")


def test_without_proc_it_is_the_address_that_counts(tmp_path: Path) -> None:
    assert found(PeerProcesses(tmp_path), ("127.0.0.1", 5), ("127.0.0.1", 6)) == Peer("127.0.0.1")


def test_another_users_process_counts_as_that_user(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    line = "  0: 0100007F:1389 0100007F:138A 01 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0"
    (tmp_path / "net" / "tcp").write_text(f"header\n{line}\n", "ascii")
    who = found(PeerProcesses(tmp_path), ("127.0.0.1", 5001), ("127.0.0.1", 5002))
    assert who.key == "user 1000 at 127.0.0.1"


def test_a_connection_is_looked_up_once_and_again_when_its_port_may_be_anothers(tmp_path: Path) -> None:
    now, looked = [0.0], []
    peers = PeerProcesses(tmp_path, lambda: now[0])
    look = peers._look
    peers._look = lambda *pair: looked.append(pair) or look(*pair)  # type: ignore[method-assign,func-returns-value]

    async def ask() -> None:
        for _ in range(5):
            await peers.find(("127.0.0.1", 5), ("127.0.0.1", 6))

    asyncio.run(ask())
    assert len(looked) == 1
    now[0] = 60.0
    asyncio.run(ask())
    peers.close()
    assert len(looked) == 2


def test_the_table_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_process, "_MOST_KNOWN", 10)
    peers = PeerProcesses(tmp_path)

    async def ask() -> None:
        for port in range(1, 100):
            await peers.find(("127.0.0.1", port), ("127.0.0.1", 6))

    asyncio.run(ask())
    peers.close()
    assert len(peers) <= 10


def test_a_lookup_that_takes_long_holds_no_request_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_process, "_PATIENCE", 0.01)
    peers, go_on = PeerProcesses(tmp_path), threading.Event()
    peers._look = lambda *_: (go_on.wait(10), Peer("x", 7))[1]  # type: ignore[method-assign]

    async def ask() -> tuple[Peer, Peer]:
        first = await peers.find(("127.0.0.1", 5), ("127.0.0.1", 6))
        go_on.set()
        while not len(peers):
            await asyncio.sleep(0)
        return first, await peers.find(("127.0.0.1", 5), ("127.0.0.1", 6))

    assert [peer.pid for peer in asyncio.run(ask())] == [0, 7]
    peers.close()


def test_a_table_that_cannot_be_read_holds_no_request_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "tcp").write_text("header\nnot a line:1389 \n", "ascii")
    assert found(PeerProcesses(tmp_path), ("127.0.0.1", 5001), ("127.0.0.1", 5002)) == Peer("127.0.0.1")
    assert "can't be looked up" in caplog.text
    caplog.clear()
