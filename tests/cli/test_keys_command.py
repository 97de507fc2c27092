"""Keys from a terminal."""

import io
import json
from pathlib import Path

import pytest
from tests.fakes.memory_keyring import MemoryKeyring, system_keyring

from callgate.cli import keys_command
from callgate.cli.main import main
from callgate.core.errors import UserFault
from callgate.runtime.runtime import Launch
from callgate.store.secrets import Secrets

CONFIG = (
    '[[upstreams]]\nname = "ringed"\nwire = "openai-chat"\nbase_url = "http://x.test/v1"\nkey = "keyring"\n'
    '[[upstreams]]\nname = "open"\nwire = "openai-chat"\nbase_url = "http://x.test/v1"\n'
)


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    (tmp_path / "callgate.toml").write_text(CONFIG, "utf-8")
    return Launch(tmp_path / "callgate.toml", data=tmp_path / "data")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_key_goes_through_a_pipe_into_the_keyring_and_out_again(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ring = MemoryKeyring()
    monkeypatch.setattr("sys.stdin", io.StringIO("sk-piped\n"))
    with system_keyring(ring):
        assert main(["keys", "set", "ringed", "--config", str(launch.config), "--data", str(launch.data)]) == 0
        assert ring.kept == {("callgate", "ringed"): "sk-piped"}
        assert main(["keys", "forget", "ringed"]) == 0
        assert ring.kept == {}
    said = capsys.readouterr()
    assert "is in the keyring" in said.err and "sk-piped" not in said.out + said.err


def test_a_key_is_asked_for_unseen_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal())
    asked: list[str] = []
    monkeypatch.setattr("getpass.getpass", lambda prompt: asked.append(prompt) or " sk-typed ")
    assert keys_command.asked("ringed") == "sk-typed"
    assert "ringed" in asked[0]

    def ended(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", ended)
    with pytest.raises(UserFault, match="No key was given"):
        keys_command.asked("ringed")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ringed", "reads it when it starts again"),
        ("open", 'give it key = "keyring"'),
        ("typo", "no endpoint of that name is configured; known are: open, ringed"),
    ],
)
def test_what_the_key_is_good_for_is_said(launch: Launch, name: str, words: str) -> None:
    assert words in keys_command.set_key(launch, name, "sk-1", Secrets({}, MemoryKeyring()))


def test_endpoints_that_were_added_in_the_window_are_known_and_a_broken_file_is_left_alone(launch: Launch) -> None:
    secrets = Secrets({}, MemoryKeyring())
    launch.data_folder.mkdir()
    file = launch.data_folder / "endpoints.json"
    entry = {"name": "added", "wire": "openai-chat", "base_url": "http://x.test/v1", "key": "keyring"}
    file.write_text(json.dumps({"endpoints": [entry]}), "utf-8")
    assert "starts again" in keys_command.set_key(launch, "added", "sk-1", secrets)
    file.write_text("{ half", "utf-8")
    assert "no endpoint of that name" in keys_command.set_key(launch, "added", "sk-1", secrets)
    assert file.read_text("utf-8") == "{ half"


@pytest.mark.parametrize(("key", "words"), [("", "is empty"), ("Bearer x", "without Bearer"), ("a b", "no spaces")])
def test_what_is_no_key_is_refused(launch: Launch, key: str, words: str) -> None:
    with pytest.raises(UserFault, match=words):
        keys_command.set_key(launch, "ringed", key, Secrets({}, MemoryKeyring()))
