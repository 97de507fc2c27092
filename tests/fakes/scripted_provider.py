"""A provider on loopback that answers with given bytes and keeps what it was asked: stands in for paid services."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import orjson


@dataclass
class Reply:
    body: bytes
    status: int = 200
    content_type: str = "text/event-stream"
    headers: str = ""
    """More header lines, each ended."""
    hold: threading.Event | None = None
    """If set, the body's second half is sent only when the test says so."""
    cut: bool = False
    """True: the connection is closed in the middle of the body."""


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict:
        return orjson.loads(self.raw)


@dataclass
class ScriptedProvider:
    replies: list[Reply]
    """Given one after the other; the last one again and again."""
    asked: list[Asked] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    """Set when a client leaves before its reply is complete."""
    address: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await self._head(reader):
                request, headers = head
                raw = await reader.readexactly(int(headers.get("content-length", 0)))
                self.asked.append(Asked(request.split(" ")[1], headers, raw))
                reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
                if not await self._answer(reader, writer, reply):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()

    async def _head(self, reader: asyncio.StreamReader) -> tuple[str, dict[str, str]] | None:
        try:
            text = (await reader.readuntil(b"\r\n\r\n")).decode(errors="replace")
        except asyncio.IncompleteReadError:
            return None
        request, *lines = text.strip().split("\r\n")
        return request, {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        head = (
            f"HTTP/1.1 {reply.status} X\r\ncontent-type: {reply.content_type}\r\n{reply.headers}"
            "transfer-encoding: chunked\r\n\r\n"
        )
        writer.write(head.encode())
        half = len(reply.body) // 2
        self._chunk(writer, reply.body[:half])
        await writer.drain()
        if reply.cut:
            return False
        if reply.hold is not None:
            gone = asyncio.ensure_future(reader.read(1))
            while not reply.hold.is_set():
                done, _ = await asyncio.wait({gone}, timeout=0.01)
                if done:
                    self.hung_up.set()
                    return False
            gone.cancel()
        self._chunk(writer, reply.body[half:])
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def _chunk(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if data:
            writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


@contextmanager
def provider(*replies: Reply) -> Iterator[ScriptedProvider]:
    scripted = ScriptedProvider(list(replies))
    loop = asyncio.new_event_loop()

    async def listen() -> asyncio.Server:
        return await asyncio.start_server(scripted.serve, "127.0.0.1", 0)

    thread = threading.Thread(target=loop.run_forever, name="provider")
    thread.start()
    server = asyncio.run_coroutine_threadsafe(listen(), loop).result(5)
    scripted.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def close() -> None:
        server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    try:
        yield scripted
    finally:
        asyncio.run_coroutine_threadsafe(close(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


def chat_stream(*deltas: dict, finish: str = "stop", usage: dict | None = None) -> bytes:
    """An OpenAI Chat stream as the service sends it."""
    chunk = {"id": "chatcmpl-up1", "object": "chat.completion.chunk", "created": 1763300000, "model": "gpt-x"}
    choices = [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]
    out = [chunk | {"choices": choices}]
    out += [chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    out.append(chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if usage is not None:
        out.append(chunk | {"choices": [], "usage": usage})
    return b"".join(b"data: " + orjson.dumps(item) + b"\n\n" for item in out) + b"data: [DONE]\n\n"


def call_deltas(index: int, call_id: str, name: str, *fragments: str) -> list[dict]:
    first = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
    rest = [{"index": index, "function": {"arguments": fragment}} for fragment in fragments]
    return [{"tool_calls": [piece]} for piece in (first, *rest)]
