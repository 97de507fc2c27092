import json
from pathlib import Path

import pytest

from callgate.tools.other_programs import find_servers, usual_places

SERVERS = {"mcpServers": {"one": {"command": "x"}}}


@pytest.mark.parametrize(
    ("platform", "file"),
    [
        ("linux", ".config/Claude/claude_desktop_config.json"),
        ("darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_each_platform_has_its_places(tmp_path: Path, platform: str, file: str) -> None:
    places = usual_places(tmp_path / "work", {"HOME": str(tmp_path)}, platform)
    assert (tmp_path / file) in [place.path for place in places]


def found(tmp_path: Path) -> dict[str, list[str]]:
    places = usual_places(tmp_path / "work", {"HOME": str(tmp_path)}, "linux")
    return {
        one.program: [source.name for source in one.imported.sources] for one in find_servers(places, tmp_path / "work")
    }


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def test_files_of_all_programs_are_read_and_those_without_servers_left_out(tmp_path: Path) -> None:
    work = tmp_path / "work"
    write(tmp_path / ".cursor" / "mcp.json", SERVERS)
    write(tmp_path / ".config" / "Code" / "User" / "settings.json", '{"mcp": {"servers": {"old": {"command": "y"}}}, }')
    write(work / ".vscode" / "mcp.json", {"servers": {"vs": {"url": "http://h/m"}}, "inputs": []})
    write(tmp_path / ".gemini" / "settings.json", {"theme": "dark"})
    write(tmp_path / ".codex" / "config.toml", 'model = "x"\n[mcp_servers.cx]\ncommand = "z"\n')
    write(
        tmp_path / ".claude.json",
        {**SERVERS, "projects": {str(work): {"mcpServers": {"two": {"command": "y"}}}, "/else": SERVERS}},
    )
    assert found(tmp_path) == {
        "Cursor": ["one"],
        "VS Code, older settings": ["old"],
        "VS Code, this workspace": ["vs"],
        "Codex": ["cx"],
        "Claude Code": ["one", "two"],
    }


def test_a_broken_file_is_shown_with_its_mistake(tmp_path: Path) -> None:
    write(tmp_path / ".cursor" / "mcp.json", "{ half")
    places = usual_places(tmp_path, {"HOME": str(tmp_path)}, "linux")
    # the workspace is the home folder here, so that one file stands at two places
    broken = find_servers(places, tmp_path)
    assert len(broken) == 2
    assert "line 1" in str(broken[0].imported.problems[0])
