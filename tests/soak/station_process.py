"""Callgate without a window in a process of its own, which says what it holds whenever it reads a line.

`python -m tests.soak.station_process CONFIG FOLDER`: the first line is the address, each later one a count as JSON.
"""

import asyncio
import gc
import os
import sys
import threading
from collections import Counter
from pathlib import Path

import orjson

from callgate.runtime.process import COLLECT_AFTER, settle_interpreter
from callgate.runtime.runtime import Launch, Runtime


def kept_connections(runtime: Runtime) -> int:
    """Those that the pool keeps for the next request: no leak, though they are open."""
    pool = runtime.upstream._http._transport._transport._pool  # type: ignore[attr-defined]
    return sum(connection.is_idle() for connection in pool.connections)


def holdings(runtime: Runtime) -> bytes:
    gc.collect()
    kinds: Counter[str] = Counter()
    for number in Path("/proc/self/fd").iterdir():
        try:
            kinds[number.readlink().as_posix().partition(":")[0]] += 1
        except OSError:
            continue  # the one that lists them
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return orjson.dumps(
        {
            "sockets": kinds["socket"] - kept_connections(runtime),
            "files": sum(kinds.values()) - kinds["socket"],
            "tasks": len(asyncio.all_tasks()),
            "names": sorted(task.get_name().split(" exch_")[0] for task in asyncio.all_tasks()),
            "threads": threading.active_count(),
            "children": len(children),
            "megabytes": resident / 1e6,
        }
    )


async def serve(config: Path, folder: Path) -> None:
    runtime = Runtime(Launch(config, 0, folder / "work", folder / "data", on_ask="deny", windowed=False))
    await runtime.open()
    settle_interpreter()
    gc.set_threshold(*COLLECT_AFTER)
    print(runtime.address, flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.readline():
        sys.stdout.buffer.write(holdings(runtime) + b"\n")
        sys.stdout.flush()
    await runtime.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), Path(sys.argv[2])))
