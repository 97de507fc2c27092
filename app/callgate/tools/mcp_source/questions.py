"""What a server may ask of its client: words of the person, words of a model, and the folders it may work in.

Everything goes to the person through one port; where nobody listens, the server gets a polite no.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import mcp_types as mcp
import orjson
from mcp.client import ClientRequestContext
from pydantic import FileUrl

from callgate.core.messages import Message, Part, Text
from callgate.core.question import Answer, FormQuestion, LinkQuestion, Question, SampleQuestion
from callgate.tools.mcp_source.content import read_block
from callgate.tools.source import CallContext

Ask = Callable[[Question], Awaitable[Answer]]

DECLINED_CODE = -1
"""What the protocol's own example answers for a user who rejects a sampling request."""
_DECLINED = mcp.ErrorData(code=DECLINED_CODE, message="The user declined the sampling request.")


@dataclass(eq=False, slots=True)
class _Asking:
    """A question on its way to the person, and the calls that it may be about: with the last of them it ends."""

    calls: list[CallContext]
    scope: asyncio.Timeout


class Questions:
    def __init__(self, source: str, ask: Ask | None, workspace: Path) -> None:
        self._source = source
        self._ask = ask
        self._workspace = workspace
        self._in_flight: list[CallContext] = []
        self._asking: list[_Asking] = []

    def began(self, call: CallContext) -> None:
        self._in_flight.append(call)

    def ended(self, call: CallContext) -> None:
        """What was asked on its behalf only does not matter any more."""
        self._in_flight.remove(call)
        for asking in self._asking:
            if call in asking.calls:
                asking.calls.remove(call)
                if not asking.calls and not asking.scope.expired():
                    asking.scope.reschedule(asyncio.get_running_loop().time())

    @contextmanager
    def hold_calls(self) -> Iterator[None]:
        """While in it the server waits for a person for a reason of its own: all calls' time limits stand still."""
        with ExitStack() as holds:
            for call in tuple(self._in_flight):
                holds.enter_context(call.hold())
            yield

    async def answer(self, request: mcp.InputRequest, call: CallContext) -> mcp.InputResponse | mcp.ErrorData:
        """Modern servers put their questions into the answer of the call itself."""
        match request:
            case mcp.ElicitRequest():
                return await self._elicit(request.params, [call])
            case mcp.CreateMessageRequest():
                return await self._sample(request.params, [call])
            case mcp.ListRootsRequest():
                return self._roots()
            case _:
                assert_never(request)

    # ---- how older servers ask: by requests of their own, which do not name the call --------------------------------

    async def on_elicit(self, context: ClientRequestContext, params: mcp.ElicitRequestParams) -> mcp.ElicitResult:
        return await self._elicit(params, list(self._in_flight))

    async def on_sample(
        self, context: ClientRequestContext, params: mcp.CreateMessageRequestParams
    ) -> mcp.CreateMessageResult | mcp.ErrorData:
        return await self._sample(params, list(self._in_flight))

    async def on_roots(self, context: ClientRequestContext) -> mcp.ListRootsResult:
        return self._roots()

    # ---- the person -------------------------------------------------------------------------------------------------

    async def _elicit(self, params: mcp.ElicitRequestParams, calls: list[CallContext]) -> mcp.ElicitResult:
        call_id, conversation = _only(calls)
        if isinstance(params, mcp.ElicitRequestURLParams):
            link = LinkQuestion(self._source, params.message, params.url, call_id, conversation)
            return mcp.ElicitResult(action=(await self._put(link, calls)).action)
        schema = params.requested_schema
        answer = await self._put(FormQuestion(self._source, params.message, schema, call_id, conversation), calls)
        if answer.action != "accept":
            return mcp.ElicitResult(action=answer.action)
        return mcp.ElicitResult.model_validate({"action": "accept", "content": dict(answer.content)})

    async def _sample(
        self, params: mcp.CreateMessageRequestParams, calls: list[CallContext]
    ) -> mcp.CreateMessageResult | mcp.ErrorData:
        messages = tuple(_read_message(message) for message in params.messages)
        wishes = params.model_preferences.hints if params.model_preferences is not None else None
        question = SampleQuestion(
            self._source,
            messages,
            params.system_prompt or "",
            params.max_tokens,
            *_only(calls),
            params.temperature,
            tuple(params.stop_sequences or ()),
            tuple(hint.name for hint in wishes or () if hint.name),
        )
        answer = await self._put(question, calls)
        if answer.action != "accept":
            return _DECLINED
        return mcp.CreateMessageResult(
            role="assistant",
            content=mcp.TextContent(text=answer.text),
            model=answer.model or "person",
            stop_reason="endTurn",
        )

    async def _put(self, question: Question, calls: list[CallContext]) -> Answer:
        """The calls' time limits stand still meanwhile; an end of all of them takes the question back."""
        if self._ask is None:
            return Answer("decline")
        asking = _Asking(list(calls), asyncio.timeout(None))
        self._asking.append(asking)
        for call in calls:
            call.report(f"the MCP server '{self._source}' asks something; waiting for an answer\n", None, None)
        try:
            with ExitStack() as holds:
                for call in calls:
                    holds.enter_context(call.hold())
                async with asking.scope:
                    return await self._ask(question)
        except TimeoutError:
            return Answer("cancel")
        finally:
            self._asking.remove(asking)

    def _roots(self) -> mcp.ListRootsResult:
        root = mcp.Root(uri=FileUrl(self._workspace.as_uri()), name=self._workspace.name)
        return mcp.ListRootsResult(roots=[root])


def _only(calls: list[CallContext]) -> tuple[str, str]:
    """The call and its conversation, where there is no doubt which it is."""
    return (calls[0].call_id, calls[0].conversation_id) if len(calls) == 1 else ("", "")


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
