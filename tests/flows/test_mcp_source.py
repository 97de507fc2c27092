"""A configured MCP server, seen from outside: its tools are offered, and it goes when the program goes."""

import sys
from pathlib import Path

import httpx
from tests.fakes.mcp_sources import SERVERS, alive
from tests.fakes.running import running

from callgate.core.events import FaultRaised, ToolsChanged
from callgate.runtime.runtime import Launch

CONFIG = """
[[sources]]
name = "polite"
kind = "mcp"
command = [{python}, {server}, "polite"]
era = "legacy"

[[sources]]
name = "missing"
kind = "mcp"
command = ["no-such-server-anywhere"]

[[sources]]
name = "off"
kind = "mcp"
command = ["also-missing"]
enabled = false
"""


def test_tools_of_a_configured_server_are_offered_and_nothing_is_left_behind(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text(CONFIG.format(python=repr(sys.executable), server=repr(str(SERVERS / "rude.py"))), "utf-8")
    with running(Launch(config=config, port=0, workspace=tmp_path, data=tmp_path / "data")) as runtime:
        runtime.wait_for(
            lambda events: next(
                (
                    event
                    for event in events
                    if isinstance(event, ToolsChanged) and any(tool.source == "polite" for tool in event.tools)
                ),
                None,
            )
        )
        fault = runtime.wait_for(
            lambda events: next((event for event in events if isinstance(event, FaultRaised)), None)
        )
        assert fault.where == "MCP server missing"
        listed = httpx.get(f"{runtime.address}/v1/tools", params={"name": "environment"}).json()["data"]
        assert [(tool["name"], tool["source"]) for tool in listed] == [("environment", "polite")]
        polite, missing = runtime.runtime.mcp_sources
        assert (polite.state, missing.state) == ("ready", "failed")
        pid = polite.pid
        assert pid is not None
        assert alive(pid)
    assert not alive(pid)
