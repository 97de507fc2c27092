import asyncio
import logging

import pytest
from PySide6.QtCore import QObject
from tests.fakes.console import FakeConsole, sample_conversation
from tests.fakes.loop import BoundLoop, until

from callgate.core.deltas import ArgumentsDelta, CallStarted, ReasoningDelta, TextDelta
from callgate.core.events import DeltaArrived, Event, FaultRaised, ProxyChanged, ToolOutput
from callgate.engine.tasks import Tasks
from callgate.ui.bridge import FRAME_MS, HIDDEN_MS, Bridge, joined


def _arrived(delta: object, round: int = 1, at: float = 0.0) -> DeltaArrived:
    return DeltaArrived("exch_1", "conv_1", round, delta, at)  # type: ignore[arg-type]


def test_neighbouring_texts_of_one_part_become_one_event_with_the_last_time() -> None:
    events: list[Event] = [_arrived(TextDelta(0, "a"), at=1), _arrived(TextDelta(0, "b"), at=2)]
    assert joined(events) == (_arrived(TextDelta(0, "ab"), at=2),)


@pytest.mark.parametrize(
    "second",
    [
        _arrived(TextDelta(1, "b")),
        _arrived(TextDelta(0, "b", choice=1)),
        _arrived(ArgumentsDelta(0, "b")),
        _arrived(TextDelta(0, "b"), round=2),
        DeltaArrived("exch_2", "conv_1", 1, TextDelta(0, "b"), 0),
    ],
    ids=["part", "choice", "kind", "round", "exchange"],
)
def test_texts_of_different_places_stay_apart(second: DeltaArrived) -> None:
    first = _arrived(TextDelta(0, "a"))
    assert joined([first, second]) == (first, second)


def test_nothing_is_joined_across_another_event_nor_moved() -> None:
    events: list[Event] = [
        _arrived(TextDelta(0, "a")),
        _arrived(CallStarted(1, "call_1", "read_file")),
        _arrived(TextDelta(0, "b")),
    ]
    assert joined(events) == tuple(events)


def test_reasoning_of_two_items_stays_apart() -> None:
    events: list[Event] = [_arrived(ReasoningDelta(0, "a", id="r1")), _arrived(ReasoningDelta(0, "b", id="r2"))]
    assert joined(events) == tuple(events)


def test_output_of_one_invocation_is_joined_and_keeps_the_latest_progress() -> None:
    events: list[Event] = [
        ToolOutput("inv_1", "conv_1", "one ", 1.0, 1, 3),
        ToolOutput("inv_1", "conv_1", "two", 2.0, 2, 3),
        ToolOutput("inv_2", "conv_1", "other", 3.0),
    ]
    assert joined(events) == (
        ToolOutput("inv_1", "conv_1", "one two", 2.0, 2, 3),
        ToolOutput("inv_2", "conv_1", "other", 3.0),
    )


def test_joining_loses_no_text_of_a_whole_conversation() -> None:
    def text(events: tuple[Event, ...] | list[Event]) -> str:
        return "".join(
            event.delta.text
            for event in events
            if isinstance(event, DeltaArrived) and isinstance(event.delta, TextDelta | ArgumentsDelta | ReasoningDelta)
        )

    events = sample_conversation()
    assert text(joined(events)) == text(events)
    assert len(joined(events)) < len(events)


def test_events_of_one_frame_arrive_as_one_batch(loop: BoundLoop, console: FakeConsole, bridge: Bridge) -> None:
    batches: list[tuple[Event, ...]] = []
    bridge.batch.connect(batches.append)
    events = [ProxyChanged("http://127.0.0.1:1", 1.0), ProxyChanged("", 2.0, "stopped")]
    for event in events:
        console.bus.publish(event)
    assert batches == []
    loop.until(lambda: bool(batches))
    assert batches == [tuple(events)]
    assert all(a is b for a, b in zip(batches[0], events, strict=True))


def test_batches_are_rare_while_hidden_and_come_at_once_on_return(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge
) -> None:
    batches: list[tuple[Event, ...]] = []
    bridge.batch.connect(batches.append)
    bridge.set_hidden(True)
    console.bus.publish(ProxyChanged("", 1.0))
    assert bridge._timer.interval() == HIDDEN_MS > FRAME_MS
    bridge.set_hidden(False)
    assert len(batches) == 1


def test_a_task_is_cancelled_when_its_owner_is_destroyed(loop: BoundLoop, bridge: Bridge) -> None:
    owner = QObject()

    async def scene() -> None:
        task = bridge.start(asyncio.Event().wait(), owner, "endless")
        await asyncio.sleep(0)
        owner.deleteLater()
        await until(task.done)
        assert task.cancelled()

    loop.run(scene())


def test_a_finished_task_no_longer_hangs_on_its_owner(loop: BoundLoop, bridge: Bridge) -> None:
    owner = QObject()

    async def answer() -> int:
        return 42

    async def scene() -> None:
        assert await bridge.start(answer(), owner, "short") == 42

    def listeners() -> int:
        loop.run(scene())
        loop.settle()
        return owner.receivers("2destroyed(QObject*)")

    assert listeners() == listeners()


def test_what_a_task_raises_reaches_the_bus_as_a_fault(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> None:
    faults: list[FaultRaised] = []
    console.bus.subscribe(lambda event: faults.append(event) if isinstance(event, FaultRaised) else None)
    owner = QObject()

    async def breaks() -> None:
        raise ValueError("no such thing")

    async def scene() -> None:
        bridge.start(breaks(), owner, "loading")
        await until(lambda: bool(faults))

    loop.run(scene())
    assert (faults[0].where, faults[0].message) == ("loading", "no such thing")
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    caplog.clear()


def test_a_closed_bridge_hands_out_the_rest_and_then_hears_nothing(loop: BoundLoop, console: FakeConsole) -> None:
    bridge = Bridge(console.bus, Tasks(console.bus))
    batches: list[tuple[Event, ...]] = []
    bridge.batch.connect(batches.append)
    console.bus.publish(ProxyChanged("", 1.0))
    bridge.close()
    console.bus.publish(ProxyChanged("", 2.0))
    loop.settle()
    assert [len(batch) for batch in batches] == [1]


def test_work_can_be_started_only_while_the_loop_runs(loop: BoundLoop, bridge: Bridge) -> None:
    async def inside() -> bool:
        return bridge.can_start

    assert not bridge.can_start
    assert loop.run(inside())
