"""Who is asking: the name that a token proves, else a short, stable one from what the client says of itself."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.types import Scope

from callgate.core.agent import NAME, OWN_NAME, Agent
from callgate.proxy.agent_path import Credential
from callgate.proxy.inbound import headers_of

AGENT_HEADER = "x-callgate-agent"
_SCOPE_KEY = "callgate.agent"
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


def identify(scope: Scope, headers: Mapping[str, str], credential: Credential, process: str) -> None:
    """Notes on a request whose it is. `process`: the program behind its connection, if that is known."""
    name = credential.name or agent_of(headers)
    scope[_SCOPE_KEY] = Agent(name, bool(credential.name), process, credential.token_id)


def caller_of(request: Request) -> Agent:
    """Who sent a request; one that did not come through the guard proves nothing."""
    return request.scope.get(_SCOPE_KEY) or Agent(agent_of(headers_of(request)))


def agent_of(headers: Mapping[str, str]) -> str:
    """The name that a client claims; keys of `headers` are lower case. What the person does has a name of its own."""
    name = _claimed(headers)
    return UNKNOWN if name == OWN_NAME else name


def _claimed(headers: Mapping[str, str]) -> str:
    said = headers.get(AGENT_HEADER, "").strip()
    if NAME.fullmatch(said):
        return said
    user_agent = headers.get("user-agent", "").strip()
    flat = user_agent.lower().replace(" ", "")
    for mark, name in _KNOWN:
        if mark in flat:
            return "copilot" if name in _PACKAGES and _OF_COPILOT in headers else name
    product = user_agent.split("/")[0].split(" ")[0].lower()
    return product if NAME.fullmatch(product) else UNKNOWN
