"""Quirks of compatible servers, as data: a row each, never a subclass."""

from dataclasses import dataclass, replace

from callgate.core.errors import Unspeakable


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server that speaks a wire does differently. The defaults are the protocol as its owner speaks it."""

    name: str = ""
    tool_choice: bool = True
    """False: the server ignores `tool_choice`; emulated by what is offered."""
    named_choice: bool = True
    """False: an object `tool_choice` is ignored; sent as `required` with only that tool."""
    required_choice: bool = True
    """False: `required` is not understood; sent as the name of the only tool, or as `auto`."""
    unsaid_choice: bool = True
    """False: without `tool_choice` the tools are not even shown to the model; `auto` must be said."""
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
    """True: `reasoning_content` must be sent back on assistant turns, `""` where it is unknown."""
    takes_reasoning: bool = True
    """False: the server has no word for thinking in a history, and refuses the names that others have for it."""
    custom_tools: bool = True
    """False: free-form tools must have been lowered to functions."""
    allowed_choice: bool = True
    """False: `allowed_tools` is not understood; emulated by what is offered."""
    several_choices: bool = True
    """False: `n` is ignored."""
    image_urls: bool = True
    """False: images only as data."""
    account_fields: bool = False
    """True: the server knows what OpenAI's own has for accounts, caches and tiers; many others refuse the names."""
    top_k: bool = False
    """True: the server reads `top_k`, which OpenAI's own refuses."""
    logprobs_with_calls: bool = True
    """False: a stream that may hold calls is refused where `logprobs` is asked for."""
    thought_signatures: bool = False
    """True: `extra_content.google.thought_signature` of a call must be sent back."""
    strict_tool_choice: bool = False
    """True: a call that can't be forced is refused, as the endpoint's owner wants it; False: it is wished for."""

    def unforced(self, reason: str, warnings: list[str]) -> None:
        """Server or model can't be made to call a tool, and the client wants it to be."""
        if self.strict_tool_choice:
            raise Unspeakable(reason, "tool_choice")
        warnings.append(reason)


PLAIN = Dialect()

_LOCAL = Dialect(developer_role=False, custom_tools=False, allowed_choice=False, top_k=True)
"""What servers of open models have in common."""

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("openai", takes_reasoning=False, account_fields=True),
        replace(
            _LOCAL,
            name="ollama",
            tool_choice=False,
            named_choice=False,
            parallel_switch=False,
            max_completion_tokens=False,
            text_only_results=True,
            null_content=False,
            several_choices=False,
            image_urls=False,
            top_k=False,
        ),
        replace(_LOCAL, name="llama.cpp", named_choice=False, max_completion_tokens=False, logprobs_with_calls=False),
        replace(
            _LOCAL,
            name="llama-cpp-python",
            required_choice=False,
            unsaid_choice=False,
            parallel_switch=False,
            max_completion_tokens=False,
        ),
        replace(_LOCAL, name="vllm"),
        replace(_LOCAL, name="lmstudio", named_choice=False),
        Dialect("openrouter", custom_tools=False, allowed_choice=False, top_k=True, thought_signatures=True),
        Dialect(
            "deepseek",
            developer_role=False,
            max_completion_tokens=False,
            replay_reasoning=True,
            custom_tools=False,
            allowed_choice=False,
            several_choices=False,
        ),
        Dialect("kimi", developer_role=False, replay_reasoning=True, custom_tools=False, allowed_choice=False),
        Dialect(
            "gemini-compat",
            developer_role=False,
            custom_tools=False,
            allowed_choice=False,
            thought_signatures=True,
        ),
    )
}

_PORTS = {":11434": "ollama", ":8000": "vllm", ":1234": "lmstudio"}
_HOSTS = {
    "api.openai.com": "openai",
    ".openai.azure.com": "openai",
    "openrouter.ai": "openrouter",
    "deepseek.com": "deepseek",
    "moonshot.": "kimi",
    "generativelanguage.googleapis.com": "gemini-compat",
}


def guess_dialect(base_url: str) -> Dialect:
    """The dialect that an address suggests; the plain one if it suggests none."""
    for hint, name in (*_PORTS.items(), *_HOSTS.items()):
        if hint in base_url:
            return DIALECTS[name]
    return PLAIN
