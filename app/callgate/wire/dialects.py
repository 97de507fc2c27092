"""Quirks of compatible servers, as data: a row each, never a subclass."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server that speaks a wire does differently. The defaults are the protocol as its owner speaks it."""

    name: str = ""
    tool_choice: bool = True
    """False: the server ignores `tool_choice`; emulated by what is offered."""
    named_choice: bool = True
    """False: an object `tool_choice` is ignored; sent as `required` with only that tool."""
    parallel_switch: bool = True
    max_completion_tokens: bool = True
    """False: only `max_tokens` is read."""
    developer_role: bool = True
    """False: `developer` is sent as `system`."""
    usage_in_stream: bool = True
    """False: `stream_options` is refused."""
    text_only_results: bool = False
    """True: tool results must be plain strings."""
    null_content: bool = True
    """False: an assistant turn with calls only needs `content: ""`."""
    replay_reasoning: bool = False
    """True: `reasoning_content` must be sent back on assistant turns."""


PLAIN = Dialect()

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "ollama",
            tool_choice=False,
            named_choice=False,
            parallel_switch=False,
            max_completion_tokens=False,
            developer_role=False,
            text_only_results=True,
            null_content=False,
        ),
        Dialect("llama.cpp", named_choice=False, developer_role=False, max_completion_tokens=False),
        Dialect("vllm", developer_role=False),
        Dialect("lmstudio", developer_role=False, named_choice=False),
        Dialect("openrouter"),
        Dialect("deepseek", developer_role=False, max_completion_tokens=False, replay_reasoning=True),
        Dialect("gemini-compat", developer_role=False),
    )
}

_PORTS = {":11434": "ollama", ":8000": "vllm", ":1234": "lmstudio"}
_HOSTS = {
    "openrouter.ai": "openrouter",
    "deepseek.com": "deepseek",
    "generativelanguage.googleapis.com": "gemini-compat",
}


def guess_dialect(base_url: str) -> Dialect:
    """The dialect that an address suggests; the plain one if it suggests none."""
    for hint, name in (*_PORTS.items(), *_HOSTS.items()):
        if hint in base_url:
            return DIALECTS[name]
    return PLAIN
