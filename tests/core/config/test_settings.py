import pytest
from pydantic import ValidationError

from callgate.core.config.settings import Settings


def test_the_defaults_work_offline_and_on_loopback() -> None:
    settings = Settings()
    assert (settings.server.host, settings.server.port, settings.upstreams) == ("127.0.0.1", 8080, ())


def test_one_wire_or_several_may_be_given() -> None:
    one = {"name": "a", "wire": "anthropic", "base_url": "http://x"}
    many = {"name": "b", "wire": ["openai-chat", "gemini"], "base_url": "http://x", "models": ["gpt-*"]}
    upstreams = Settings.model_validate({"upstreams": [one, many]}).upstreams
    assert [upstream.wire for upstream in upstreams] == [("anthropic",), ("openai-chat", "gemini")]


@pytest.mark.parametrize(
    "bad",
    [
        {"server": {"port": "8080"}},
        {"server": {"port": 70000}},
        {"server": {"colour": "red"}},
        {"server": {"rate_limit": "many"}},
        {"gate": {"client_tools": "maybe"}},
        {"gate": {"deadline_seconds": 0}},
        {"upstreams": [{"name": "a", "wire": "telnet", "base_url": "x"}]},
        {"upstreams": [{"name": "a", "wire": "gemini"}]},
        {"upstreams": [{"name": "a", "wire": [], "base_url": "x"}]},
        {"upstreams": [{"name": "a", "wire": "gemini", "base_url": "x"}] * 2},
        {"upstreams": [{"name": "a b", "wire": "gemini", "base_url": "x"}]},
        {"upstreams": [{"name": "a", "wire": "gemini", "base_url": "x", "key": "sk-secret"}]},
        {"rules": [{"verdict": "perhaps"}]},
        {"rules": [{"verdict": "allow", "uses": 0}]},
        {"sources": [{"name": "g", "kind": "carrier-pigeon"}]},
        {"sources": [{"name": "g", "kind": "mcp"}]},
        {"sources": [{"name": "g", "kind": "mcp", "command": ["x"], "url": "http://127.0.0.1:1"}]},
        {"sources": [{"name": "g", "kind": "mcp", "command": ["x"], "transport": "http"}]},
        {"sources": [{"name": "g", "kind": "mcp", "command": [" "]}]},
        {"sources": [{"name": "g", "kind": "mcp", "url": "ftp://127.0.0.1"}]},
    ],
)
def test_unknown_keys_and_bad_values_are_refused(bad: dict) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(bad)
