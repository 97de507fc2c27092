"""A conversation with an approval is drawn while it runs, joined by its call, and saved as a picture."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.flows.conftest import Program

from callgate.core.invocation import Decision


def kinds(program: Program) -> set[str]:
    return {span.kind for span in program.front.timeline.timeline.spans}


def test_a_waiting_call_is_seen_on_the_timeline_and_leads_to_its_bytes(
    make_program: Callable[..., Program], tmp_path: Path
) -> None:
    program = make_program()
    front, console = program.front, program.station.console

    async def play() -> None:
        front.window.show_pane("traffic")
        front.window.show_pane("timeline")
        sending = front.bridge.start(
            console.send("What does notes.txt say?", model="callgate-demo"), front.window, "say"
        )
        (waiting,) = await program.until(console.waiting)
        front.timeline.show_conversation(waiting.conversation_id)
        await program.until(lambda: "person" in kinds(program))
        assert front.timeline.timeline.is_live
        console.decide(waiting.id, Decision("approve"), "card")
        await sending
        await program.until(lambda: not front.timeline.timeline.is_live and {"tool", "text"} <= kinds(program))
        timeline = front.timeline.timeline
        lane = next(lane for lane in timeline.lanes if lane.kind == "call")
        assert (lane.title, lane.call_id) == ("read_file", waiting.call_id)
        assert sum(lane.kind == "round" for lane in timeline.lanes) == 2
        bar = next(span for span in timeline.spans if span.kind == "person")
        assert front.timeline.canvas.words_at(front.timeline.canvas.geometry_now.bar(bar).center()).startswith(
            "read_file waits"
        )
        front.timeline.canvas.setFocus()
        QTest.keyClick(front.timeline.canvas, Qt.Key.Key_J)
        await program.until(lambda: front.inspector.row is not None)
        assert front.inspector.row is not None and front.inspector.row.exchange_id == waiting.exchange_id
        assert front.timeline.scope == "exchange"
        for name in ("timeline.svg", "timeline.png"):
            front.timeline.save(tmp_path / name)
            assert (tmp_path / name).stat().st_size > 2000
        QTest.keyClick(front.timeline.canvas, Qt.Key.Key_Return)
        assert front.conversation.conversation == waiting.conversation_id

    program.play(play())


def test_the_menu_has_it_with_its_key(make_program: Callable[..., Program]) -> None:
    actions = make_program().front.window.actions_of_window
    assert actions.of_panes["timeline"].shortcut().toString() == "Ctrl+Shift+M"
    assert actions.of_pages["statistics"].shortcut().toString() == "Ctrl+Shift+U"


def test_bars_are_hovered_zoomed_dragged_and_clicked(make_program: Callable[..., Program]) -> None:
    program = make_program()
    front, console = program.front, program.station.console
    canvas = front.timeline.canvas

    def turn(notches: int, at: QPointF) -> None:
        modifiers = Qt.KeyboardModifier.ControlModifier
        event = QWheelEvent(
            at, canvas.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
            modifiers, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas.viewport(), event)

    async def play() -> None:
        front.window.show_pane("traffic")
        front.window.show_pane("timeline")
        said = front.bridge.start(console.send("What does notes.txt say?", model="callgate-demo"), front.window, "say")
        (waiting,) = await program.until(console.waiting)
        front.timeline.show_conversation(waiting.conversation_id)
        await program.until(lambda: "person" in kinds(program))
        console.decide(waiting.id, Decision("approve"), "card")
        await said
        await program.until(lambda: not front.timeline.timeline.is_live and {"tool", "arguments"} <= kinds(program))
        marks = {mark.kind for mark in front.timeline.timeline.marks}
        assert {"first_token", "decision"} <= marks
        text = next(span for span in front.timeline.timeline.spans if span.kind == "text")
        middle = canvas.geometry_now.bar(text).center()
        QTest.mouseMove(canvas.viewport(), middle.toPoint())
        assert canvas._hovered is not None and "round" in canvas.words_at(middle)
        fitted = canvas.zoom
        moment = canvas.geometry_now.moment(middle.x())
        turn(5, middle)
        assert canvas.zoom == pytest.approx(fitted * 1.25**5) and not canvas.is_fitted
        assert canvas.geometry_now.moment(middle.x()) == pytest.approx(moment, abs=2 / canvas.zoom), "what is under it"
        bar = canvas.horizontalScrollBar()
        bar.setValue(bar.maximum() // 2)
        before, start = bar.value(), QPoint(canvas.viewport().width() // 2, canvas.viewport().height() - 8)
        QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=start)
        QTest.mouseMove(canvas.viewport(), start - QPoint(40, 0))
        QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=start - QPoint(40, 0))
        assert bar.value() == before + 40 and canvas.current is None, "dragging chooses nothing"
        QTest.keyClick(canvas, Qt.Key.Key_0)
        assert canvas.is_fitted
        last = [span for span in front.timeline.timeline.spans if span.kind == "text"][-1]
        at = canvas.geometry_now.bar(last).center().toPoint()
        QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
        await program.until(lambda: front.inspector.row is not None)
        lane = front.timeline.timeline.lanes[last.lane] if front.timeline.scope == "conversation" else None
        assert front.inspector.row.exchange_id == waiting.exchange_id and front.inspector.row.round == 2, lane

    program.play(play())


def test_exports_are_pictures_that_other_programs_open(make_program: Callable[..., Program], tmp_path: Path) -> None:
    program = make_program()
    front, console = program.front, program.station.console

    async def play() -> None:
        front.window.show_pane("timeline")
        await console.send("Say hello", model="callgate-demo")
        (conversation,) = await console.conversations()
        front.timeline.show_conversation(conversation.id)
        await program.until(lambda: "text" in kinds(program))
        front.timeline.save(tmp_path / "timeline.png")
        front.timeline.save(tmp_path / "timeline.svg")

    program.play(play())
    picture = QImage(str(tmp_path / "timeline.png"))
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
    assert picture.width() > 600 and len(colours) > 4
    drawn = ElementTree.parse(tmp_path / "timeline.svg").getroot()
    words = "".join(element.text or "" for element in drawn.iter() if element.tag.endswith("text"))
    assert drawn.tag.endswith("svg") and "Round 1" in words and "callgate-demo" in words
    assert "Until the first token" in words and "First token" in words, "what colours and signs mean"
