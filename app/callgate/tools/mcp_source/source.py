"""One MCP server as a source of tools: what it offers, how it is doing, and its calls."""

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from mcp.client import InputRequiredRoundsExceededError
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, URL_ELICITATION_REQUIRED, Implementation
from pydantic import ValidationError

from callgate.core.calls.binding import Executor, executor
from callgate.core.config.settings import Era, InputSettings, SourceSettings
from callgate.core.errors import Fault, PeerFault
from callgate.core.messages import Json, Text
from callgate.core.question import InputQuestion
from callgate.core.secrets.shown_url import shown_url
from callgate.core.tool import Outcome, Tool
from callgate.tools.mcp_source.call import McpCall
from callgate.tools.mcp_source.connection import Connection, Start
from callgate.tools.mcp_source.content import read_outcome
from callgate.tools.mcp_source.listing import Listing, ToolProblem
from callgate.tools.mcp_source.login import Login, TokenShelf
from callgate.tools.mcp_source.placeholders import InputValue, Placeholders
from callgate.tools.mcp_source.questions import Ask, Questions
from callgate.tools.mcp_source.recorder import OnFrame
from callgate.tools.mcp_source.server import ServerName
from callgate.tools.mcp_source.server_info import words
from callgate.tools.mcp_source.status import State, Status
from callgate.tools.mcp_source.stderr_lines import StderrLines
from callgate.tools.mcp_source.supervisor import Supervisor, SupervisorDeps
from callgate.tools.source import CallContext

PATIENCE_SECONDS = 10.0
"""How long a call waits for a server that is being started; longer than its first few pauses between tries."""
FAREWELL_SECONDS = 1.5
"""How long a call that was cut off waits to learn why: stopping what is left of the server comes first."""
_SESSION_LOST = "Session terminated"
"""The SDK's words for a 404: the server was restarted and has forgotten us."""


class McpSource:
    """`start` keeps and hears the tasks; `ask` puts a server's questions to the person (None = all are declined)."""

    def __init__(
        self,
        settings: SourceSettings,
        workspace: Path,
        start: Start,
        *,
        ask: Ask | None = None,
        input_value: InputValue | None = None,
        on_frame: OnFrame | None = None,
        on_stderr: Callable[[str], None] | None = None,
        tokens: TokenShelf | None = None,
        era: Era = "",
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """`tokens`: where logins are kept; `input_value`: who may know `${input:id}`, else the person is asked."""
        self.name = settings.name
        self.settings = settings
        self._listing = Listing()
        self._met: Implementation | None = None
        """What the server last said that it is; kept while it is being started again."""
        self._change_listeners: list[Callable[[], None]] = []
        self._status_listeners: list[Callable[[Status], None]] = []
        self._stderr = StderrLines(on_stderr)
        self._questions = Questions(self.name, ask, workspace)
        self._login: Login | None = None
        if ask is not None and tokens is not None:
            self._login = Login(self.name, ask, tokens, settings.oauth)
        around = SupervisorDeps(
            workspace,
            start,
            self._questions,
            Placeholders(workspace, environ, _inputs(settings, input_value, ask)),
            self._stderr,
            self._listed,
            self._moved,
            on_frame,
            self._login,
            environ,
        )
        self._keeper = Supervisor(settings, around, era or settings.era)

    # ---- what it is -------------------------------------------------------------------------------------------------

    def tools(self) -> tuple[Tool, ...]:
        """Those of the last listing, also while the server is being started again; none once it is given up."""
        return self._listing.tools

    @property
    def problems(self) -> tuple[ToolProblem, ...]:
        """What is wrong with tools that the server lists."""
        return self._listing.problems

    @property
    def status(self) -> Status:
        return self._keeper.status

    @property
    def state(self) -> State:
        return self._keeper.status.state

    @property
    def connected(self) -> bool:
        return self.state == "ready"

    @property
    def era(self) -> Era:
        """Which MCP era the server speaks: worth remembering, since asking a silent older one takes ten seconds."""
        return self._keeper.era

    @property
    def transport(self) -> Literal["", "stdio", "http", "sse"]:
        """Empty = it was not tried yet which one the server speaks."""
        return "stdio" if self.settings.command else self._keeper.kind or self.settings.transport

    @property
    def protocol(self) -> str:
        """The revision that is spoken, while the server is there."""
        return self._keeper.connection.protocol if self._keeper.connection is not None else ""

    @property
    def server(self) -> ServerName | None:
        """What the server says of itself, while it is there."""
        said = self._keeper.connection.server if self._keeper.connection is not None else None
        return ServerName(said.title or said.name, said.version) if said is not None else None

    @property
    def stderr(self) -> tuple[str, ...]:
        return self._stderr.lines

    @property
    def pid(self) -> int | None:
        peer = self._keeper.peer
        return peer.process.pid if peer is not None and peer.process is not None else None

    def on_change(self, listener: Callable[[], None]) -> None:
        self._change_listeners.append(listener)

    def on_status(self, listener: Callable[[Status], None]) -> None:
        self._status_listeners.append(listener)

    # ---- its life ---------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Returns at once; the server is started in the background."""
        self._keeper.open()

    async def settled(self, seconds: float) -> None:
        """Waits, within bounds, until the server is ready or has been given up for now."""
        await self._keeper.settled(seconds)

    async def close(self) -> None:
        await self._keeper.close()

    async def log_out(self) -> None:
        """Forgets its login; the next start asks for a new one. Raises `UserFault` where the keyring fails."""
        if self._login is not None:
            await self._login.forget()

    def restart(self) -> None:
        """The person wants it started again, now and whatever happened before."""
        self._keeper.restart()

    def executor(self, tool: Tool) -> Executor:
        settings, met = self.settings, self._met
        where = shlex.join(settings.command) or shown_url(settings.url)
        said = f"It says that it is {met.name} {met.version}".rstrip() if met is not None else ""
        return executor(
            "mcp",
            (f"MCP server {self.name}", where, *((said,) if said else ())),
            tool=tool.name,
            settings=settings.model_dump(mode="json", exclude={"era", "enabled"}),
            server=None if met is None else [met.name, met.version],
        )

    def _moved(self, status: Status) -> None:
        if status.state in ("failed", "stopped"):
            self._listed(Listing())
        connection = self._keeper.connection
        if connection is not None and connection.server is not None and connection.server != self._met:
            self._met = connection.server
            self._tell()
        for listener in self._status_listeners:
            listener(status)

    def _listed(self, listing: Listing) -> None:
        if listing == self._listing:
            return
        self._listing = listing
        self._tell()

    def _tell(self) -> None:
        for listener in self._change_listeners:
            listener()

    # ---- calls ------------------------------------------------------------------------------------------------------

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        connection = await self._ready()
        context.compare()
        current = next((listed for listed in self._listing.tools if listed.name == tool.name), None)
        if current is None:
            return _refused(f"The MCP server '{self.name}' does not offer '{tool.name}' any more; nothing was run.")
        if not current.enabled:
            return _refused(f"'{tool.name}' was not run. {current.user_description}")
        call = McpCall(connection.session, self._questions, connection.relist, context)
        try:
            result = await call.run(tool.name, arguments)
        except MCPError as refused:
            return await self._outcome_of(refused, connection)
        except (ValidationError, InputRequiredRoundsExceededError) as bad:
            return _refused(f"'{tool.name}' was called, but {words(bad, self.name)}.")
        return read_outcome(current, result)

    async def _ready(self) -> Connection:
        await self._keeper.settled(PATIENCE_SECONDS)
        connection = self._keeper.connection
        if connection is None:
            why = f": {self.status.reason}" if self.status.reason else ""
            raise self._fault(f"The MCP server '{self.name}' is not connected ({self.state}{why}); nothing was run.")
        try:
            await connection.listed()
        except TimeoutError:
            raise self._fault(
                f"The MCP server '{self.name}' said that its tools changed, and did not list them; nothing was run."
            ) from None
        if self._keeper.connection is not connection:
            raise self._fault(f"The MCP server '{self.name}' went away before the call; nothing was run.")
        return connection

    async def _outcome_of(self, refused: MCPError, connection: Connection) -> Outcome:
        if refused.code == INVALID_REQUEST and refused.message == _SESSION_LOST:
            connection.leave()
            raise self._fault(f"The MCP server '{self.name}' has lost the session; it is being connected again.")
        if refused.code == URL_ELICITATION_REQUIRED:
            return _refused(
                f"The MCP server '{self.name}' did not run it: {refused.message}. The person has been shown the "
                "address to visit first; call it again when they say that they are done."
            )
        if refused.code != CONNECTION_CLOSED:
            status = self._keeper.peer.status if self._keeper.peer is not None else None
            code = f"code {refused.code}" + (f", HTTP status {status}" if status else "")
            return _refused(f"The MCP server '{self.name}' refused the call: {refused.message} ({code})")
        await asyncio.wait({connection.ended}, timeout=FAREWELL_SECONDS)
        why = connection.ended.result() if connection.ended.done() else refused.message
        raise self._fault(
            f"The MCP server '{self.name}' went away during the call ({why}). "
            "Whether the tool did its work is unknown; the server is being started again."
        )

    def _fault(self, message: str) -> PeerFault:
        return PeerFault(Fault("upstream", message))


def _inputs(settings: SourceSettings, known_value: InputValue | None, ask: Ask | None) -> InputValue | None:
    """Values of `${input:id}`: those that are known, the others asked of the person when the server starts."""
    if ask is None:
        return known_value
    known = {definition.id: definition for definition in settings.inputs}

    async def value(name: str) -> str | None:
        if known_value is not None and (kept := await known_value(name)) is not None:
            return kept
        # what nobody described may well be a secret: better not shown and not kept
        wanted = known.get(name) or InputSettings(id=name, password=True)
        answer = await ask(
            InputQuestion(settings.name, wanted.id, wanted.description, wanted.password, wanted.default, wanted.options)
        )
        return answer.text if answer.action == "accept" else None

    return value


def _refused(text: str) -> Outcome:
    return Outcome((Text(text),), is_error=True)
