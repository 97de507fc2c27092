import asyncio
import sys
from pathlib import Path

import pytest
from tests.fakes.mcp_sources import alive, until

from callgate.tools.mcp_source.server_process import CannotStart, ServerProcess

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def spawn(code: str, heard: list[bytes]) -> "asyncio.Future[ServerProcess]":
    return ServerProcess.spawn((sys.executable, "-c", code), ENVIRONMENT, Path.cwd(), heard.append)  # type: ignore[return-value]


def test_a_process_that_leaves_when_its_stdin_closes_is_not_hurried() -> None:
    async def work() -> None:
        heard: list[bytes] = []
        process = await spawn("import sys; sys.stdin.read(); print('bye', file=sys.stderr)", heard)
        await process.stop()
        assert process.exit_code == 0
        assert b"".join(heard) == b"bye\n"

    asyncio.run(work())


def test_a_process_that_heeds_a_signal_is_asked_first() -> None:
    async def work() -> None:
        heard: list[bytes] = []
        code = "import sys,time; print('up', file=sys.stderr, flush=True); time.sleep(60)"
        process = await spawn(code, heard)
        await until(lambda: bool(heard))
        await process.stop()
        assert process.exit_code == -15

    asyncio.run(work())


def test_a_grandchild_that_outlives_its_parent_goes_too() -> None:
    async def work() -> None:
        heard: list[bytes] = []
        code = (
            "import subprocess,sys; p=subprocess.Popen([sys.executable,'-c','import time; time.sleep(60)']);"
            "print(p.pid, file=sys.stderr, flush=True)"
        )
        process = await spawn(code, heard)
        await process.exited.wait()
        grandchild = int(b"".join(heard))
        assert alive(grandchild)
        assert await asyncio.wait_for(process.stdout.read(), 5) == b"", "the pipe ends though the grandchild holds it"
        await process.stop()
        await until(lambda: not alive(grandchild))

    asyncio.run(work())


@pytest.mark.parametrize(
    ("argv", "words"),
    [(("no-such-thing",), "was not found"), (("/",), "may not be run"), (("a\0b",), "can't be run")],
)
def test_a_command_that_cannot_run_is_refused_in_words(argv: tuple[str, ...], words: str) -> None:
    with pytest.raises(CannotStart, match=words):
        asyncio.run(ServerProcess.spawn(argv, ENVIRONMENT, Path.cwd(), lambda data: None))
