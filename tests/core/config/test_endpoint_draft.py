from dataclasses import replace

import pytest

from callgate.core.config.endpoint_draft import (
    EndpointDraft,
    Surroundings,
    draft_of,
    globs_of,
    is_loopback,
    judge,
    key_choice,
    key_problem,
)
from callgate.core.config.settings import UpstreamSettings, VertexSettings

AROUND = Surroundings({"taken", "demo"}, {"ollama"}, "http://127.0.0.1:8080", ("anthropic", "gemini"))
GOOD = EndpointDraft("mine", ("openai-chat",), "https://api.test/v1", "gpt-*, o3*", "keyring")


def test_a_good_draft_becomes_settings() -> None:
    judged = judge(GOOD, AROUND)
    assert judged.settings == UpstreamSettings(
        name="mine", wire=("openai-chat",), base_url="https://api.test/v1", key="keyring", models=("gpt-*", "o3*")
    )
    assert (judged.problems, judged.missing, judged.notes) == ({}, {}, ())


def test_settings_and_drafts_turn_into_each_other() -> None:
    settings = UpstreamSettings(
        name="v",
        wire=("anthropic",),
        models=("claude-*",),
        vertex=VertexSettings(project="p", location="eu"),
        api_version="v1",
    )
    assert judge(draft_of(settings), AROUND).settings == settings


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"name": "taken"}, "name", "another endpoint named taken"),
        ({"name": "my endpoint"}, "name", "letters, digits"),
        ({"name": "sk-0123456789abcdef"}, "name", "looks like a key"),
        ({"address": "ftp://x"}, "address", "begins with http"),
        ({"address": "api.test/v1"}, "address", "begins with http"),
        ({"address": "http://"}, "address", "begins with http"),
        ({"address": "http://[::1"}, "address", "no valid address"),
        ({"address": "http://x:99999/v1"}, "address", "no valid address"),
        ({"address": "https://me:secret@api.test/v1"}, "address", "key does not belong"),
        ({"address": "https://api.test/v1?key=0123456789"}, "address", "key does not belong"),
        ({"address": "https://api.test/v1#models"}, "address", "ends before #"),
        ({"address": "https://api.test/v1?key=abc"}, "address", "does not belong into the address"),
        ({"address": "http://localhost:8080/v1"}, "address", "Callgate itself"),
        ({"address": "http://127.0.0.1:80 80/v1"}, "address", "address"),
        ({"key": "environment", "key_env": "sk-0123456789abcdef"}, "key_env", "the key itself"),
        ({"key": "environment", "key_env": "MY KEY"}, "key_env", "letters, digits and _"),
        ({"models": "sk-0123456789abcdef"}, "models", "no key"),
        ({"dialect": "klingon"}, "dialect", "known are ollama"),
        ({"key": "google", "address": "", "project": "a b", "location": "eu"}, "project", "as Google Cloud"),
        ({"key": "google", "address": "", "project": "p", "location": "eu"}, "wires", "Vertex speaks"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(change: dict[str, str], field: str, words: str) -> None:
    judged = judge(replace(GOOD, **change), AROUND)  # type: ignore[arg-type]
    assert judged.settings is None
    assert words in judged.problems[field]  # type: ignore[index]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"address": ""}, "address"),
        ({"wires": ()}, "wires"),
        ({"models": " , "}, "models"),
        ({"key": "environment"}, "key_env"),
        ({"key": "google"}, "project"),
    ],
)
def test_what_is_missing_is_no_mistake_yet(change: dict[str, object], field: str) -> None:
    judged = judge(replace(GOOD, **change), AROUND)  # type: ignore[arg-type]
    assert judged.settings is None and judged.problems == {} and field in judged.missing


def test_a_name_may_be_kept_when_it_is_ones_own() -> None:
    assert judge(replace(GOOD, name="taken"), replace(AROUND, taken={"demo"})).settings is not None


def test_an_open_line_to_another_machine_is_noted() -> None:
    assert "can be read on its way" in judge(replace(GOOD, address="http://box.lan/v1"), AROUND).notes[0]
    assert judge(replace(GOOD, address="http://127.0.0.1:11434/v1"), AROUND).notes == ()


def test_patterns_are_apart_by_whatever_people_type() -> None:
    assert globs_of(" gpt-*,o3*; claude-*\n gpt-* ") == ("gpt-*", "o3*", "claude-*")
    assert globs_of("  ") == ()


@pytest.mark.parametrize(
    ("address", "near"), [("http://localhost:1", True), ("http://x", False), ("http://[::1", False)]
)
def test_this_machine_is_known(address: str, near: bool) -> None:
    assert is_loopback(address) is near


def test_where_a_key_comes_from_is_read_from_the_settings() -> None:
    plain = UpstreamSettings(name="x", wire=("openai-chat",), base_url="http://x")
    assert key_choice(plain) == "client"
    assert key_choice(plain.model_copy(update={"key": "keyring"})) == "keyring"
    assert key_choice(plain.model_copy(update={"key": "keyring", "key_env": "K"})) == "environment"
    assert key_choice(plain.model_copy(update={"vertex": VertexSettings(project="p", location="l")})) == "google"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("sk-good", ""),
        ("", ""),
        (" sk-good\n", ""),
        ("Bearer sk-1", "without Bearer"),
        ("sk 1", "no spaces"),
        ("sk-ü", "no"),
    ],
)
def test_a_text_that_can_be_no_key_is_said_without_repeating_it(key: str, words: str) -> None:
    said = key_problem(key)
    assert words in said and bool(words) == bool(said)
    assert not said or key not in said
