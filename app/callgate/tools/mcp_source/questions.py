"""What a server may ask of its client: words of the person, words of a model, and the folders it may work in.

Everything goes to the person through one port; where nobody listens, the server gets a polite no.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import assert_never

import mcp_types as mcp
import orjson
from mcp.client import ClientRequestContext
from pydantic import FileUrl

from callgate.core.messages import Message, Part, Text
from callgate.core.question import Answer, FormQuestion, LinkQuestion, Question, SampleQuestion
from callgate.tools.mcp_source.content import read_block

Ask = Callable[[Question], Awaitable[Answer]]

DECLINED_CODE = -1
"""What the protocol's own example answers for a user who rejects a sampling request."""
_DECLINED = mcp.ErrorData(code=DECLINED_CODE, message="The user declined the sampling request.")


class Questions:
    def __init__(self, source: str, ask: Ask | None, workspace: Path) -> None:
        self._source = source
        self._ask = ask
        self._workspace = workspace
        self._in_flight: list[str] = []

    def began(self, call_id: str) -> None:
        self._in_flight.append(call_id)

    def ended(self, call_id: str) -> None:
        self._in_flight.remove(call_id)

    async def answer(self, request: mcp.InputRequest, call_id: str) -> mcp.InputResponse | mcp.ErrorData:
        """Modern servers put their questions into the answer of the call itself."""
        match request:
            case mcp.ElicitRequest():
                return await self._elicit(request.params, call_id)
            case mcp.CreateMessageRequest():
                return await self._sample(request.params, call_id)
            case mcp.ListRootsRequest():
                return self._roots()
            case _:
                assert_never(request)

    # ---- how older servers ask: by requests of their own ------------------------------------------------------------

    async def on_elicit(self, context: ClientRequestContext, params: mcp.ElicitRequestParams) -> mcp.ElicitResult:
        return await self._elicit(params, self._only_call())

    async def on_sample(
        self, context: ClientRequestContext, params: mcp.CreateMessageRequestParams
    ) -> mcp.CreateMessageResult | mcp.ErrorData:
        return await self._sample(params, self._only_call())

    async def on_roots(self, context: ClientRequestContext) -> mcp.ListRootsResult:
        return self._roots()

    def _only_call(self) -> str:
        """Such a request does not name its call, but with one in flight there is no doubt."""
        return self._in_flight[0] if len(self._in_flight) == 1 else ""

    # ---- the person -------------------------------------------------------------------------------------------------

    async def _elicit(self, params: mcp.ElicitRequestParams, call_id: str) -> mcp.ElicitResult:
        if self._ask is None:
            return mcp.ElicitResult(action="decline")
        if isinstance(params, mcp.ElicitRequestURLParams):
            answer = await self._ask(LinkQuestion(self._source, params.message, params.url, call_id))
            return mcp.ElicitResult(action=answer.action)
        schema = params.requested_schema
        answer = await self._ask(FormQuestion(self._source, params.message, schema, call_id))
        if answer.action != "accept":
            return mcp.ElicitResult(action=answer.action)
        return mcp.ElicitResult.model_validate({"action": "accept", "content": dict(answer.content)})

    async def _sample(
        self, params: mcp.CreateMessageRequestParams, call_id: str
    ) -> mcp.CreateMessageResult | mcp.ErrorData:
        if self._ask is None:
            return _DECLINED
        question = SampleQuestion(
            self._source,
            tuple(_read_message(message) for message in params.messages),
            params.system_prompt or "",
            params.max_tokens,
            call_id,
        )
        answer = await self._ask(question)
        if answer.action != "accept":
            return _DECLINED
        return mcp.CreateMessageResult(
            role="assistant",
            content=mcp.TextContent(text=answer.text),
            model=answer.model or "person",
            stop_reason="endTurn",
        )

    def _roots(self) -> mcp.ListRootsResult:
        root = mcp.Root(uri=FileUrl(self._workspace.as_uri()), name=self._workspace.name)
        return mcp.ListRootsResult(roots=[root])


def _read_message(message: mcp.SamplingMessage) -> Message:
    return Message(message.role, tuple(_read_part(block) for block in message.content_as_list))


def _read_part(block: mcp.SamplingMessageContentBlock) -> Part:
    match block:
        case mcp.TextContent() | mcp.ImageContent() | mcp.AudioContent():
            return read_block(block)
        case mcp.ToolUseContent() | mcp.ToolResultContent():
            # shown to the person, never run: the sampling.tools capability is not announced
            return Text(orjson.dumps(block.model_dump(mode="json", by_alias=True, exclude_none=True)).decode())
        case _:
            assert_never(block)
