"""Who is asking: a short, stable name for a client program, from what it says of itself."""

import re
from collections.abc import Mapping

AGENT_HEADER = "x-callgate-agent"
UNKNOWN = "unknown"

_KNOWN = (
    ("claude-cli", "claude-code"),
    ("claude-code", "claude-code"),
    ("codex", "codex"),
    ("geminicli", "gemini-cli"),
    ("gemini-cli", "gemini-cli"),
    ("qwencode", "qwen-code"),
    ("opencode", "opencode"),
    ("agents/python", "openai-agents"),
    ("ls/js", "continue"),
    ("google-genai-sdk", "google-genai"),  # before the next one, which it ends with
    ("ai-sdk", "vercel-ai"),
    ("asyncopenai/python", "openai-python"),
    ("openai/python", "openai-python"),
    ("openai/js", "openai-js"),
    ("asyncanthropic/python", "anthropic-python"),
    ("anthropic/python", "anthropic-python"),
    ("anthropic/js", "anthropic-js"),
    ("python-httpx", "httpx"),
    ("python-requests", "requests"),
)
_PACKAGES = ("openai-js", "anthropic-js")
_OF_COPILOT = "x-initiator"
"""It names only the package that it is made with, but says of each request whether the person or itself is asking."""
_NAME = re.compile(r"[A-Za-z][\w.+ -]{0,39}")


def agent_of(headers: Mapping[str, str]) -> str:
    """The agent's name; keys of `headers` are lower case."""
    said = headers.get(AGENT_HEADER, "").strip()
    if _NAME.fullmatch(said):
        return said
    user_agent = headers.get("user-agent", "").strip()
    flat = user_agent.lower().replace(" ", "")
    for mark, name in _KNOWN:
        if mark in flat:
            return "copilot" if name in _PACKAGES and _OF_COPILOT in headers else name
    product = user_agent.split("/")[0].split(" ")[0].lower()
    return product if _NAME.fullmatch(product) else UNKNOWN
