"""A provider in a process of its own that answers in every way a provider can, good and bad, as a request's words ask.

Speaks Chat only: the station translates for clients of the other wires. The first line is its port.
"""

import asyncio
import sys

import orjson

ID = {"id": "chatcmpl-s", "created": 1, "model": "gpt-s"}


def chunk(delta: dict[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + orjson.dumps({**ID, "object": "chat.completion.chunk", "choices": [choice]}) + b"\n\n"


def call(name: str, arguments: str) -> dict[str, object]:
    return {"index": 0, "id": "call_s", "type": "function", "function": {"name": name, "arguments": arguments}}


def plain(message: dict[str, object], finish: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}
    return orjson.dumps({**ID, "object": "chat.completion", "choices": [choice], "usage": usage})


class Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def serve(self) -> None:
        try:
            while True:
                head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
                lines = head.split(b"\r\n")
                length = next((line for line in lines if line.startswith(b"content-length:")), b":0")
                body = await self._reader.readexactly(int(length.split(b":")[1]))
                if not await self._answer(orjson.loads(body) if body else {}):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._writer.close()

    async def _answer(self, asked: dict) -> bool:
        """False: the connection is not to be used again."""
        messages = asked.get("messages") or [{"role": "user", "content": "plain"}]
        said = next((m["content"] for m in reversed(messages) if m["role"] == "user"), "plain")
        words = said if isinstance(said, str) else "".join(part.get("text", "") for part in said)
        if "tool" in words and messages[-1]["role"] == "tool":
            words = "plain"
        kind = words.split(" ")[0]
        match kind:
            case "refuse":
                await self._whole(orjson.dumps({"error": {"message": "busy", "type": "server_error"}}), "503 Busy")
            case "limit":
                await self._whole(orjson.dumps({"error": {"message": "slow down", "type": "rate_limit"}}), "429 Slow")
            case "garbage":
                await self._whole(b"<html><title>Bad gateway</title></html>", "200 OK")
            case "hang up":
                return False
            case _ if not asked.get("stream"):
                tool = {"content": None, "tool_calls": [call("read_file", '{"path":"notes.txt"}')]}
                await self._whole(plain(tool, "tool_calls") if kind == "tool" else plain({"content": "fine"}, "stop"))
            case _:
                return await self._stream(kind)
        return True

    async def _whole(self, body: bytes, status: str = "200 OK") -> None:
        head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        await self._writer.drain()

    async def _stream(self, kind: str) -> bool:
        self._writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        await self._send(chunk({"role": "assistant", "content": ""}))
        if kind == "tool":
            await self._send(chunk({"tool_calls": [call("read_file", "")]}))
            await self._send(chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"path":"notes.txt"}'}}]}))
            await self._send(chunk({}, "tool_calls"))
        else:
            for number in range(400 if kind == "long" else 20):
                if kind == "cut" and number == 7:
                    return False
                await self._send(b"data: {broken\n\n" if kind == "noise" and number == 5 else chunk({"content": "ab "}))
                await asyncio.sleep(0.002 if kind == "long" else 0)
            await self._send(chunk({}, "stop"))
        await self._send(b"data: [DONE]\n\n")
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()
        return True

    async def _send(self, event: bytes) -> None:
        self._writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        await self._writer.drain()


async def main() -> None:
    server = await asyncio.start_server(lambda reader, writer: Connection(reader, writer).serve(), "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
