"""One tool call at a server, with all its rounds.

A modern server that needs something answers `input_required` and is called again with it: to everybody else that is
one call. The result is taken as it comes, without the SDK's own check, which loses what breaks the output schema.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import mcp_types as mcp
from mcp.client import ClientSession, InputRequiredRoundsExceededError
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError
from pydantic import TypeAdapter

from callgate.core.calls.binding import Outdated
from callgate.core.errors import Fault, PeerFault
from callgate.core.messages import Json
from callgate.tools.mcp_source.ledger import SERVING, Serving
from callgate.tools.mcp_source.questions import Questions
from callgate.tools.source import CallContext

MOST_ROUNDS = 10
"""As many as the SDKs allow: a server that asks more often is going in circles."""
_FIRST_WAIT_SECONDS = 0.05
_LONGEST_WAIT_SECONDS = 0.25
"""A server that only says "again" is given a little time."""

_ANSWER: TypeAdapter[mcp.CallToolResult | mcp.InputRequiredResult] = TypeAdapter(
    mcp.CallToolResult | mcp.InputRequiredResult
)


class McpCall:
    def __init__(
        self,
        session: ClientSession,
        questions: Questions,
        relist: Callable[[], Awaitable[None]],
        context: CallContext,
    ) -> None:
        self._session = session
        self._questions = questions
        self._relist = relist
        self._context = context
        self._over = False

    async def run(self, name: str, arguments: Mapping[str, Json]) -> mcp.CallToolResult:
        """Cancelling this tells the server; the connection stays usable."""
        self._questions.began(self._context)
        # whatever is sent from here on is sent for this call: so the tap knows whose it is
        serving = SERVING.set(Serving(self._context.invocation_id, self._context.conversation_id))
        try:
            return await self._rounds(name, arguments)
        finally:
            SERVING.reset(serving)
            self._over = True
            self._questions.ended(self._context)

    async def _rounds(self, name: str, arguments: Mapping[str, Json]) -> mcp.CallToolResult:
        params = mcp.CallToolRequestParams(name=name, arguments=dict(arguments))
        wait = _FIRST_WAIT_SECONDS
        for number in range(MOST_ROUNDS + 1):
            try:
                answer = await self._send(params)
            except Outdated as outdated:
                if number == 0:
                    raise
                # the server is at work on it already, so this is not a call that never ran
                raise PeerFault(
                    Fault("upstream", f"'{name}' changed in the middle of its call, which was not continued")
                ) from outdated
            if isinstance(answer, mcp.CallToolResult):
                return answer
            responses: mcp.InputResponses | None = None
            if answer.input_requests:
                responses = await self._answers(answer.input_requests)
            else:
                await asyncio.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT_SECONDS)
            params = mcp.CallToolRequestParams(
                name=name, arguments=dict(arguments), input_responses=responses, request_state=answer.request_state
            )
        raise InputRequiredRoundsExceededError(MOST_ROUNDS)

    async def _answers(self, requests: Mapping[str, mcp.InputRequest]) -> mcp.InputResponses:
        """One question after the other: a person answers one at a time."""
        responses: mcp.InputResponses = {}
        for key, request in requests.items():
            response = await self._questions.answer(request, self._context)
            if isinstance(response, mcp.ErrorData):
                raise MCPError.from_error_data(response)
            responses[key] = response
        return responses

    async def _send(self, params: mcp.CallToolRequestParams) -> mcp.CallToolResult | mcp.InputRequiredResult:
        """Raises `Outdated` if the tool is not what was approved."""
        request = mcp.CallToolRequest(params=params)
        self._context.compare()
        try:
            return await self._session.send_request(request, _ANSWER, progress_callback=self._progress)
        except MCPError as refused:
            match refused.code:
                case mcp.HEADER_MISMATCH:
                    # the definition has changed since it was listed: the protocol's remedy is to list and try once more
                    await self._relist()
                case mcp.URL_ELICITATION_REQUIRED:
                    if not await self._visited(refused):
                        raise
                case _:
                    raise
        self._context.compare()
        return await self._session.send_request(request, _ANSWER, progress_callback=self._progress)

    async def _visited(self, refused: MCPError) -> bool:
        """Some servers refuse a call until the person has visited an address; whether the person agreed to all."""
        match refused.error.data:
            case {"elicitations": list()}:
                required = UrlElicitationRequiredError.from_error(refused.error)
            case _:
                return False
        for link in required.elicitations:
            response = await self._questions.answer(mcp.ElicitRequest(params=link), self._context)
            if not isinstance(response, mcp.ElicitResult) or response.action != "accept":
                return False
        return bool(required.elicitations)

    async def _progress(self, progress: float, total: float | None, message: str | None) -> None:
        if not self._over:  # a cancelled call's progress may still be on its way
            self._context.report(message or "", progress, total)
