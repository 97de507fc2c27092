"""Servers that other people wrote, as programs; `make test` fetches those of npm where node and a network are."""

import asyncio
import subprocess
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.fakes.mcp_sources import BIN, START_SECONDS, opened, settings, until
from tests.fakes.npm_packages import npm_command

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


def test_the_filesystem_server_of_npm_writes_reads_and_stays_in_its_folder(tmp_path: Path) -> None:
    command = npm_command("filesystem", str(tmp_path))

    async def work() -> None:
        async with opened(settings(command), tmp_path) as server:
            await server.ready()
            tools = {tool.name: tool for tool in Catalog([server.source]).offered()}
            assert tools["read_text_file"].annotations.read_only
            assert tools["write_file"].annotations.destructive
            await server.text("write_file", path=str(tmp_path / "a.txt"), content="written by it\n")
            assert (tmp_path / "a.txt").read_text("utf-8") == "written by it\n"
            assert "written by it" in await server.text("read_text_file", path=str(tmp_path / "a.txt"))
            outside = await server.call("read_text_file", path="/etc/hostname")
            assert outside.is_error

    run(work())


def test_the_memory_server_of_npm_remembers_across_a_restart(tmp_path: Path) -> None:
    command = npm_command("memory")
    entity = {"name": "Ada", "entityType": "person", "observations": ["wrote the first program"]}

    async def work() -> None:
        env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}
        async with opened(settings(command, env=env), tmp_path) as server:
            await server.ready()
            first = server.source.pid
            await server.text("create_entities", entities=[entity])
            server.source.restart()
            await until(
                lambda: server.source.pid not in (None, first) and server.source.state == "ready", START_SECONDS
            )
            assert "wrote the first program" in await server.text("read_graph")

    run(work())
