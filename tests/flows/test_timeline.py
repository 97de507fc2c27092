"""A conversation with an approval is drawn while it runs, joined by its call, and saved as a picture."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.fakes.mcp_sources import SERVERS
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.question import Answer
from callgate.core.timeline.bars import Mark, Timeline
from callgate.export.format import ExportOptions
from callgate.runtime.window_app import WindowApp


def kinds(program: Program) -> set[str]:
    return {span.kind for span in program.window_app.timeline.timeline.spans}


def test_a_waiting_call_is_seen_on_the_timeline_and_leads_to_its_bytes(
    make_program: Callable[..., Program], tmp_path: Path
) -> None:
    program = make_program()
    window_app, console = program.window_app, program.runtime.console

    async def play() -> None:
        window_app.window.show_pane("traffic")
        window_app.window.show_pane("timeline")
        sending = window_app.bridge.start(
            console.send("What does notes.txt say?", model="callgate-demo"), window_app.window, "say"
        )
        (waiting,) = await program.until(console.waiting)
        window_app.timeline.show_conversation(waiting.conversation_id)
        await program.until(lambda: "person" in kinds(program))
        assert window_app.timeline.timeline.is_live
        console.decide(waiting.id, Decision("approve"), "card")
        await sending
        await program.until(lambda: not window_app.timeline.timeline.is_live and {"tool", "text"} <= kinds(program))
        timeline = window_app.timeline.timeline
        lane = next(lane for lane in timeline.lanes if lane.kind == "call")
        assert (lane.title, lane.call_id) == ("read_file", waiting.call_id)
        assert sum(lane.kind == "round" for lane in timeline.lanes) == 2
        bar = next(span for span in timeline.spans if span.kind == "person")
        assert window_app.timeline.canvas.words_at(
            window_app.timeline.canvas.geometry_now.bar(bar).center()
        ).startswith("read_file waits")
        window_app.timeline.canvas.setFocus()
        QTest.keyClick(window_app.timeline.canvas, Qt.Key.Key_J)
        await program.until(lambda: window_app.inspector.row is not None)
        assert window_app.inspector.row is not None and window_app.inspector.row.exchange_id == waiting.exchange_id
        assert window_app.timeline.scope == "conversation", "whoever walks through all of it goes on through all of it"
        for name in ("timeline.svg", "timeline.png"):
            window_app.timeline.save(tmp_path / name)
            assert (tmp_path / name).stat().st_size > 2000
        QTest.keyClick(window_app.timeline.canvas, Qt.Key.Key_Return)
        assert window_app.conversation.conversation == waiting.conversation_id

    program.play(play())


def test_the_menu_has_it_with_its_key(make_program: Callable[..., Program]) -> None:
    actions = make_program().window_app.window.actions_of_window
    assert actions.of_panes["timeline"].shortcut().toString() == "Ctrl+Shift+M"
    assert actions.of_pages["statistics"].shortcut().toString() == "Ctrl+Shift+U"


def test_bars_are_hovered_zoomed_dragged_and_clicked(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app, console = program.window_app, program.runtime.console
    canvas = window_app.timeline.canvas

    def turn(notches: int, at: QPointF) -> None:
        modifiers = Qt.KeyboardModifier.ControlModifier
        event = QWheelEvent(
            at, canvas.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
            modifiers, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas.viewport(), event)

    async def play() -> None:
        window_app.window.show_pane("traffic")
        window_app.window.show_pane("timeline")
        said = window_app.bridge.start(
            console.send("What does notes.txt say?", model="callgate-demo"), window_app.window, "say"
        )
        (waiting,) = await program.until(console.waiting)
        window_app.timeline.show_conversation(waiting.conversation_id)
        await program.until(lambda: "person" in kinds(program))
        console.decide(waiting.id, Decision("approve"), "card")
        await said
        await program.until(
            lambda: not window_app.timeline.timeline.is_live and {"tool", "arguments"} <= kinds(program)
        )
        marks = {mark.kind for mark in window_app.timeline.timeline.marks}
        assert {"first_token", "decision"} <= marks
        text = next(span for span in window_app.timeline.timeline.spans if span.kind == "text")
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
        last = [span for span in window_app.timeline.timeline.spans if span.kind == "text"][-1]
        at = canvas.geometry_now.bar(last).center().toPoint()
        QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
        await program.until(lambda: window_app.inspector.row is not None)
        lane = window_app.timeline.timeline.lanes[last.lane] if window_app.timeline.scope == "conversation" else None
        assert window_app.inspector.row.exchange_id == waiting.exchange_id and window_app.inspector.row.round == 2, lane

    program.play(play())


def test_exports_are_pictures_that_other_programs_open(make_program: Callable[..., Program], tmp_path: Path) -> None:
    program = make_program()
    window_app, console = program.window_app, program.runtime.console

    async def play() -> None:
        window_app.window.show_pane("timeline")
        await console.send("Say hello", model="callgate-demo")
        (conversation,) = await console.conversations()
        window_app.timeline.show_conversation(conversation.id)
        await program.until(lambda: "text" in kinds(program))
        window_app.timeline.save(tmp_path / "timeline.png")
        window_app.timeline.save(tmp_path / "timeline.svg")

    program.play(play())
    picture = QImage(str(tmp_path / "timeline.png"))
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
    assert picture.width() > 600 and len(colours) > 4
    drawn = ElementTree.parse(tmp_path / "timeline.svg").getroot()
    words = "".join(element.text or "" for element in drawn.iter() if element.tag.endswith("text"))
    assert drawn.tag.endswith("svg") and "Round 1" in words and "callgate-demo" in words
    assert "Until the first token" in words and "First token" in words, "what colours and signs mean"


TALKATIVE = f"""
[[sources]]
name = "tracker"
kind = "mcp"
command = [{json.dumps(sys.executable)}, {json.dumps(str(SERVERS / "talkative.py"))}]
era = "legacy"
"""
TALK = [
    ("sent", "tools/call"),
    ("notice", "notifications/message"),
    ("notice", "notifications/progress"),
    ("received", "elicitation/create"),
    ("sent", "answer to elicitation/create"),
    ("received", "answer to tools/call"),
]


def messages(program: Program) -> list[tuple[str, str]]:
    marks = [mark for mark in program.window_app.timeline.timeline.marks if mark.frame_id]
    return [(mark.kind, mark.words.split(" · ")[0][2:]) for mark in marks]


async def talked(program: Program) -> Invocation:
    """A call that the server talks about while it serves it, and that asks the person something."""
    console = program.runtime.console
    await program.until(lambda: any(tool.name == "work" for tool in console.tools()))
    sending = program.window_app.bridge.start(
        console.send("#work", model="callgate-demo"), program.window_app.window, "say"
    )
    (waiting,) = await program.until(console.waiting)
    console.decide(waiting.id, Decision("approve", arguments='{"steps": 1, "ask": true}'), "card")
    (asked,) = await program.until(console.questions.waiting)
    assert console.questions.answer(asked.id, Answer("accept", {"name": "Ada"}), "dialog")
    await sending
    return waiting


def test_messages_of_an_mcp_server_stand_below_their_call_also_after_a_restart(
    make_program: Callable[..., Program], tmp_path: Path
) -> None:
    """The person points at the server's question on the timeline, and sees it in the inspector; then starts anew."""
    program = make_program(TALKATIVE)

    async def live() -> tuple[Invocation, Timeline]:
        window_app = program.window_app
        window_app.window.show_pane("timeline")
        call = await talked(program)
        window_app.timeline.show_conversation(call.conversation_id)
        await program.until(lambda: messages(program) == TALK and not window_app.timeline.timeline.is_live)
        return call, window_app.timeline.timeline

    async def reopened() -> Timeline:
        window_app = program.window_app
        window_app.window.show_pane("timeline")
        window_app.conversation.open(call.conversation_id)
        window_app.timeline.show_conversation(call.conversation_id)
        await program.until(lambda: bool(messages(program)))
        await point_at_the_question(window_app)
        for ending in ("svg", "png"):
            window_app.timeline.save(tmp_path / f"talk.{ending}")
        return window_app.timeline.timeline

    async def point_at_the_question(window_app: WindowApp) -> None:
        canvas = window_app.timeline.canvas
        mark = next(mark for mark in canvas.timeline.marks if "← elicitation/create" in mark.words)
        canvas.zoom_by(400, canvas.geometry_now.x(mark.at))  # the server is quick: at first all stand in one place
        where = canvas.geometry_now
        spot = QPointF(where.x(mark.at), where.lane_top(mark.lane) + 12)
        assert "elicitation/create · id" in canvas.words_at(spot) and "only one that ran" in canvas.words_at(spot)
        QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot.toPoint())
        shown = window_app.inspector.mcp.messages
        await program.until(lambda: shown.current is not None and shown.isVisible())
        assert shown.current is not None and shown.current.id == mark.frame_id
        assert json.loads(shown.current.text)["params"]["message"].startswith("question of")
        assert window_app.timeline.scope == "conversation"

    call, before = program.play(live())
    program.restart()
    after = program.play(reopened())
    assert after == before, "live and reopened are the same"
    drawn = ElementTree.parse(tmp_path / "talk.svg").getroot()
    words = " ".join(element.text or "" for element in drawn.iter() if element.tag.endswith("text"))
    assert "JSON-RPC" in words and "6 messages · stdio" in words and "Server asks back" in words
    assert QImage(str(tmp_path / "talk.png")).width() > 1000


def test_a_conversation_with_messages_comes_back_from_a_file_and_leads_to_them(
    make_program: Callable[..., Program], tmp_path: Path
) -> None:
    program = make_program(TALKATIVE)

    async def play() -> None:
        window_app, console = program.window_app, program.runtime.console
        call = await talked(program)
        path = tmp_path / "talk.callgate.jsonl"
        await console.archive.export([call.conversation_id], "jsonl", ExportOptions(), path)
        (imported,) = await console.archive.import_file(path)
        window_app.window.show_pane("timeline")
        window_app.timeline.show_conversation(imported.id)
        await program.until(lambda: messages(program) == TALK)
        canvas = window_app.timeline.canvas
        canvas.setFocus()
        shown = window_app.inspector.mcp.messages
        while not isinstance(canvas.current, Mark):
            QTest.keyClick(canvas, Qt.Key.Key_J)
        QTest.keyClick(canvas, Qt.Key.Key_Return)
        await program.until(lambda: shown.isVisible() and shown.current is not None)
        row = window_app.inspector.row
        assert row is not None and row.conversation_id == imported.id, "though it is in no table of traffic"
        assert shown.current is not None and shown.current.method == "tools/call"

    program.play(play())


def test_a_call_keeps_its_row_and_leads_to_its_messages_though_its_server_is_gone(
    make_program: Callable[..., Program],
) -> None:
    program = make_program(TALKATIVE)

    async def called() -> Invocation:
        program.window_app.window.show_pane("traffic")
        return await talked(program)

    async def looked_at() -> None:
        window_app = program.window_app
        assert not any(tool.source == "tracker" for tool in program.runtime.console.tools())
        window_app.window.show_pane("traffic")
        row = await program.until(lambda: next((row for row in window_app.traffic.model.shown if row.call), None))
        assert (row.call, row.endpoint, row.status) == (call.id, "tracker", "completed")
        window_app.traffic.table.select_row(row.id)
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Space)
        shown = window_app.inspector.mcp.messages
        await program.until(shown.isVisible)
        titles = [shown.model.index(place, 2).data() for place in range(shown.model.rowCount())]
        assert titles == [title for _, title in TALK]

    call = program.play(called())
    (program._folder / "callgate.toml").write_text("", "utf-8")
    program.restart()
    program.play(looked_at())


def test_what_a_server_said_before_a_restart_is_still_in_its_own_view(make_program: Callable[..., Program]) -> None:
    program = make_program(TALKATIVE)
    call = program.play(talked(program))
    before = program.runtime.sources.frames("tracker")
    program.restart()
    after = program.runtime.sources.frames("tracker")
    assert [frame.text for frame in after][: len(before)] == [frame.text for frame in before]
    assert any('"tools/call"' in frame.text for frame in after) and call.source == "tracker"
