"""The timeline is zoomed, panned, walked and asked with mouse and keyboard."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.core.timeline.test_frames import TALK, folded
from tests.fakes.samples import sample_conversation

from callgate.core.timeline.bars import Lane, Mark, Timeline
from callgate.core.timeline.fold import TimelineFold
from callgate.ui.theme.theme import Theme
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


def test_messages_are_hovered_clicked_and_walked(canvas: TimelineCanvas) -> None:
    canvas.set_timeline(folded(*TALK))
    canvas.resize(900, 260)
    told: list[tuple[str, str]] = []
    opened: list[bool] = []
    canvas.message_chosen.connect(lambda lane, frame: told.append((lane.invocation_id, frame)))
    canvas.message_opened.connect(lambda: opened.append(True))
    marks = [mark for mark in canvas.timeline.marks if mark.frame_id]

    def at(mark: Mark) -> QPoint:
        where = canvas.geometry_now
        return QPointF(where.x(mark.at), where.lane_top(mark.lane) + 12).toPoint()

    words = canvas.words_at(QPointF(at(marks[-1])))
    assert "answer to tools/call · id 3 · 120 bytes · 1,800.0 ms after the request" in words
    QTest.mouseMove(canvas.viewport(), at(marks[0]))
    assert canvas._hovered is marks[0]
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=at(marks[-1]))
    assert told == [("inv", "f6")] and opened == [True] and "answer to tools/call" in canvas.accessibleDescription()
    canvas.set_timeline(folded(*TALK))
    assert isinstance(canvas.current, Mark) and canvas.current.frame_id == "f6", "drawn anew it is still chosen"
    for _ in range(5):
        QTest.keyClick(canvas, Qt.Key.Key_K)
    assert [frame for _, frame in told] == ["f6", "f5", "f4", "f3", "f2", "f1"] and opened == [True]
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert opened == [True, True], "Enter shows it in full"


def test_messages_over_each_other_are_told_together(canvas: TimelineCanvas) -> None:
    crowd = [replace(TALK[1], id=f"crowd_{number}", at=9.3 + number / 1e6) for number in range(9)]
    canvas.set_timeline(folded(TALK[0], *crowd, TALK[5]))
    mark = next(mark for mark in canvas.timeline.marks if mark.frame_id == "crowd_0")
    where = canvas.geometry_now
    words = canvas.words_at(QPointF(where.x(mark.at), where.lane_top(mark.lane) + 12))
    assert words.count("notifications/progress") == 6 and words.endswith("3 more here: zoom in")
