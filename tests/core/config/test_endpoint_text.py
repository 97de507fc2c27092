import tomllib

from callgate.core.config.endpoint_text import endpoint_toml, spell_endpoint
from callgate.core.config.settings import Settings, UpstreamSettings, VertexSettings

PLAIN = UpstreamSettings(name="local", wire=("openai-chat",), base_url="http://127.0.0.1:1/v1")
RICH = UpstreamSettings(
    name="rich",
    wire=("anthropic", "gemini"),
    base_url="https://x.test",
    key_env="X_KEY",
    key="keyring",
    models=("claude-*", 'odd"name'),
    dialect="vllm",
    vertex=VertexSettings(project="p", location="eu"),
    api_version="v1",
)


def test_what_is_written_down_is_read_back_the_same() -> None:
    for settings in (PLAIN, RICH):
        assert UpstreamSettings.model_validate(spell_endpoint(settings)) == settings


def test_what_is_copied_counts_in_a_configuration_file() -> None:
    data = tomllib.loads(endpoint_toml(PLAIN) + "\n" + endpoint_toml(RICH))
    assert Settings.model_validate(data).upstreams == (PLAIN, RICH)


def test_what_was_not_said_is_not_written() -> None:
    assert spell_endpoint(PLAIN) == {
        "name": "local",
        "wire": "openai-chat",
        "base_url": "http://127.0.0.1:1/v1",
        "models": ["*"],
    }
