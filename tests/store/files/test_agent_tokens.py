"""Tokens of agents: kept as hashes, good until they are revoked, whoever revokes them."""

import hashlib
import hmac
import json
import stat
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from callgate.core.errors import UserFault
from callgate.store.files import agent_tokens as module
from callgate.store.files.agent_tokens import FILE_NAME, agent_tokens
from callgate.store.files.reviewed_files import ReviewedFiles


def test_a_token_is_found_again_and_only_its_hash_is_kept(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path / "data")
    made, text = tokens.add("claude-code")
    assert text.startswith("cg_") and len(text) > 40
    assert tokens.find(text) == made
    assert agent_tokens(tmp_path / "data").find(text) == made
    for wrong in ("", "cg_", text[:-1], text + "x", text.upper(), "cg_\ud800"):
        assert tokens.find(wrong) is None
    for file in (tmp_path / "data").iterdir():
        assert text[3:].encode() not in file.read_bytes()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_each_token_of_an_agent_is_another_and_can_go_alone(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path)
    (first, one), (second, two), (_, other) = tokens.add("a"), tokens.add("a"), tokens.add("b")
    assert tokens.revoke(first.id) == (first,)
    assert tokens.find(one) is None
    assert tokens.find(two) == second
    assert tokens.revoke("a") == (second,)
    assert tokens.find(two) is None
    assert tokens.find(other) is not None
    with pytest.raises(UserFault, match="'a'"):
        tokens.revoke("a")


def test_what_another_process_revokes_is_refused_at_the_very_next_look(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path)
    _, text = tokens.add("a")
    revoke = "import sys, pathlib; from callgate.store.files.agent_tokens import agent_tokens as t\n"
    revoke += "t(pathlib.Path(sys.argv[1])).revoke('a')"
    subprocess.run([sys.executable, "-c", revoke, tmp_path], check=True, timeout=60)
    assert tokens.find(text) is None


def test_two_that_add_at_once_lose_none(tmp_path: Path) -> None:
    first, second = agent_tokens(tmp_path), agent_tokens(tmp_path)
    texts = [(first if number % 2 else second).add(f"agent-{number}")[1] for number in range(10)]
    assert all(first.find(text) and second.find(text) for text in texts)


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b'{"tokens":{}}',
        b'{"tokens":[1]}',
        b'{"tokens":[{"id":"t","name":"a","created":1}]}',
        b'{"tokens":[{"id":"t","name":"a","sha256":"","created":1}]}',
        b'{"tokens":[{"id":"t","name":"no good","sha256":"%s","created":1}]}' % (b"0" * 64),
        b"{",
    ],
)
def test_a_file_that_cannot_be_used_proves_nothing_and_says_so(tmp_path: Path, content: bytes) -> None:
    tokens = agent_tokens(tmp_path)
    _, text = tokens.add("a")
    (tmp_path / FILE_NAME).write_bytes(content)
    assert tokens.find(text) is None
    assert FILE_NAME in tokens.problem


def test_a_file_that_is_gone_proves_nothing(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path)
    _, text = tokens.add("a")
    (tmp_path / FILE_NAME).unlink()
    assert tokens.find(text) is None
    assert tokens.tokens() == ()


def test_a_broken_file_is_not_written_over(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path)
    (tmp_path / FILE_NAME).write_text('{"tokens":[1]}', "utf-8")
    with pytest.raises(UserFault):
        tokens.add("a")
    assert (tmp_path / FILE_NAME).read_text("utf-8") == '{"tokens":[1]}'


def test_every_hash_is_compared_in_constant_time_whichever_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = agent_tokens(tmp_path)
    texts = [tokens.add(f"a{number}")[1] for number in range(3)]
    compared: list[str] = []

    class Counting:
        @staticmethod
        def compare_digest(one: str, other: str) -> bool:
            compared.append(one)
            return hmac.compare_digest(one, other)

    monkeypatch.setattr(module, "hmac", Counting)
    for text in (*texts, "cg_wrong"):
        compared.clear()
        tokens.find(text)
        assert len(compared) == 3


def test_when_a_token_was_used_is_kept_apart_and_only_of_those_that_are_left(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path)
    (kept, _), (gone, _) = tokens.add("a"), tokens.add("b")
    tokens.used(kept.id)
    tokens.used(gone.id)
    before = (tmp_path / FILE_NAME).read_bytes()
    tokens.save_use()
    assert (tmp_path / FILE_NAME).read_bytes() == before
    tokens.revoke("b")
    tokens.save_use()
    again = agent_tokens(tmp_path)
    assert again.last_used(kept.id) == tokens.last_used(kept.id) is not None
    assert again.last_used(gone.id) is None
    assert set(orjson.loads((tmp_path / module.USE_FILE_NAME).read_bytes())) == {kept.id}


def test_it_is_time_to_keep_the_use_only_once_in_a_while(tmp_path: Path) -> None:
    tokens = agent_tokens(tmp_path)
    assert [tokens.use_is_due for _ in range(3)] == [True, False, False]


def test_names_that_could_deceive_get_no_token(tmp_path: Path) -> None:
    with pytest.raises(UserFault, match="letters"):
        agent_tokens(tmp_path).add("clаude-code")
    assert not (tmp_path / FILE_NAME).exists()


def test_a_token_that_another_program_wrote_proves_nothing_and_one_of_another_process_at_once(tmp_path: Path) -> None:
    data = tmp_path / "data"
    running, command = agent_tokens(data, ReviewedFiles(data)), agent_tokens(data, ReviewedFiles(data))
    _, text = command.add("mine")
    assert running.find(text) is not None, "also before the running program has looked at what was accepted"
    content = json.loads(running.path.read_text("utf-8"))
    planted = {"id": "x", "name": "trusted", "sha256": hashlib.sha256(b"callgate_x").hexdigest(), "created": 1.0}
    running.path.write_text(json.dumps({**content, "tokens": [*content["tokens"], planted]}), "utf-8")
    assert running.find("callgate_x") is None and running.find(text) is not None
    command.revoke("mine")
    assert running.find(text) is None and running.find("callgate_x") is None
