import pytest

from callgate.core.config.settings import InputSettings
from callgate.tools.mcp_source.import_config import UnreadableConfig, read_servers

CLAUDE_DESKTOP = """
{
  "mcpServers": {
    "filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"]},
    "weather": {"command": "uv", "args": ["run", "weather.py"], "env": {"CITY": "Ulm", "PORT": 80}}
  },
  "globalShortcut": "Ctrl+Space"
}
"""
VS_CODE = """
{
  // servers of the team
  "inputs": [
    {"type": "promptString", "id": "key", "description": "API key", "password": true},
    {"type": "pickString", "id": "zone", "description": "Zone", "options": ["eu", "us"], "default": "eu"},
    {"type": "command", "id": "odd", "command": "x.y"},
  ],
  "servers": {
    "remote": {"type": "http", "url": "https://mcp.test/mcp", "headers": {"Authorization": "Bearer ${input:key}"}},
    "old": {"type": "sse", "url": "http://127.0.0.1:9000/sse"},
    "local": {
      "type": "stdio", "command": "node", "args": ["${workspaceFolder}/server.js"], /* built first */
      "envFile": "${workspaceFolder}/.env", "cwd": "${workspaceFolder}", "dev": {"watch": "src/**"},
    },
  },
}
"""


def test_claude_desktop_and_its_kin_are_read() -> None:
    imported = read_servers(CLAUDE_DESKTOP)
    files, weather = imported.sources
    assert (files.name, files.kind) == ("filesystem", "mcp")
    assert files.command == ("npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/me")
    assert weather.env == {"CITY": "Ulm", "PORT": "80"}
    assert imported.problems == ()


def test_vs_code_with_inputs_comments_and_trailing_commas_is_read() -> None:
    imported = read_servers(VS_CODE)
    remote, old, local = imported.sources
    assert (remote.transport, remote.url) == ("http", "https://mcp.test/mcp")
    assert remote.headers == {"Authorization": "Bearer ${input:key}"}
    assert old.transport == "sse"
    assert (local.transport, local.cwd) == ("stdio", "${workspaceFolder}")
    assert local.env_file == "${workspaceFolder}/.env"
    assert imported.inputs == (
        InputSettings(id="key", description="API key", password=True),
        InputSettings(id="zone", description="Zone", default="eu", options=("eu", "us")),
    )
    said = [str(problem) for problem in imported.problems]
    assert said[0] == "line 12: local: not understood and left out: dev"
    assert "the input 'odd' is of type 'command'" in said[1]


def test_vs_code_settings_keep_their_servers_under_mcp() -> None:
    imported = read_servers('{"editor.fontSize": 12, "mcp": {"servers": {"a": {"command": "x"}}}}')
    assert [source.name for source in imported.sources] == ["a"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"command": "uvx", "args": ["mcp-server-time"]}', ["time"]),
        ('{"url": "http://127.0.0.1:1/mcp"}', ["time"]),
        ('{"a": {"command": "x"}, "b": {"url": "http://127.0.0.1:1"}}', ["a", "b"]),
    ],
)
def test_a_copied_piece_is_enough(text: str, names: list[str]) -> None:
    assert [source.name for source in read_servers(text, name="time").sources] == names


def test_names_are_made_fit_and_stay_distinct() -> None:
    imported = read_servers('{"mcpServers": {"My Server!": {"command": "x"}, "My-Server": {"command": "y"}}}')
    assert [source.name for source in imported.sources] == ["My-Server", "My-Server-2"]
    assert "is called 'My-Server' here" in str(imported.problems[0])


def test_one_bad_server_does_not_cost_the_others() -> None:
    text = """{"mcpServers": {
  "good": {"command": "x"},
  "neither": {"env": {}},
  "both": {"command": "x", "url": "http://127.0.0.1:1"},
  "strange": {"type": "carrier-pigeon", "url": "http://127.0.0.1:1"},
  "wrong": {"command": "x", "args": "not a list"},
  "mixed": {"type": "stdio", "url": "http://127.0.0.1:1"},
  "text": "npx"
}}"""
    imported = read_servers(text)
    assert [source.name for source in imported.sources] == ["good"]
    said = {problem.server: (problem.line, problem.message) for problem in imported.problems}
    assert said["neither"] == (3, "left out: an MCP server needs either command or url")
    assert said["both"] == (4, "left out: an MCP server needs either command or url, not both")
    assert said["strange"][1].startswith("left out: the transport 'carrier-pigeon' is not known")
    assert said["wrong"] == (6, "left out: 'args' must be a list of texts")
    assert "does not go with url" in said["mixed"][1]
    assert said["text"][0] == 8


def test_approvals_of_other_programs_are_not_taken_over_and_that_is_said() -> None:
    imported = read_servers('{"mcpServers": {"a": {"command": "x", "alwaysAllow": ["rm"], "disabled": true}}}')
    assert imported.sources[0].enabled is False
    assert "alwaysAllow is not taken over" in str(imported.problems[0])


def test_a_secret_in_plain_text_is_pointed_out_without_repeating_it() -> None:
    imported = read_servers('{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "sk-123", "OK_KEY": "${X}"}}}}')
    (problem,) = imported.problems
    assert "env.API_KEY seems to hold a secret" in str(problem)
    assert "sk-123" not in str(problem)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n "mcpServers": {\n  "a": {"command" "x"}\n }\n}', "line 3, column 19"),
        ("[]", "a JSON object with servers was expected"),
        ("", "line 1, column 1"),
        ('{"theme": "dark"}', "no servers in it"),
        ('{"mcpServers": []}', "'mcpServers' must be an object"),
        ('{"mcpServers": {"a": {"command": "x}}}', "line 1"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises(UnreadableConfig) as refused:
        read_servers(text)
    assert words in str(refused.value)
