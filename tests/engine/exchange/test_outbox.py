import asyncio

import pytest

from callgate.core.deltas import TextDelta
from callgate.core.errors import Fault, PeerFault
from callgate.engine.exchange.outbox import Outbox, Piece


def piece(text: str) -> Piece:
    return Piece((TextDelta(0, text),))


def test_a_reader_gets_all_that_is_there_at_once_then_waits_for_more() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        reader = outbox.reader()
        outbox.put(piece("a"))
        outbox.put(piece("b"))
        assert await reader.read(1) == [piece("a"), piece("b")]
        assert await reader.read(0.001) == []
        asyncio.get_running_loop().call_soon(outbox.put, piece("c"))
        assert await reader.read(1) == [piece("c")]
        outbox.close()
        assert await reader.read(1) is None

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_a_second_reader_starts_from_the_beginning() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        outbox.put(piece("a"))
        await outbox.reader().read()
        outbox.close()
        late = outbox.reader()
        assert await late.read() == [piece("a")]
        assert await late.read() is None

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_a_failure_is_raised_after_the_last_piece() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        outbox.put(piece("a"))
        outbox.close(PeerFault(Fault("upstream", "gone")))
        reader = outbox.reader()
        assert await reader.read() == [piece("a")]
        with pytest.raises(PeerFault, match="gone"):
            await reader.read()

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_the_reply_is_folded_as_it_is_put_in() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        outbox.put(Piece((TextDelta(0, "a"), TextDelta(0, "b"))))
        outbox.put(Piece((TextDelta(0, "c"),)))
        assert outbox.reply.message().text == "abc"

    asyncio.run(scenario())


def test_a_reader_hears_at_once_that_a_person_is_asked_and_first_how_the_reply_begins() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        reader = outbox.reader()
        asyncio.get_running_loop().call_soon(outbox.hold)
        assert await reader.read(5) == [] and outbox.held
        assert await reader.read(0.001) == [], "it is said once"
        outbox.begin = lambda: outbox.put(piece("begun"))
        outbox.hold()
        assert await reader.read(1) == [piece("begun")]
        outbox.close()
        assert await reader.read(1) is None

    asyncio.run(asyncio.wait_for(scenario(), 5))
