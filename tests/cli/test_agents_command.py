"""`callgate agents` as it is typed: the token on standard output alone, everything else beside it."""

from pathlib import Path

import pytest
from tests.fakes.memory_keyring import MemoryKeyring, system_keyring

from callgate.cli.main import main
from callgate.store.files.agent_tokens import agent_tokens


def said(capsys: pytest.CaptureFixture[str], *command: str, data: Path, code: int = 0) -> tuple[str, str]:
    assert main(["agents", *command, "--data", str(data)]) == code
    printed = capsys.readouterr()
    return printed.out.strip(), printed.err


def test_a_token_is_printed_once_and_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    token, words = said(capsys, "add", "claude-code", data=tmp_path)
    made = agent_tokens(tmp_path).find(token)
    assert made is not None and made.name == "claude-code"
    assert f"/agent/{token}/v1" in words
    listed, _ = said(capsys, "list", data=tmp_path)
    assert "claude-code" in listed and made.id in listed and "never used" in listed
    assert token not in listed


def test_a_revoked_agent_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    token, _ = said(capsys, "add", "ci", data=tmp_path)
    said(capsys, "add", "ci", data=tmp_path)
    _, words = said(capsys, "revoke", "ci", data=tmp_path)
    assert words.count("Revoked: ci") == 2
    assert agent_tokens(tmp_path).find(token) is None
    assert "agents add NAME" in said(capsys, "list", data=tmp_path)[0]


def test_what_cannot_be_done_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "'nobody'" in said(capsys, "revoke", "nobody", data=tmp_path, code=2)[1]
    assert "letters" in said(capsys, "add", "no good", data=tmp_path, code=2)[1]
    (tmp_path / "agents.json").write_text('{"tokens":[1]}', "utf-8")
    assert "agents.json" in said(capsys, "list", data=tmp_path, code=2)[1]


def test_listing_makes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "list", data=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_the_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["agents", "--help"], ["agents", "add", "--help"]):
        with pytest.raises(SystemExit):
            main(command)
        assert "callgate agents add claude-code" in capsys.readouterr().out


def test_a_keyring_that_is_missing_is_not_taken_for_an_agent_that_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with system_keyring(MemoryKeyring()):
        token, _ = said(capsys, "add", "ci", data=tmp_path)
    for command in (["revoke", "ci"], ["list"], ["add", "ci"]):
        assert "no keyring that Callgate can use" in said(capsys, *command, data=tmp_path, code=2)[1]
    assert agent_tokens(tmp_path).find(token) is not None
