import asyncio

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from callgate.tools.mcp_source.server_info import ServerInfo, is_the_peers, leaves
from callgate.tools.mcp_source.stderr_lines import StderrLines


def test_groups_are_flattened_into_words_once_each() -> None:
    deep = ExceptionGroup("a", [ExceptionGroup("b", [OSError("broken pipe"), OSError("broken pipe")]), ValueError("x")])
    assert [str(leaf) for leaf in leaves(deep)] == ["broken pipe", "broken pipe", "x"]
    peer = ServerInfo("http://127.0.0.1:1", StderrLines())
    assert asyncio.run(peer.farewell(deep)) == "broken pipe; x"


def test_a_bug_of_ours_inside_a_group_is_not_the_peers() -> None:
    assert is_the_peers(ExceptionGroup("a", [OSError(), MCPError(-1, "x")]))
    assert not is_the_peers(ExceptionGroup("a", [OSError(), KeyError("ours")]))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MCPError(-32000, "Connection closed"), "the connection was closed"),
        (MCPError(-32603, "boom"), "the server says: boom (code -32603)"),
        (TimeoutError(), "the server did not answer in time"),
        (httpx2.ConnectError("refused"), "here can't be reached (refused)"),
        (None, "the connection was closed"),
    ],
)
def test_every_end_has_its_words(error: Exception | None, words: str) -> None:
    assert asyncio.run(ServerInfo("here", StderrLines()).farewell(error)) == words


def test_an_http_status_says_more_than_what_the_sdk_makes_of_it() -> None:
    peer = ServerInfo("here", StderrLines())
    peer.status = 401
    assert "401 Unauthorized" in asyncio.run(peer.farewell(MCPError(-32603, "Server returned an error response")))
