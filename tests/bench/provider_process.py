"""A provider in a process of its own: streams Chat chunks as fast as asked, each stamped with when it was sent."""

import asyncio
import sys
import time

import orjson

CHUNK = {"id": "chatcmpl-b", "object": "chat.completion.chunk", "created": 1, "model": "gpt-b"}


def chunk(text: str, finish: str | None = None, role: str = "") -> bytes:
    delta = {"role": role, "content": ""} if role else {"content": text} if text else {}
    data = orjson.dumps(CHUNK | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    event = b"data: " + data + b"\n\n"
    return f"{len(event):x}\r\n".encode() + event + b"\r\n"


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        length = next(int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length"))
        ask = orjson.loads(await reader.readexactly(length))
        count, pause = (float(part) for part in ask["messages"][0]["content"].split())
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        writer.write(chunk("", role="assistant"))
        for _ in range(int(count)):
            writer.write(chunk(str(time.monotonic_ns())))
            if pause:
                await asyncio.sleep(pause)
            else:
                await writer.drain()
        done = b"data: [DONE]\n\n"
        writer.write(chunk("", "stop") + f"{len(done):x}\r\n".encode() + done + b"\r\n0\r\n\r\n")
        await writer.drain()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
