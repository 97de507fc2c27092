import asyncio

import pytest

from callgate.core.deltas import Started, TextDelta
from callgate.engine.exchange import early_start
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering
from callgate.engine.exchange.early_start import EarlyStart
from callgate.engine.exchange.outbox import Outbox, Piece

STARTED = Started("id", "m")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_start, "BEGIN_SECONDS", 0.005)


def test_a_reply_that_is_held_is_begun_once() -> None:
    async def run() -> tuple[Outbox, bool]:
        outbox, splice = Outbox(), DeltaRenumbering()
        with EarlyStart(outbox, splice, lambda: STARTED) as opened:
            await asyncio.wait_for(outbox.grown(), 5)
        assert splice.add(STARTED) == [], "the provider's own beginning is not told a second time"
        return outbox, opened.begun

    outbox, begun = asyncio.run(run())
    assert begun and outbox.written() == [Piece((STARTED,))]


def test_what_is_over_in_a_moment_or_has_begun_already_is_left_alone() -> None:
    async def run() -> list[bool]:
        outbox, said = Outbox(), Outbox()
        said.put(Piece((TextDelta(0, "Hi"),)))
        with EarlyStart(outbox, DeltaRenumbering(), lambda: STARTED) as quick_one:
            pass
        tried = asyncio.Event()
        with EarlyStart(said, DeltaRenumbering(), lambda: STARTED) as spoken:
            asyncio.get_running_loop().call_later(0.02, tried.set)
            await asyncio.wait_for(tried.wait(), 5)
        assert not outbox.written() and len(said) == 1
        return [quick_one.begun, spoken.begun]

    assert asyncio.run(run()) == [False, False]


def test_it_is_tried_again_until_the_beginning_is_known() -> None:
    async def run() -> Outbox:
        outbox, known = Outbox(), iter([None, None, STARTED])
        with EarlyStart(outbox, DeltaRenumbering(), lambda: next(known)):
            await asyncio.wait_for(outbox.grown(), 5)
        return outbox

    assert len(asyncio.run(run())) == 1


def test_where_a_person_is_asked_it_is_begun_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_start, "BEGIN_SECONDS", 60.0)

    async def run() -> tuple[Outbox, bool]:
        outbox = Outbox()
        with EarlyStart(outbox, DeltaRenumbering(), lambda: STARTED) as opened:
            outbox.hold()
        outbox.hold()
        return outbox, opened.begun

    outbox, begun = asyncio.run(run())
    assert begun and outbox.written() == [Piece((STARTED,))] and outbox.held
