"""Keys in the environment, headers, bodies, arguments, results and streams of the running program: none gets out."""

import json
import signal
import sqlite3
import stat
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider
from tests.flows.test_commands import COMMAND, READY, address, finish, read_until, started

ENVIRONMENT = {
    "OPENAI_API_KEY": "plain-provider-key-1",
    "MY_LLM": "innocent-looking-name",
    "GROQ_KEY2": "gsk_abcdefghijklmnop1234",
    "LDAP_BINDPW": "hunter22-ldap",
    "MY_PW": "hunter23-mine",
    "XAI": "xai-abcdefghijkl1234567890",
    "STRIPE": "sk_live_abcdefghij1234567890",
}
HEADERS = {
    "authorization": "Bearer opaque-agent-credential",
    "x-portkey-api-key": "portkey-plain-words",
    "cf-access-client-secret": "cf-plain-words",
    "x-custom-secret": "custom-plain-words",
}
IN_TEXT = "sk-ant-api03-fromthetext12345"
IN_RESULT = "ghp_fromtheresult0123456789"
SPREAD = "sk-proj-spreadoverdeltas1234567"
IN_ARGUMENTS = "argument-plain-words"
OF_TOOL = "mcp-authorization-plain"
SECRETS = (
    *ENVIRONMENT.values(),
    *(value.removeprefix("Bearer ") for value in HEADERS.values()),
    *(IN_TEXT, IN_RESULT, SPREAD, IN_ARGUMENTS, OF_TOOL),
)
COMMAND_LINE = "env; printf ghp_fromthe; printf result0123456789; tr '\\\\0' '\\\\n' < /proc/$PPID/environ"
linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc on this system")


def config(upstream: str) -> str:
    return f"""
[[upstreams]]
name = "up"
wire = "openai-chat"
base_url = "{upstream}/v1"
key_env = "MY_LLM"
models = ["*"]

[[upstreams]]
name = "other"
wire = "openai-chat"
base_url = "{upstream}/v1"
key_env = "OPENAI_API_KEY"
models = ["other-*"]
"""


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Path, str, str, list[str]]]:
    """The data folder after it all, what /proc showed, what the command printed, and the keys that went upstream."""
    spread = [{"content": piece} for piece in ("your key ", SPREAD[:9], SPREAD[9:17], SPREAD[17:], " is kept")]
    arguments = json.dumps({"command": COMMAND_LINE, "api_key": IN_ARGUMENTS})
    halves = (arguments[:70], arguments[70:])
    replies = [
        Reply(
            chat_stream(
                *call_deltas(0, "call_1", "run_command", json.dumps({"command": COMMAND_LINE})), finish="tool_calls"
            )
        ),
        Reply(chat_stream(*spread)),
        Reply(chat_stream(*call_deltas(0, "call_2", "login", *halves), finish="tool_calls")),
    ]
    login = {"type": "function", "function": {"name": "login", "parameters": {"type": "object"}}}
    data = tmp_path / "data"
    with provider(*replies) as up:
        (tmp_path / "callgate.toml").write_text(config(up.address), "utf-8")
        options = ("--config", str(tmp_path / "callgate.toml"), "--trust-config", "--workspace", str(tmp_path))
        options = (*options, "--data", str(data))
        with started("serve", "--port", "0", "--on-ask", "allow", *options, **ENVIRONMENT) as process:
            url = address(read_until(process, READY))
            shown = "".join(
                Path(f"/proc/{process.pid}/{name}").read_bytes().decode("utf-8", "replace")
                for name in ("environ", "cmdline")
            )
            body = {
                "model": "m",
                "stream": True,
                "messages": [{"role": "user", "content": f"my key is {IN_TEXT}, keep it"}],
                "tools": [login],
                "metadata": {"mcp": {"type": "mcp", "authorization": OF_TOOL, "headers": {"X-Key": OF_TOOL + "-2a"}}},
            }
            with httpx.Client(trust_env=False, timeout=60, headers=HEADERS, base_url=url) as client:
                auto = {**body, "use_tools": True, "tool_execution": "auto"}
                first = client.post("/v1/chat/completions", json=auto)
                assert first.status_code == 200 and " is kept" in first.text and SPREAD[9:17] in first.text
                second = client.post("/v1/chat/completions", json=body)
                assert IN_ARGUMENTS in second.text, "what a client gets is not touched"
            printed = next(message["content"] for message in up.asked[1].body["messages"] if message["role"] == "tool")
            keys = [asked.headers["authorization"] for asked in up.asked]
            finish(process, signal.SIGTERM)
    yield data, shown, printed, keys


@linux
def test_no_key_of_the_environment_can_be_read_and_none_is_stored_or_exported(
    played: tuple[Path, str, str, list[str]], tmp_path: Path
) -> None:
    data, shown, printed, keys = played
    assert set(keys) == {"Bearer innocent-looking-name"}, "the key itself is used"
    for value in (*ENVIRONMENT.values(), *(name for name in ENVIRONMENT)):
        assert value not in shown and value not in printed
    names = {line.partition("=")[0] for line in printed.splitlines() if "=" in line and line[:1].isupper()}
    assert "PATH" in names and IN_RESULT in printed
    stored = _stored(data)
    assert "my key is «key sk-" in stored and "is kept" in stored and "login" in stored
    for secret in SECRETS:
        assert secret not in stored, secret
    assert SPREAD[9:17] not in stored
    export = tmp_path / "export.jsonl"
    subprocess.run([*COMMAND, "export", "--all", "--data", str(data), "--out", str(export)], check=True, timeout=60)
    exported = export.read_text("utf-8")
    assert "is kept" in exported and not [secret for secret in SECRETS if secret in exported]


@linux
def test_the_data_folder_is_for_its_owner_only(played: tuple[Path, str, str, list[str]]) -> None:
    data = played[0]
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    loose = [path for path in data.rglob("*") if not path.is_dir() and path.stat().st_mode & 0o077]
    assert not loose and (data / "callgate.db").exists()


def _stored(data: Path) -> str:
    """Every byte of the files, and everything in the tables, unpacked."""
    raw = "".join(path.read_bytes().decode("latin-1") for path in data.rglob("*") if path.is_file())
    connection = sqlite3.connect(data / "callgate.db")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    values = [value for name in tables for row in connection.execute(f'SELECT * FROM "{name}"') for value in row]
    connection.close()
    return raw + "".join(map(_text, values))


def _text(value: object) -> str:
    if isinstance(value, bytes):
        try:
            return zlib.decompress(value).decode("utf-8", "replace")
        except zlib.error:
            return value.decode("utf-8", "replace")
    return str(value)
