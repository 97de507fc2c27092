"""A conversation with an approval is drawn while it runs, joined by its call, and saved as a picture."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
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
