"""A second instance learns where the first runs and raises its window, and can do nothing else."""

import asyncio
import socket
from pathlib import Path

import pytest

from callgate import __version__
from callgate.runtime.running_instance import NAME, About, InstanceSocket, ask

ADDRESS = "http://127.0.0.1:8080"
SECONDS = 10.0


class Window:
    def __init__(self) -> None:
        self.raised = 0

    def come_up(self) -> None:
        self.raised += 1


async def asked(folder: Path, *wishes: str, window: Window | None = None) -> list[About | None]:
    first = InstanceSocket(folder, lambda: ADDRESS, window.come_up if window is not None else None)
    await first.open()
    try:
        return [await asyncio.to_thread(ask, folder, wish, 0.0) for wish in wishes]  # type: ignore[arg-type]
    finally:
        first.close()


def test_it_says_where_it_runs_and_raises_its_window(tmp_path: Path) -> None:
    window = Window()
    where, raised = asyncio.run(asked(tmp_path, "where", "raise", window=window))
    assert where == raised == About(ADDRESS, __version__, has_window=True)
    assert window.raised == 1
    assert not (tmp_path / NAME).exists()


def test_the_window_does_not_come_up_more_often_than_once_a_second(tmp_path: Path) -> None:
    window = Window()
    assert None not in asyncio.run(asked(tmp_path, "raise", "raise", "raise", window=window))
    assert window.raised == 1


def test_anything_else_gets_no_answer(tmp_path: Path) -> None:
    assert asyncio.run(asked(tmp_path, "approve", "", "raise where", window=Window())) == [None, None, None]


def test_without_a_window_it_says_so(tmp_path: Path) -> None:
    assert asyncio.run(asked(tmp_path, "raise")) == [About(ADDRESS, __version__, has_window=False)]


def test_where_none_listens_there_is_no_answer(tmp_path: Path) -> None:
    assert ask(tmp_path, "where", 0.0) is None


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there is no /proc here")
def test_a_folder_whose_path_is_too_long_for_a_socket_works_too(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120) / ("e" * 120)
    deep.mkdir(parents=True)
    assert asyncio.run(asked(deep, "where")) == [About(ADDRESS, __version__, has_window=False)]


def test_the_socket_of_a_killed_instance_is_replaced_and_any_other_file_is_left(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / NAME))
    assert asyncio.run(asked(tmp_path, "where")) != [None]
    (tmp_path / NAME).write_text("mine", "utf-8")

    async def tried() -> None:
        await InstanceSocket(tmp_path, lambda: ADDRESS, None).open()

    asyncio.run(tried())
    assert (tmp_path / NAME).read_text("utf-8") == "mine"


def test_a_peer_that_says_nothing_or_never_ends_its_line_is_let_go(tmp_path: Path) -> None:
    async def scenario() -> None:
        first = InstanceSocket(tmp_path, lambda: ADDRESS, None)
        await first.open()
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / NAME))
        writer.write(b"x" * 5000)
        assert await asyncio.wait_for(reader.read(), SECONDS) == b""
        silent = [await asyncio.open_unix_connection(str(tmp_path / NAME)) for _ in range(20)]
        for peer, _ in silent[16:]:
            assert await asyncio.wait_for(peer.read(), SECONDS) == b""  # there are only so many
        for _, end in (*silent, (reader, writer)):
            end.close()
        async with asyncio.timeout(SECONDS):
            while first.peers:
                await asyncio.sleep(0)
        first.close()

    asyncio.run(scenario())
