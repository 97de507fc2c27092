"""Endpoints in every state that a person may find them in."""

from dataclasses import replace

from callgate.core.config.settings import UpstreamSettings
from callgate.engine.endpoints.endpoint_service import EndpointView, Examination

FILED = EndpointView(
    "openai",
    "config",
    ("openai-chat", "openai-responses"),
    "https://api.openai.com/v1",
    ("gpt-*",),
    key="environment",
    key_env="OPENAI_API_KEY",
    is_default=True,
    examination=Examination("reached", "It answers and has 2 models.", ("gpt-5", "tts"), 1, 0.4, 1000.0),
)
MINE = EndpointView(
    "mine", "added", ("anthropic",), "https://a.test", ("claude-*",), "vllm", "keyring", has_kept_key=True
)
KEYLESS = replace(MINE, name="keyless", problem="The keyring has no key <b>for it</b>.")
BUSY = replace(MINE, name="busy", checking=True)
SETTINGS = UpstreamSettings(
    name="mine", wire=("anthropic",), base_url="https://a.test", key="keyring", models=("claude-*",), dialect="vllm"
)
