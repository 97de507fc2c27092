"""MCP servers of other programs, printed as tables that Callgate's own configuration takes."""

import json
import tomllib
from pathlib import Path

import pytest

from callgate.cli.sources_command import imported
from callgate.core.config.settings import Settings
from callgate.core.errors import UserFault


def written(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_what_is_printed_is_a_configuration_and_holds_no_secret(tmp_path: Path) -> None:
    servers = {
        "git": {"command": "mcp-server-git", "args": ["-r", "${workspaceFolder}"]},
        "hub": {"url": "https://hub.example/mcp", "headers": {"Authorization": "Bearer sk-abcdef0123456789abcdef"}},
        "broken": {"args": []},
    }
    printed = imported(written(tmp_path / "claude_desktop_config.json", {"mcpServers": servers}), tmp_path)
    git, hub = Settings.model_validate(tomllib.loads(printed.tables)).sources
    assert git.command == ("mcp-server-git", "-r", "${workspaceFolder}")
    assert hub.headers == {"Authorization": "${env:AUTHORIZATION}"}
    assert "abcdef" not in printed.tables + printed.remarks
    assert "set the environment variable AUTHORIZATION" in printed.remarks
    assert "broken" in printed.remarks
    assert not printed.failed


def test_inputs_of_vs_code_stay_inputs(tmp_path: Path) -> None:
    content = """{
      // comments and trailing commas are fine
      "servers": {"s": {"type": "stdio", "command": "x", "env": {"KEY": "${input:key}"}}},
      "inputs": [{"type": "promptString", "id": "key", "description": "The key", "password": true}],
    }"""
    printed = imported(written(tmp_path / "mcp.json", content), tmp_path)
    (source,) = Settings.model_validate(tomllib.loads(printed.tables)).sources
    assert source.env == {"KEY": "${input:key}"}
    assert [one.id for one in source.inputs] == ["key"]


def test_without_a_file_all_usual_places_are_read_and_each_name_is_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    work = tmp_path / "work"
    written(work / ".mcp.json", {"mcpServers": {"time": {"command": "mcp-server-time"}}})
    written(tmp_path / ".cursor" / "mcp.json", {"mcpServers": {"time": {"command": "other"}}})
    printed = imported(None, work)
    (source,) = Settings.model_validate(tomllib.loads(printed.tables)).sources
    assert source.command == ("mcp-server-time",)
    assert "another file has one of that name" in printed.remarks


@pytest.mark.parametrize(("content", "says"), [(None, "no such file"), ("{}", "lists no MCP servers")])
def test_a_file_without_servers_is_said_to_have_none(tmp_path: Path, content: str | None, says: str) -> None:
    file = tmp_path / "mcp.json"
    if content is not None:
        written(file, content)
    with pytest.raises(UserFault, match=says):
        imported(file, tmp_path)


def test_a_broken_file_is_told_with_the_place(tmp_path: Path) -> None:
    printed = imported(written(tmp_path / "mcp.json", '{"mcpServers": {,}}'), tmp_path)
    assert printed.failed and printed.tables == ""
    assert "not valid JSON" in printed.remarks and "line 1" in printed.remarks
