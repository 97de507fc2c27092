"""Tools that programs register while Callgate runs, each answered by a callback on this machine or by the person.

Those that are to stay are kept between two runs. Calls reach it only through the gate, like those of any source.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

import httpx
import orjson

from callgate.core.calls.binding import Executor, executor
from callgate.core.calls.preview import Preview, UrlPreview
from callgate.core.errors import BadRequest, Fault, PeerFault
from callgate.core.json.text import dump_bytes
from callgate.core.messages import File, Image, Json, ResultPart, Text
from callgate.core.tool import Outcome, Tool
from callgate.tools.memory import Memory
from callgate.tools.registration import REGISTERED_SOURCE, Registration, read_registration
from callgate.tools.source import CallContext

MOST_TOOLS = 1000
MOST_BYTES = 64 * 1024 * 1024
"""Of one answer: the model sees far less anyway, and memory is not endless."""
CONNECT_SECONDS = 5.0
"""On the same machine a program that has not accepted by then never will."""
_AT_ONCE = 256 * 1024
"""Larger answers are parsed in a thread, so that the window does not stall."""
_SHOWN = 500
"""Characters of a refused call's body that are worth telling."""


class HttpSource:
    name = REGISTERED_SOURCE

    def __init__(self, memory: Memory, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """The time limit is the caller's business: a cancelled call ends the request."""
        self._memory = memory
        self._listeners: list[Callable[[], None]] = []
        self.problems: list[str] = []
        """What was kept and can't be used any more."""
        self._registered = self._kept_in(memory.read())
        self._client = httpx.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
            transport=transport,
        )

    def tools(self) -> tuple[Tool, ...]:
        return tuple(registration.tool for registration in self._registered.values())

    def on_change(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    async def open(self) -> None:
        """Callbacks are connected to when they are called."""

    async def close(self) -> None:
        await self._client.aclose()

    # ---- registering ------------------------------------------------------------------------------------------------

    def register(self, registration: Registration) -> Tool:
        """The same again changes nothing. Raises `BadRequest` where the name is taken."""
        name = registration.tool.name
        known = self._registered.get(name)
        if known is not None and known == registration:
            return known.tool
        if known is not None:
            raise taken(name)
        if len(self._registered) >= MOST_TOOLS:
            raise BadRequest(f"{MOST_TOOLS} tools are registered already; remove some first.", code="too_many_tools")
        self._registered[name] = registration
        self._changed(registration)
        return registration.tool

    def replace_kept(self, value: Json) -> None:
        """The tools that were written down count anew; those of this run alone stay."""
        self.problems.clear()
        kept = self._kept_in(value)
        passing = {name: one for name, one in self._registered.items() if not one.persist}
        after = {**kept, **passing}
        if after != self._registered:
            self._registered = after
            self._tell()

    def remove(self, name: str) -> bool:
        """False: there is no such registered tool."""
        registration = self._registered.pop(name, None)
        if registration is not None:
            self._changed(registration)
        return registration is not None

    def _changed(self, registration: Registration) -> None:
        try:
            if registration.persist:
                bodies = [orjson.loads(kept.body) for kept in self._registered.values() if kept.persist]
                self._memory.write(cast(Json, bodies))
        finally:  # what can't be kept still holds for this run
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _kept_in(self, value: Json) -> dict[str, Registration]:
        found: dict[str, Registration] = {}
        for item in value if isinstance(value, list) else ():
            try:
                registration = read_registration(item)
            except BadRequest as bad:
                self.problems.append(f"A registered tool can't be used any more: {bad}")
                continue
            found[registration.tool.name] = registration
        return found

    # ---- calls ------------------------------------------------------------------------------------------------------

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Preview | None:
        """Where the call would go."""
        registration = self._registered.get(tool.name)
        if registration is None or not registration.callback_url:
            return None
        url = registration.callback_url
        return UrlPreview("POST", url, httpx.URL(url).raw_host.decode("ascii"))

    def executor(self, tool: Tool) -> Executor:
        registration = self._registered.get(tool.name)
        url = "" if registration is None else registration.callback_url
        by = f"POST {url}" if url else "A person answers"
        return executor("registered", ("Registered by a program over HTTP", by), tool=tool.name)

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        registration = self._registered.get(tool.name)
        if registration is None:
            return _failed(f"'{tool.name}' is not registered any more; nothing was run.")
        if registration.answered_by == "person":
            return _failed(
                f"'{tool.name}' can only be answered by a person, and nobody wrote an answer. Nothing was run; "
                "go on without it or ask the user."
            )
        asked: dict[str, Json] = {"call_id": context.call_id, "name": tool.name, "arguments": dict(arguments)}
        try:
            return await self._post(registration.callback_url, dump_bytes(asked))
        except httpx.HTTPError as failure:
            said = str(failure) or type(failure).__name__
            raise PeerFault(Fault("upstream", f"the callback {registration.callback_url} failed: {said}")) from failure

    async def _post(self, url: str, body: bytes) -> Outcome:
        headers = {"content-type": "application/json", "accept": "application/json"}
        async with self._client.stream("POST", url, content=body, headers=headers) as response:
            data = await _read(response)
            if data is None:
                return _failed(
                    f"The callback answered with more than {MOST_BYTES // (1024 * 1024)} MB, which was not read."
                )
            if response.status_code >= 500:
                raise PeerFault(Fault("upstream", f"the callback {url} failed with status {response.status_code}"))
            if response.status_code >= 300:
                shown = data[:_SHOWN].decode("utf-8", "replace")
                return _failed(f"The callback refused the call with status {response.status_code}: {shown}")
        if len(data) <= _AT_ONCE:
            return read_answer(data)
        return await asyncio.to_thread(read_answer, data)


def taken(name: str) -> BadRequest:
    return BadRequest(f"There is a tool named '{name}' already.", "name", code="tool_exists")


async def _read(response: httpx.Response) -> bytes | None:
    """The whole body; None = it is too large, and the rest was left."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > MOST_BYTES:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def read_answer(data: bytes) -> Outcome:
    """`{"content": text or blocks}` or `{"result": anything}`, each with `is_error` where it failed."""
    try:
        answer = orjson.loads(data)
    except orjson.JSONDecodeError as bad:
        return _failed(f"The callback's answer is not JSON: {bad}")
    if not isinstance(answer, dict) or ("content" in answer) == ("result" in answer):
        return _failed('The callback must answer with {"content": …} or {"result": …}, and "is_error" where it failed.')
    is_error = answer.get("is_error", False)
    if not isinstance(is_error, bool):
        return _failed('"is_error" in the callback\'s answer must be true or false.')
    if "result" in answer:
        result = cast(Json, answer["result"])
        text = result if isinstance(result, str) else dump_bytes(result).decode()
        return Outcome((Text(text),), is_error, None if isinstance(result, str) else result)
    content = cast(Json, answer["content"])
    blocks = content if isinstance(content, list) else [content]
    parts = tuple(_part(block) for block in blocks)
    known = tuple(part for part in parts if part is not None)
    if len(known) < len(parts):
        return _failed("A block of the callback's answer is neither text, an image nor a file.")
    return Outcome(known, is_error)


def _part(block: Json) -> ResultPart | None:
    """A text, or a block as MCP spells it; None = it is none that can be shown."""
    match block:
        case str():
            return Text(block)
        case {"type": "text", "text": str(text)}:
            return Text(text)
        case {"type": "image", "data": str(data), "mimeType": str(media_type)}:
            return Image(media_type, data)
        case {"type": "audio" | "file", "data": str(data), "mimeType": str(media_type)}:
            name = block.get("name", "")
            return File(media_type, data, name=name if isinstance(name, str) else "")
        case _:
            return None


def _failed(text: str) -> Outcome:
    return Outcome((Text(text),), is_error=True)
