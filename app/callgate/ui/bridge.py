"""Between the engine's bus and the window: events in batches, one a frame, and tasks that die with their widget.

The only part of the window that knows the bus or starts tasks. Nothing is reordered and nothing is lost: only texts
that follow one another in the same place are joined, so that a fold of the batch ends where a fold of the events would.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from callgate.core.deltas import ArgumentsDelta, ReasoningDelta, TextDelta
from callgate.core.events import DeltaArrived, Event, ToolOutput
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks

T = TypeVar("T")

FRAME_MS: Final = 16
"""One frame at 60 Hz: more often nobody can see."""
HIDDEN_MS: Final = 250
"""While nothing is on screen: rarely enough to cost nothing, often enough for counts and notifications."""

Growing = TextDelta | ArgumentsDelta | ReasoningDelta


class Bridge(QObject):
    batch = Signal(tuple)
    """Events in the order in which they happened, texts joined: tuple[Event, ...]."""

    def __init__(self, bus: Bus, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._queue: list[Event] = []
        self._hidden = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.flush)
        self._subscription = bus.subscribe(self._enqueue)

    @property
    def can_start(self) -> bool:
        """Whether the loop runs: before it does and once it has ended, Qt may still deliver timers and events."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
        return True

    def start(self, work: Coroutine[Any, Any, T], owner: QObject, name: str) -> asyncio.Task[T]:
        """Runs a coroutine for a widget; it is cancelled when the widget is destroyed."""
        task = self._tasks.start(work, name)
        connection = owner.destroyed.connect(lambda: task.cancel())

        def forget(_: asyncio.Task[T]) -> None:
            if isValid(owner):
                QObject.disconnect(connection)

        task.add_done_callback(forget)
        return task

    def set_hidden(self, hidden: bool) -> None:
        """Told by the window: while hidden, batches are rare; on return what has piled up comes at once."""
        if hidden == self._hidden:
            return
        self._hidden = hidden
        if not hidden:
            self.flush()

    def flush(self) -> None:
        """Hands out what is queued, now."""
        self._timer.stop()
        if self._queue:
            queued, self._queue = self._queue, []
            self.batch.emit(joined(queued))

    def close(self) -> None:
        """Stops listening; what is queued still comes out."""
        self._subscription.close()
        self.flush()

    def _enqueue(self, event: Event) -> None:
        self._queue.append(event)
        if not self._timer.isActive():
            self._timer.start(HIDDEN_MS if self._hidden else FRAME_MS)


def joined(events: list[Event]) -> tuple[Event, ...]:
    """The same events with neighbouring texts of one place made one."""
    result: list[Event] = []
    texts: list[str] = []
    last: Event | None = None
    for event in events:
        text = _text_of(event)
        if last is not None and text is not None and _continues(last, event):
            texts.append(text)
        else:
            _finish(result, texts)
            result.append(event)
            texts = [] if text is None else [text]
        if len(texts) > 1:
            result[-1] = event
        last = event
    _finish(result, texts)
    return tuple(result)


def _finish(result: list[Event], texts: list[str]) -> None:
    """Gives the last event of a run the text of the whole run; it keeps its own time and progress."""
    if len(texts) < 2:
        return
    text = "".join(texts)
    match result[-1]:
        case DeltaArrived(delta=TextDelta() | ArgumentsDelta() | ReasoningDelta() as delta) as event:
            result[-1] = replace(event, delta=replace(delta, text=text))
        case ToolOutput() as event:
            result[-1] = replace(event, text=text)
        case _:
            raise AssertionError("only texts are joined")


def _text_of(event: Event) -> str | None:
    match event:
        case DeltaArrived(delta=TextDelta() | ArgumentsDelta() | ReasoningDelta() as delta):
            return delta.text
        case ToolOutput():
            return event.text
        case _:
            return None


def _continues(last: Event, event: Event) -> bool:
    match last, event:
        case DeltaArrived(), DeltaArrived():
            return (last.exchange_id, last.round) == (event.exchange_id, event.round) and _same_part(last, event)
        case ToolOutput(), ToolOutput():
            return last.invocation_id == event.invocation_id
        case _:
            return False


def _same_part(last: DeltaArrived, event: DeltaArrived) -> bool:
    a, b = last.delta, event.delta
    if not isinstance(a, Growing) or type(a) is not type(b) or not isinstance(b, Growing):
        return False
    same_item = not isinstance(a, ReasoningDelta) or not isinstance(b, ReasoningDelta) or a.id == b.id
    return a.part == b.part and a.choice == b.choice and same_item
