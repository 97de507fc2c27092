import pytest

from callgate.tools.mcp_source.server_entry import BadEntry, read_entry


@pytest.mark.parametrize(
    ("kind", "transport"),
    [("stdio", "stdio"), ("streamable-http", "http"), ("streamableHttp", "http"), ("SSE", "sse"), ("http", "http")],
)
def test_every_spelling_of_a_transport_is_known(kind: str, transport: str) -> None:
    fields, _ = read_entry({"type": kind, "url": "http://127.0.0.1:1"})
    assert fields["transport"] == transport


@pytest.mark.parametrize("key", ["url", "serverUrl", "httpUrl"])
def test_every_spelling_of_an_address_is_known(key: str) -> None:
    assert read_entry({key: "http://127.0.0.1:1"})[0] == {"url": "http://127.0.0.1:1"}


def test_numbers_and_switches_become_texts() -> None:
    fields, _ = read_entry({"command": "x", "args": ["-p", 8080], "env": {"A": True, "B": 1.5, "C": None}})
    assert fields == {"command": ["x", "-p", "8080"], "env": {"A": "true", "B": "1.5"}}


@pytest.mark.parametrize(
    "entry",
    [
        None,
        {"args": ["x"]},
        {"command": 3},
        {"command": "x", "args": [["y"]]},
        {"command": "x", "env": ["A=1"]},
        {"command": "x", "env": {"A": {}}},
        {"command": "x", "cwd": 3},
    ],
)
def test_an_entry_that_describes_no_server_is_refused(entry: object) -> None:
    with pytest.raises(BadEntry):
        read_entry(entry)  # type: ignore[arg-type]


def test_what_a_login_needs_is_read_but_not_its_secret() -> None:
    login = {"clientId": "abc", "clientSecret": "s3cret", "callbackPort": 8123, "scopes": ["read", "write"]}
    fields, notes = read_entry({"url": "https://x.example/mcp", "oauth": login})
    assert fields["oauth"] == {"client_id": "abc", "callback_port": 8123, "scope": "read write"}
    assert any("clientSecret" in note for note in notes)
    assert "s3cret" not in str((fields, notes))
    assert "oauth" not in read_entry({"url": "https://x.example/mcp", "oauth": {"callbackPort": "no"}})[0]
