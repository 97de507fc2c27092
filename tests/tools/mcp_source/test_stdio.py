import asyncio
from types import SimpleNamespace

import pytest
from mcp_types import JSONRPCError, JSONRPCResponse
from tests.fakes.on_loop import on_loop

from callgate.tools.mcp_source import stdio
from callgate.tools.mcp_source.stdio import SpokenLine, StdoutStream

NEXT = b'{"jsonrpc":"2.0","id":8,"result":{}}\n'


@pytest.fixture(autouse=True)
def short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "LONGEST_LINE", 1 << 20)


async def heard(*pieces: bytes) -> tuple[list[object], list[str]]:
    reader = asyncio.StreamReader()
    for piece in pieces:
        reader.feed_data(piece)
    reader.feed_eof()
    garbage: list[str] = []
    stream = StdoutStream(SimpleNamespace(stdout=reader), garbage.append)  # type: ignore[arg-type]
    return [item.message async for item in stream if isinstance(item, SpokenLine)], garbage


@pytest.mark.parametrize("before", [b'{"jsonrpc":"2.0","id":7,"result":{"t":"', b'{"id": 7, "result":{"t":"'])
def test_the_request_of_a_message_that_is_too_long_fails_and_the_next_is_read(before: bytes) -> None:
    @on_loop
    async def play() -> None:
        messages, garbage = await heard(before, b"x" * (3 << 20), b'"}}\n', NEXT)
        failed, fine = messages
        assert isinstance(failed, JSONRPCError) and failed.id == 7
        assert failed.error.message.startswith("its answer has 3 MB, and more than 1 MB are not read; ")
        assert isinstance(fine, JSONRPCResponse) and fine.id == 8
        assert garbage == [failed.error.message]

    play()


@pytest.mark.parametrize("after", [b'"}},"jsonrpc":"2.0","id":"seven"}\n', b'"}},"id":"seven","jsonrpc":"2.0"}\r\n'])
def test_the_id_may_stand_last(after: bytes) -> None:
    @on_loop
    async def play() -> None:
        (failed, fine), _ = await heard(b'{"result":{"t":{"u":"', b'"id":9,' * (1 << 18), after, NEXT)
        assert isinstance(failed, JSONRPCError) and failed.id == "seven"
        assert isinstance(fine, JSONRPCResponse) and fine.id == 8

    play()


@on_loop
async def test_what_has_no_id_is_only_told() -> None:
    messages, garbage = await heard(b"log: ", b"x" * (2 << 20), b"\n", NEXT)
    assert len(messages) == 1 and len(garbage) == 1


@on_loop
async def test_a_line_that_never_ends_takes_no_room() -> None:
    messages, garbage = await heard(NEXT, b"x" * (8 << 20))
    assert len(messages) == 1 and garbage == []


@on_loop
async def test_lines_that_are_no_messages_are_told_and_passed_over() -> None:
    messages, garbage = await heard(b"starting up\n\n", NEXT[:10], NEXT[10:], b"unfinished")
    assert len(messages) == 1 and garbage == ["starting up", "unfinished"]
