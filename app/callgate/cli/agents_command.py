"""`callgate agents`: the tokens that prove agents' names. A running Callgate sees each change at once."""

import time

from callgate.core.errors import UserFault
from callgate.runtime.runtime import Launch
from callgate.store.files.agent_tokens import AgentTokens, agent_tokens
from callgate.store.files.reviewed_files import ReviewedFiles

EXAMPLES = """\
examples:
  callgate agents add claude-code     make a token; it is printed once, on standard output
  callgate agents list                names, ids, when made and last used
  callgate agents revoke claude-code  refuse all its tokens from now on
  callgate agents revoke token_4fG…   refuse one of them

A client sends the token as its API key (Bearer, x-api-key, x-goog-api-key, ?key=), as the header x-callgate-token, or,
where the key is the provider's, in the base URL: http://127.0.0.1:8080/agent/TOKEN/v1
"""


def add(launch: Launch, name: str) -> tuple[str, str]:
    """The token, and what to say of it. Raises `UserFault`."""
    token, text = _tokens(launch).add(name)
    address = f"http://127.0.0.1:{launch.port or 8080}/agent/{text}"
    return text, (
        f"Token of {token.name} ({token.id}). It is shown this once; Callgate keeps only its hash.\n"
        f"As the API key, as the header x-callgate-token, or in the base URL:\n"
        f"  OpenAI clients             {address}/v1\n"
        f"  Anthropic, Gemini clients  {address}\n"
        f"  MCP clients                {address}/mcp"
    )


def listing(launch: Launch) -> str:
    tokens = _tokens(launch)
    lines = [
        f"{token.name:24} {token.id:31} made {_day(token.created)}  {_used(tokens.last_used(token.id))}"
        for token in sorted(tokens.tokens(), key=lambda token: (token.name.casefold(), token.created))
    ]
    return "\n".join(lines) or "No agent has a token. `callgate agents add NAME` makes one."


def revoke(launch: Launch, name_or_id: str) -> str:
    """What to say. Raises `UserFault`."""
    gone = _tokens(launch).revoke(name_or_id)
    return "\n".join(f"Revoked: {token.name} ({token.id})." for token in gone)


def _tokens(launch: Launch) -> AgentTokens:
    files = ReviewedFiles(launch.data_folder)
    if files.problem:  # no token would be found, which is no reason to say that there is none
        raise UserFault(files.problem)
    tokens = agent_tokens(launch.data_folder, files)
    tokens.check()
    return tokens


def _used(at: float | None) -> str:
    return "never used" if at is None else f"last used {_day(at)}"


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
