"""`callgate tools` lists what MCP servers have too, names those that failed."""

import sys
from pathlib import Path

from tests.fakes.mcp_sources import SERVERS

from callgate.cli.tools_command import list_tools
from callgate.runtime.runtime import Launch

CONFIG = f"""
[[sources]]
name = "good"
kind = "mcp"
command = ["{sys.executable}", "{SERVERS / "versatile.py"}"]

[[sources]]
name = "missing"
kind = "mcp"
command = ["/nonexistent/server"]
"""


def test_tools_of_servers_are_listed_and_failures_named(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text(CONFIG, "utf-8")
    listed = list_tools(
        Launch(config, 0, tmp_path, tmp_path / "data", windowed=False, on_ask="deny", trust_config=True), "*e*"
    )
    assert any(line.split()[:2] == ["echo", "good"] for line in listed.tools.splitlines())
    assert any(line.startswith("read_file") for line in listed.tools.splitlines())
    assert listed.failed
    assert listed.notes.startswith("missing: its tools are not here: The command '/nonexistent/server' was not found.")
    assert (tmp_path / "data" / "mcp-eras.json").is_file()
