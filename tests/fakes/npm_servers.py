"""MCP servers that other people wrote, from npm: `make test` puts them beside the Python packages.

Where they could not be had, the test is skipped and says why.
"""

import shutil
import sys
from pathlib import Path

import pytest

FOLDER = Path(sys.prefix) / "npm"


def npm_command(name: str, *more: str) -> tuple[str, ...]:
    """How the server of that name is started; skips the test where it can't be had."""
    script = FOLDER / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    node = shutil.which("node")
    if node is None or not script.is_file():
        pytest.skip(f"server-{name} of npm is not here: {_why()}")
    return (node, str(script), *more)


def _why() -> str:
    reason = FOLDER / "missing"
    return reason.read_text("utf-8").strip() if reason.is_file() else "`make test` fetches it"
