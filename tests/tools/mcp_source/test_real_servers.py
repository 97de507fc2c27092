"""Servers that other people wrote, as programs; those of npm are installed once where node and a network are."""

import asyncio
import subprocess
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.fakes.mcp_sources import BIN, opened, settings
from tests.fakes.npm_servers import npm_command

from callgate.tools.catalog import Catalog


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 40))


def test_the_time_server_tells_the_time(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings((str(BIN / "mcp-server-time"),)), tmp_path) as server:
            await server.ready()
            assert '"timezone": "Asia/Tokyo"' in await server.text("get_current_time", timezone="Asia/Tokyo")
            wrong = await server.call("get_current_time", timezone="Nowhere/Land")
            assert wrong.is_error

    run(work())


def test_the_git_server_reads_a_repository(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, timeout=20)
    (tmp_path / "new.txt").write_text("hello\n", "utf-8")

    async def work() -> None:
        async with opened(settings((str(BIN / "mcp-server-git"), "-r", "${workspaceFolder}")), tmp_path) as server:
            await server.ready()
            assert "new.txt" in await server.text("git_status", repo_path=str(tmp_path))
            assert {"git_diff", "git_log"} <= {tool.name for tool in Catalog([server.source]).offered()}

    run(work())


def test_the_filesystem_server_of_npm(tmp_path: Path) -> None:
    command = npm_command("filesystem", str(tmp_path))
    (tmp_path / "a.txt").write_text("inside\n", "utf-8")

    async def work() -> None:
        async with opened(settings(command), tmp_path) as server:
            await server.ready()
            assert "inside" in await server.text("read_text_file", path=str(tmp_path / "a.txt"))

    run(work())


def test_the_memory_server_of_npm(tmp_path: Path) -> None:
    command = npm_command("memory")

    async def work() -> None:
        async with opened(
            settings(command, env={"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}), tmp_path
        ) as server:
            await server.ready()
            assert "entities" in await server.text("read_graph")

    run(work())
