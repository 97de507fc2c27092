import asyncio
import os
from pathlib import Path

from callgate.engine.file_watch import FileWatch, Watched


class Reader:
    def __init__(self, path: Path) -> None:
        self.times = 0
        self.watch = FileWatch([Watched(path, self.read)], look_seconds=0.005)

    async def read(self) -> None:
        self.times += 1


def test_a_changed_a_replaced_and_a_new_file_are_read_and_one_that_is_gone_is_not(tmp_path: Path) -> None:
    path = tmp_path / "callgate.toml"

    async def scenario() -> None:
        reader = Reader(path)
        await reader.watch.look()
        assert reader.times == 0
        path.write_text("a = 1")
        await reader.watch.look()
        await reader.watch.look()
        assert reader.times == 1, "once for each change"
        stamp = path.stat()
        other = tmp_path / "other"
        other.write_text("a = 2")
        os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        other.replace(path)
        await reader.watch.look()
        assert reader.times == 2, "an editor may replace the file within one tick of the clock"
        path.unlink()
        await reader.watch.look()
        assert reader.times == 2

    asyncio.run(scenario())


def test_it_looks_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "f"

    async def scenario() -> None:
        reader = Reader(path)
        watching = asyncio.ensure_future(reader.watch.run())
        path.write_text("x")
        async with asyncio.timeout(5):
            while not reader.times:
                await asyncio.sleep(0.005)
        watching.cancel()

    asyncio.run(scenario())
