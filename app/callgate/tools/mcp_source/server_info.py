"""What is known of the server at the other end, also after it has gone: the place that words its failures."""

import asyncio
from collections.abc import Iterator

import anyio
import httpx2
from mcp.client import InputRequiredRoundsExceededError
from mcp.client.auth import OAuthFlowError
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from callgate.tools.mcp_source.server_process import ServerProcess
from callgate.tools.mcp_source.stderr_lines import StderrLines

PEER_ERRORS = (
    OSError,
    ValueError,
    RuntimeError,
    MCPError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.SSEError,
    OAuthFlowError,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    anyio.EndOfStream,
    ExceptionGroup,
)
"""All that a broken or silent server can make the SDK raise."""
_EXIT_SECONDS = 0.3
"""Between the end of a server's stdout and the news of its exit."""
_STATUS_WORDS = {
    401: "it wants a login (401 Unauthorized): give a token in headers",
    403: "it refuses access (403 Forbidden)",
    404: "there is no MCP server at that address (404 Not Found)",
    405: "that address does not speak this transport (405 Method Not Allowed)",
}


class ServerInfo:
    def __init__(self, where: str, stderr: StderrLines) -> None:
        self.where = where
        """The command or the address, for messages."""
        self.process: ServerProcess | None = None
        self.status: int | None = None
        """The last HTTP status that was an error."""
        self._stderr = stderr

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    async def farewell(self, error: BaseException | None) -> str:
        """Why the connection ended, in words."""
        if self.process is not None:
            try:
                async with asyncio.timeout(_EXIT_SECONDS):
                    await self.process.exited.wait()
            except TimeoutError:
                return self._words(error) or "it closed its output but went on running; it was stopped"
            return self._exit_words(self.process)
        return self._words(error) or "the connection was closed"

    def _exit_words(self, process: ServerProcess) -> str:
        code = process.exit_code
        how = f"was ended by signal {-code}" if code is not None and code < 0 else f"exited with code {code}"
        said = self._stderr.last_words()
        return f"'{self.where}' {how}" + (f"; its last words: {said}" if said else "")

    def _words(self, error: BaseException | None) -> str:
        if error is None:
            return ""
        if (failed := login_failure(error)) is not None:
            return f"the login failed: {failed}"
        if self.status is not None:
            return _STATUS_WORDS.get(self.status, f"it answered with HTTP status {self.status}")
        said = dict.fromkeys(words(leaf, self.where) for leaf in leaves(error))
        return "; ".join(said)


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors inside a group, however deep."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def login_failure(error: BaseException) -> OAuthFlowError | None:
    return next((leaf for leaf in leaves(error) if isinstance(leaf, OAuthFlowError)), None)


def is_the_peers(error: BaseException) -> bool:
    """Whether everything in it can come from a broken server; anything else is a bug of ours."""
    return all(isinstance(leaf, PEER_ERRORS) for leaf in leaves(error))


def words(error: BaseException, where: str) -> str:
    match error:
        case MCPError() if error.code == CONNECTION_CLOSED:
            return "the connection was closed"
        case MCPError():
            return f"the server says: {error.message} (code {error.code})"
        case InputRequiredRoundsExceededError():
            return "the server kept asking for more input"
        case ValidationError():
            first = error.errors(include_url=False, include_input=False)[0]
            at = ".".join(str(step) for step in first["loc"])
            return f"the server's answer is not valid MCP ({at}: {first['msg']})"
        case TimeoutError() | httpx2.TimeoutException():
            return "the server did not answer in time"
        case httpx2.ConnectError():
            return f"{where} can't be reached ({error})"
        case httpx2.HTTPStatusError():
            return f"{where} answered with HTTP status {error.response.status_code}"
        case _:
            return str(error) or type(error).__name__
