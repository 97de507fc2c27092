"""MCP servers that other people wrote, from npm: installed once into the build folder, and used from there.

Where node or npm is missing, or nothing can be fetched, the test is skipped and says why.
"""

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "build" / "mcp-servers"
PACKAGES = tuple(f"@modelcontextprotocol/server-{name}" for name in ("everything", "filesystem", "memory"))
INSTALL_SECONDS = 120
"""Some hundred small packages; ten seconds on a usual connection."""

try:
    import fcntl
except ImportError:
    fcntl = None


def npm_command(name: str, *more: str) -> tuple[str, ...]:
    """How the server of that name is started; skips the test where it can't be had."""
    node, problem = shutil.which("node"), _installed()
    if problem or node is None:
        pytest.skip(f"server-{name} of npm is not here: {problem or 'there is no node'}")
    return (node, str(_script(name)), *more)


def _script(name: str) -> Path:
    return FOLDER / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"


@functools.cache
def _installed() -> str:
    """What is in the way; empty = they are there. Several test processes may ask at the same time."""
    npm = shutil.which("npm")
    if npm is None:
        return "there is no npm"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w", encoding="utf-8") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        if all(_script(package.rpartition("-")[2]).is_file() for package in PACKAGES):
            return ""
        return _install(npm)


def _install(npm: str) -> str:
    command = [npm, "install", "--no-audit", "--no-fund", "--fetch-retries=0", "--prefix", str(FOLDER), *PACKAGES]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False, env=dict(os.environ)
        )
    except subprocess.TimeoutExpired:
        return f"npm install took longer than {INSTALL_SECONDS} s"
    return "" if done.returncode == 0 else f"npm install failed: {done.stderr.strip()[-300:]}"
