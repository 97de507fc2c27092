"""The timeline is zoomed, panned, walked and asked with mouse and keyboard."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.fakes.samples import sample_conversation

from callgate.core.timeline import Lane, Timeline
from callgate.core.timeline_fold import TimelineFold
from callgate.ui.theme import Theme
from callgate.ui.timeline.canvas import TimelineCanvas
from callgate.ui.timeline.geometry import AXIS


@pytest.fixture
def canvas(qtbot: QtBot, theme: Theme) -> TimelineCanvas:
    canvas = TimelineCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 200)
    fold = TimelineFold()
    fold.apply_all(sample_conversation())
    canvas.set_timeline(fold.timeline())
    canvas.show()
    return canvas


def wheel(canvas: TimelineCanvas, x: float, turn: int, keys: Qt.KeyboardModifier) -> None:
    spot = QPointF(x, 60)
    event = QWheelEvent(
        spot, canvas.viewport().mapToGlobal(spot), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas.viewport(), event)


def test_the_wheel_with_control_zooms_at_the_mouse(canvas: TimelineCanvas) -> None:
    assert canvas.is_fitted
    before = canvas.geometry_now.moment(500)
    for _ in range(8):
        wheel(canvas, 500, 120, Qt.KeyboardModifier.ControlModifier)
    assert not canvas.is_fitted
    assert canvas.geometry_now.moment(500) == pytest.approx(before, abs=0.1)
    for _ in range(12):
        wheel(canvas, 500, -120, Qt.KeyboardModifier.ControlModifier)
    assert canvas.is_fitted and canvas.horizontalScrollBar().maximum() == 0


def test_keys_zoom_pan_and_fit(canvas: TimelineCanvas) -> None:
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    place = canvas.horizontalScrollBar().value()
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.horizontalScrollBar().value() > place
    QTest.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.is_fitted


def test_bars_are_walked_and_told(canvas: TimelineCanvas) -> None:
    chosen: list[Lane] = []
    opened: list[Lane] = []
    canvas.chosen.connect(chosen.append)
    canvas.open_pressed.connect(opened.append)
    for _ in range(len(canvas.timeline.spans) + 3):
        QTest.keyClick(canvas, Qt.Key.Key_J)
    assert chosen[0].kind == "exchange" and chosen[-1] == canvas.timeline.lanes[-1]
    assert canvas.verticalScrollBar().value() > 0, "what is walked to comes into sight"
    assert "waits for a person" in canvas.accessibleDescription()
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert opened == [chosen[-1]]
    QTest.keyClick(canvas, Qt.Key.Key_K)
    assert len(chosen) == len(canvas.timeline.spans) + 4


def test_a_click_chooses_and_a_drag_pans(canvas: TimelineCanvas) -> None:
    chosen: list[Lane] = []
    canvas.chosen.connect(chosen.append)
    bar = canvas.geometry_now.bar(next(span for span in canvas.timeline.spans if span.kind == "person"))
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=bar.center().toPoint())
    assert chosen[0].kind == "call" and chosen[0].call_id
    canvas.zoom_by(6)
    start = canvas.horizontalScrollBar().value()
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(600, 60))
    QTest.mouseMove(canvas.viewport(), QPoint(560, 60))
    QTest.mouseMove(canvas.viewport(), QPoint(520, 60))
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(520, 60))
    assert canvas.horizontalScrollBar().value() > start and len(chosen) == 1


def test_hovering_tells_bars_marks_and_lanes(canvas: TimelineCanvas) -> None:
    span = next(span for span in canvas.timeline.spans if span.kind == "person")
    words = canvas.words_at(canvas.geometry_now.bar(span).center())
    assert "waits for a person" in words and "1.2 s" in words and "call " in words
    mark = next(mark for mark in canvas.timeline.marks if mark.kind == "first_token")
    where = canvas.geometry_now
    assert canvas.words_at(QPointF(where.x(mark.at), where.lane_top(mark.lane) + 4)).startswith("First token")
    assert canvas.words_at(QPointF(20, AXIS + 5)) == "claude-code · claude-opus"
    assert canvas.words_at(QPointF(500, 5)) == ""


def test_what_is_chosen_stays_chosen_when_the_timeline_grows(canvas: TimelineCanvas) -> None:
    fold = TimelineFold()
    fold.apply_all(sample_conversation())
    canvas.choose(canvas.timeline.spans[2])
    canvas.set_timeline(fold.timeline(now=canvas.timeline.end + 60))
    assert canvas.current is not None and canvas.current.words == canvas.timeline.spans[2].words
    canvas.set_timeline(Timeline())
    assert canvas.current is None and not canvas.grab().isNull()
    QTest.keyClick(canvas, Qt.Key.Key_J)
