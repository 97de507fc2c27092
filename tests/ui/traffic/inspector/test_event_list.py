"""Events are listed with their times; more of them are added without a jump."""

from typing import Protocol

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.fakes.traffic import translated_wire

from callgate.core.text.sse_capture import sse_events
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.captured import captures
from callgate.ui.traffic.inspector.event_list import EventList, EventModel

CAPTURE = captures(translated_wire(at=100.0))["upstream_response", 1]
EVENTS = sse_events(CAPTURE.pieces)


class ModelTester(Protocol):
    def check(self, model: EventModel, force_py: bool = ...) -> None: ...


def test_an_empty_list_is_sound(qtmodeltester: ModelTester, theme: Theme) -> None:
    qtmodeltester.check(EventModel(theme))


def test_a_list_with_events_is_sound(qtmodeltester: ModelTester, theme: Theme) -> None:
    model = EventModel(theme)
    model.set_events(EVENTS, 100.0)
    qtmodeltester.check(model)


def test_times_names_and_sizes_are_told(theme: Theme) -> None:
    model = EventModel(theme)
    model.set_events(EVENTS, 100.0)
    first, second, comment = ([model.index(row, column).data() for column in range(5)] for row in range(3))
    assert first[:3] == ["600 ms", "", "message_start"] and second[:2] == ["710 ms", "+110 ms"]
    assert comment[2] == "comment" and comment[4] == "keep-alive"
    assert model.headerData(0, Qt.Orientation.Horizontal) == "At"


def test_a_stream_that_grows_only_gets_more_rows(theme: Theme) -> None:
    model = EventModel(theme)
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_events(EVENTS[:3], 100.0)
    model.set_events(EVENTS, 100.0)
    model.set_events(EVENTS, 100.0)
    assert model.rowCount() == len(EVENTS) and len(resets) == 1
    model.set_events(EVENTS[:2], 100.0)
    assert model.rowCount() == 2


def test_the_selected_event_is_shown_as_structure(qtbot: QtBot, theme: Theme) -> None:
    events = EventList(theme, "Events")
    qtbot.addWidget(events)
    events.resize(500, 400)
    events.show()
    events.set_events(EVENTS, 100.0)
    assert not events.detail.isVisible()
    events.table.selectRow(0)
    assert events.detail.isVisible() and events.detail.model.value["type"] == "message_start"  # type: ignore[index,call-overload]
    events.grab()
