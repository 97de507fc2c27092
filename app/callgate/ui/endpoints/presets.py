"""Providers and servers that people have, as data: what is known of each before anything is typed. Pure."""

from dataclasses import dataclass
from typing import Literal

from callgate.core.config.settings import UpstreamSettings
from callgate.core.request import WireName

PresetKey = Literal["needed", "optional", "google"]
"""Whether it answers without a key; `google` = the login of Google's own tools stands in for one."""
PresetAsk = Literal["address", "wires", "place"]
PresetGroup = Literal["Providers", "Google Cloud", "On this machine", "Anything else"]


@dataclass(frozen=True, slots=True)
class EndpointPreset:
    id: str
    title: str
    group: PresetGroup
    about: str
    """What a person should know before choosing it."""
    wires: tuple[WireName, ...]
    base_url: str = ""
    models: tuple[str, ...] = ("*",)
    key: PresetKey = "needed"
    key_env: str = ""
    """The variable that its own tools read."""
    dialect: str = ""
    asks: tuple[PresetAsk, ...] = ()
    """What beside name, key and models has to be said; the rest is known."""


COMPATIBLE = EndpointPreset(
    "compatible",
    "Any compatible server",
    "Anything else",
    "Whatever speaks one of the five protocols: a gateway of your company, another provider, a server of your own.",
    ("openai-chat",),
    key="optional",
    asks=("address", "wires"),
)

PRESETS: tuple[EndpointPreset, ...] = (
    EndpointPreset(
        "openai",
        "OpenAI",
        "Providers",
        "GPT and the reasoning models, over Chat Completions and Responses.",
        ("openai-chat", "openai-responses"),
        "https://api.openai.com/v1",
        ("gpt-*", "o1*", "o3*", "o4*", "chatgpt-*", "codex-*"),
        key_env="OPENAI_API_KEY",
    ),
    EndpointPreset(
        "anthropic",
        "Anthropic",
        "Providers",
        "Claude, over the Messages API.",
        ("anthropic",),
        "https://api.anthropic.com",
        ("claude-*",),
        key_env="ANTHROPIC_API_KEY",
    ),
    EndpointPreset(
        "gemini",
        "Gemini",
        "Providers",
        "Google's models with a key of AI Studio.",
        ("gemini",),
        "https://generativelanguage.googleapis.com",
        ("gemini-*",),
        key_env="GEMINI_API_KEY",
    ),
    EndpointPreset(
        "openrouter",
        "OpenRouter",
        "Providers",
        "Models of many makers under one key; their names have a slash, such as meta-llama/llama-4-scout.",
        ("openai-chat",),
        "https://openrouter.ai/api/v1",
        ("*/*",),
        key_env="OPENROUTER_API_KEY",
        dialect="openrouter",
    ),
    EndpointPreset(
        "deepseek",
        "DeepSeek",
        "Providers",
        "DeepSeek's own service.",
        ("openai-chat",),
        "https://api.deepseek.com/v1",
        ("deepseek-*",),
        key_env="DEEPSEEK_API_KEY",
        dialect="deepseek",
    ),
    EndpointPreset(
        "vertex-claude",
        "Claude on Vertex AI",
        "Google Cloud",
        "No key: the login that “gcloud auth application-default login” makes is used.",
        ("anthropic",),
        models=("claude-*@*",),
        key="google",
        asks=("place",),
    ),
    EndpointPreset(
        "vertex-gemini",
        "Gemini on Vertex AI",
        "Google Cloud",
        "No key: the login that “gcloud auth application-default login” makes is used.",
        ("gemini",),
        models=("gemini-*",),
        key="google",
        asks=("place",),
    ),
    EndpointPreset(
        "ollama",
        "Ollama",
        "On this machine",
        "Models that Ollama runs here; no key.",
        ("openai-chat",),
        "http://127.0.0.1:11434/v1",
        key="optional",
        dialect="ollama",
        asks=("address",),
    ),
    EndpointPreset(
        "lmstudio",
        "LM Studio",
        "On this machine",
        "The server that LM Studio starts in its Developer tab; no key.",
        ("openai-chat",),
        "http://127.0.0.1:1234/v1",
        key="optional",
        dialect="lmstudio",
        asks=("address",),
    ),
    EndpointPreset(
        "llama.cpp",
        "llama.cpp",
        "On this machine",
        "llama-server; tools need it to be started with --jinja. Its usual port 8080 is Callgate's too: give one of "
        "them another.",
        ("openai-chat",),
        "http://127.0.0.1:8080/v1",
        key="optional",
        dialect="llama.cpp",
        asks=("address",),
    ),
    EndpointPreset(
        "vllm",
        "vLLM",
        "On this machine",
        "vllm serve; tools need it to be started with --enable-auto-tool-choice.",
        ("openai-chat",),
        "http://127.0.0.1:8000/v1",
        key="optional",
        dialect="vllm",
        asks=("address",),
    ),
    COMPATIBLE,
)


def preset_of(settings: UpstreamSettings) -> EndpointPreset:
    """The preset that settings were most likely made from."""
    if settings.vertex is not None:
        on_vertex = [preset for preset in PRESETS if preset.key == "google"]
        return next((preset for preset in on_vertex if settings.wire[0] in preset.wires), on_vertex[-1])
    for preset in PRESETS:
        if preset.base_url and preset.base_url == settings.base_url.rstrip("/") and preset.wires == settings.wire:
            return preset
    for preset in PRESETS:
        if settings.dialect and preset.dialect == settings.dialect and preset.wires == settings.wire:
            # an address of its own must be seen and can be changed
            return preset if "address" in preset.asks else COMPATIBLE
    return COMPATIBLE
