import pytest

from callgate.tools.source_text import command_name, fit_source_name, recognise


@pytest.mark.parametrize(
    ("text", "shape", "name", "target"),
    [
        ("npx -y @modelcontextprotocol/server-memory", "command", "memory", "npx"),
        ("$ uvx mcp-server-git --repository .", "command", "git", "uvx"),
        ("docker run -i --rm \\\n  mcp/postgres:1.2 db", "command", "postgres", "docker"),
        ('"/opt/my tools/serve" --stdio', "command", "serve", "/opt/my tools/serve"),
        ("http://localhost:3000/mcp", "address", "local-3000", "http://localhost:3000/mcp"),
        ("https://mcp.linear.app/sse", "address", "linear", "https://mcp.linear.app/sse"),
        ('{"mcpServers": {"ab": {"command": "x"}}}', "servers", "ab", "x"),
        ('// mine\n{"servers": {"vs": {"type": "http", "url": "http://h/m"}}}', "vscode", "vs", "http://h/m"),
        ('"lone": {"command": "x", "args": ["y"]},', "servers", "lone", "x"),
        ('{"command": "x"}', "servers", "server", "x"),
        ('```json\n{"mcpServers": {"f": {"command": "x"}}}\n```', "servers", "f", "x"),
        ('[[sources]]\nname = "t"\nkind = "mcp"\ncommand = ["x"]', "toml", "t", "x"),
        ('[mcp_servers.codex]\ncommand = "x"\nargs = ["y"]', "toml", "codex", "x"),
        ("claude mcp add -e K=v mem -- npx -y foo", "command", "mem", "npx"),
        ("claude mcp add --transport http lin https://l.example/mcp", "command", "lin", "https://l.example/mcp"),
    ],
)
def test_every_shape_is_taken_for_what_it_is(text: str, shape: str, name: str, target: str) -> None:
    found = recognise(text)
    assert not found.problems
    (settings,) = found.sources
    assert (found.shape, settings.name) == (shape, name)
    assert target in (settings.url, *settings.command)
    assert found.words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{ bad", "not valid JSON"),
        ("[[sources]\nx", "TOML"),
        ("[server]\nport = 1", "no [[sources]]"),
        ("cat x | grep y", "without a shell"),
        ("say 'half", "no closing quotation"),
        ("first line\nsecond line", "neither"),
        ("claude mcp add lonely", "no command or address"),
        ("KEY=value", "no command"),
        ('{"theme": "dark"}', "no servers"),
    ],
)
def test_what_is_none_of_them_is_said_and_not_guessed(text: str, said: str) -> None:
    found = recognise(text)
    assert not found.sources
    assert said in str(found.problems[0])


def test_variables_before_a_command_and_options_of_claude_are_kept() -> None:
    (settings,) = recognise("API_KEY=1 B=2 node server.js").sources
    assert (settings.env, settings.command) == ({"API_KEY": "1", "B": "2"}, ("node", "server.js"))
    (remote,) = recognise('claude mcp add -t sse -H "X-Key: abc" s https://s.example/x').sources
    assert (remote.transport, remote.headers) == ("sse", {"X-Key": "abc"})


def test_a_broken_table_leaves_the_others() -> None:
    found = recognise(
        '[[sources]]\nname = "a"\nkind = "mcp"\n\n[[sources]]\nname = "b"\nkind = "mcp"\nurl = "http://h"'
    )
    assert [source.name for source in found.sources] == ["b"]
    assert "either command or url" in str(found.problems[0])


def test_nothing_is_nothing() -> None:
    assert recognise(" \n ").shape == "empty"


def test_names_are_made_fit() -> None:
    assert fit_source_name("My Server (2)!") == "My-Server-2"
    assert fit_source_name("…") == "server"
    assert command_name(["python3", "-m", "weather"]) == "weather"
    assert command_name(["C:\\tools\\thing.exe"]) == "thing"
