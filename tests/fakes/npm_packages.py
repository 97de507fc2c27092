"""What other people wrote in JavaScript, from npm: `make test` puts it beside the Python packages.

Where it could not be had, the test is skipped and says why.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

FOLDER = Path(sys.prefix) / "npm"
MODULES = FOLDER / "node_modules"


def npm_command(name: str, *more: str) -> tuple[str, ...]:
    """How the MCP server of that name is started; skips the test where it can't be had."""
    script = MODULES / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    return (node_with(f"@modelcontextprotocol/server-{name}"), str(script), *more)


def node_with(*names: str) -> str:
    """The program that runs JavaScript, where it and all these packages can be had; else skips the test."""
    node = shutil.which("node")
    missing = [name for name in names if not (MODULES / name / "package.json").is_file()]
    if node is None or missing:
        pytest.skip(f"{', '.join(missing) or 'node'} of npm is not here: {_why()}")
    return node


def npm_version(name: str) -> str:
    return json.loads((MODULES / name / "package.json").read_text("utf-8"))["version"]


def _why() -> str:
    reason = FOLDER / "missing"
    return reason.read_text("utf-8").strip() if reason.is_file() else "`make test` fetches it"
