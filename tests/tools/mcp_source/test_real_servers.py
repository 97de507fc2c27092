"""Servers that other people wrote, as programs. Those of npm run only where they are installed; nothing is fetched."""

import asyncio
import shutil
import subprocess
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.mcp_sources import BIN, opened, settings

from callgate.tools.catalog import Catalog


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 40))


def npm_server(name: str) -> Path | None:
    """The program of an installed npm package; looking for it never downloads anything."""
    found = shutil.which(f"mcp-server-{name}")
    if found is not None:
        return Path(found)
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return None
    asked = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, timeout=20, check=False)
    script = Path(asked.stdout.strip()) / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    return script if script.is_file() else None


def npm_command(name: str, *more: str) -> tuple[str, ...]:
    program = npm_server(name)
    if program is None:
        pytest.skip(f"@modelcontextprotocol/server-{name} is not installed here")
    return ("node", str(program), *more) if program.suffix == ".js" else (str(program), *more)


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


def test_the_everything_server_of_npm(tmp_path: Path) -> None:
    command = npm_command("everything")

    async def work() -> None:
        async with opened(settings(command), tmp_path) as server:
            await server.ready()
            assert "Echo: hello" in await server.text("echo", message="hello")

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
