import socket

import pytest

from callgate.tools.mcp_source.doctor_hints import address_hint, exit_hint, handshake_hint, program_hint, status_hint


def test_a_missing_runner_says_what_brings_it() -> None:
    assert "Node.js" in program_hint("npx", there=False, path="/bin")
    assert "chmod" in program_hint("./run", there=True, path="")
    assert "path" in program_hint("/opt/x", there=False, path="")
    assert "2 folders" in program_hint("thing", there=False, path="/a:/b")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError(), "does not answer"),
        (socket.gaierror(), "not known"),
        (ConnectionRefusedError(), "Nothing listens"),
        (OSError("no route"), "no route"),
    ],
)
def test_each_way_not_to_reach_an_address_has_its_words(error: BaseException, said: str) -> None:
    assert said in address_hint("host", 80, error)[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("ModuleNotFoundError: No module named 'x'", "not installed"),
        ("usage: server [-h] dir", "arguments"),
        ("Error: API key missing", "key or a setting"),
        ("", "terminal"),
    ],
)
def test_last_words_are_understood(words: str, said: str) -> None:
    assert said in exit_hint(1, words)


def test_the_rest() -> None:
    assert "stdio" in exit_hint(0, "")
    assert "/mcp" in status_hint(404)
    assert "own log" in status_hint(503)
    assert "standard output" in handshake_hint(["[stdout, not MCP] hi"], ["x"])
    assert "as an MCP server does" in handshake_hint([], [])
