"""Quirks are rows, and an address can suggest the row."""

import pytest

from callgate.wire.dialects import DIALECTS, PLAIN, guess_dialect


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("http://127.0.0.1:11434/v1", "ollama"),
        ("http://localhost:1234/v1", "lmstudio"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("https://api.deepseek.com/v1", "deepseek"),
        ("https://api.moonshot.ai/v1", "kimi"),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-compat"),
        ("https://api.openai.com/v1", "openai"),
        ("https://own.openai.azure.com/openai/v1", "openai"),
        ("http://10.0.0.7:9000/v1", ""),
    ],
)
def test_an_address_suggests_its_dialect(address: str, name: str) -> None:
    assert guess_dialect(address).name == name


def test_every_dialect_has_its_own_name_and_the_plain_one_none() -> None:
    assert PLAIN.name == ""
    assert all(DIALECTS[name].name == name for name in DIALECTS)


def test_servers_of_open_models_do_not_know_the_developer_role() -> None:
    assert not any(DIALECTS[name].developer_role for name in ("ollama", "llama.cpp", "vllm", "lmstudio"))
