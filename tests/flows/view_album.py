"""Pictures of all that a person reads in, in every state that matters, dark and light, to be looked at and judged.

Run as a program, as the scale is a matter of the whole process:
    QT_QPA_PLATFORM=offscreen python -m tests.flows.view_album FOLDER [--scale 2] [--only list,traffic] [--dark]
"""

import argparse
import asyncio
import base64
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from tests.fakes.busy_week import busy_week
from tests.fakes.gallery import picture, whole_story
from tests.fakes.program import Program
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider
from tests.flows import wire_chapters

from callgate.core.marks import Marks
from callgate.runtime.loop import make_application
from callgate.ui.conversation.blocks import CallBlock, CodeBlock, NoteBlock, ReasoningBlock, TextBlock
from callgate.ui.theme.theme import Mode

SIZE: Final = (1280, 800)
SETTLE_S: Final = 0.35
ARMED_S: Final = 0.6
"""Buttons that decide arm after 400 ms, and again when the window has changed."""
STORY: Final = "story"
LONG_WAIT_S: Final = 600.0
CTRL: Final = Qt.KeyboardModifier.ControlModifier
_MARKS: Final = {
    STORY: Marks(pinned=True, tags=("ci", "urgent")),
    "week_1": Marks(tags=("refactoring",)),
    "week_3": Marks(name="Release notes for 2.4"),
    "week_8": Marks(pinned=True, tags=("database",)),
}


class Album:
    def __init__(self, program: Program, folder: Path, modes: tuple[Mode, ...], hold: threading.Event) -> None:
        self.program, self.window_app, self.window = program, program.window_app, program.window_app.window
        self._folder, self._modes, self._hold = folder, modes, hold
        self.saved: list[Path] = []

    async def run(self, wanted: set[str]) -> None:
        self.window.resize(*SIZE)
        for mode in self._modes[::-1]:  # what was built before the program was dressed takes its font from the change
            self.window._theme.set_mode(mode)
        chapters: tuple[tuple[str, Callable[[], Awaitable[None]]], ...] = (
            ("empty", self.empty), ("list", self.list), ("view", self.view), ("composer", self.composer),
            ("live", self.live), ("traffic", self.traffic), ("statistics", self.statistics), ("export", self.export),
            ("palette", self.palette), ("timeline", partial(wire_chapters.timeline, self)),
            ("inspector", partial(wire_chapters.inspector, self)),
        )  # fmt: skip
        for name, chapter in chapters:
            if name == "list":
                await self._fill()
            if not wanted or name in wanted:
                self.window.activateWindow()
                await chapter()

    # ---- taking them -----------------------------------------------------------------------------------------------

    async def shoot(self, name: str, widget: QWidget | None = None, *, settle: float = SETTLE_S) -> None:
        for mode in self._modes:
            self.window._theme.set_mode(mode)
            await asyncio.sleep(settle)
            path = self._folder / f"{name}-{mode}.png"
            assert _photograph(widget or self.window).save(str(path)), path
            self.saved.append(path)

    async def _fill(self) -> None:
        now = time.time()
        bus = self.program.runtime.bus
        for event in busy_week(now):
            bus.publish(event)
            await asyncio.sleep(0)
        for event in whole_story(STORY, now - 1300):
            bus.publish(event)
        for conversation, marks in _MARKS.items():
            self.program.runtime.console.archive.mark(conversation, marks)
        await self.program.runtime.journal.settled()
        await asyncio.sleep(0.2)

    async def _open(self, conversation: str) -> None:
        panel = self.window_app.conversation
        panel.open(conversation)
        await self.program.until(lambda: panel.view.transcript.blocks and panel.view.shown)
        await asyncio.sleep(SETTLE_S)

    # ---- chapters --------------------------------------------------------------------------------------------------

    async def empty(self) -> None:
        await self.shoot("window-empty")
        self.window.show_pane("traffic")
        await self.shoot("traffic-empty")
        self.window.reset_layout()
        self.window.show_page("statistics")
        await self.shoot("statistics-empty")
        self.window.leave_page()
        self.window_app.conversation.start_new()
        self.window.show_conversation("new")
        await self.shoot("composer-new")

    async def list(self) -> None:
        panel = self.window_app.conversations
        await self._open(STORY)
        await self.shoot("window")
        await self.shoot("list-by-day", panel)
        panel.grouping_button.click()
        await self.shoot("list-by-agent", panel)
        panel.grouping_button.click()
        panel.search.setText("clock lock")
        await self.program.until(lambda: panel.model.searching)
        await self.shoot("list-search", panel)
        panel.search.setText("nothing has such words")
        await self.program.until(lambda: panel.model.rowCount() == 0)
        await self.shoot("list-nothing-found", panel)
        panel.search.clear()
        await self.program.until(lambda: not panel.model.searching)
        panel.delete("week_10")
        await self.shoot("list-deleted", panel)
        panel.undo()

    async def view(self) -> None:
        view = self.window_app.conversation.view
        await self._open(STORY)
        view.verticalScrollBar().setValue(0)
        await self.shoot("view-top")
        for block in view.transcript.blocks[:12]:
            if isinstance(block, ReasoningBlock | NoteBlock):
                view.reveal_block(block.id)
                QTest.keyClick(view, Qt.Key.Key_Return)
        await self.shoot("view-unfolded", self.window_app.conversation)
        for block in [b for b in view.transcript.blocks if isinstance(b, CallBlock)][::2]:
            view.reveal_block(block.id)
            await self.shoot(f"view-call-{block.tool}-{block.id.rpartition(':')[2]}", self.window_app.conversation)
        heading = next(b for b in view.transcript.blocks if isinstance(b, TextBlock) and "What I found" in b.text)
        view.reveal_block(heading.id)
        view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 320)
        await self.shoot("view-prose", self.window_app.conversation)
        code = next(b for b in view.transcript.blocks if isinstance(b, CodeBlock))
        view.reveal_block(code.id)
        await asyncio.sleep(SETTLE_S)
        await self._select_from(code.id)
        await self.shoot("view-selection", self.window_app.conversation)
        QTest.keyClick(view, Qt.Key.Key_Escape)
        self.window_app.conversation.find_bar.open_bar()
        self.window_app.conversation.find_bar.field.setText("sync")
        await self.shoot("view-find", self.window_app.conversation)
        self.window_app.conversation.find_bar.close_bar()
        view.go_to_end()
        await self.shoot("view-bottom")

    async def _select_from(self, block_id: str) -> None:
        view = self.window_app.conversation.view
        first = view.widget_of(block_id)
        after = view.widget_of(view.transcript.blocks[view.transcript.index(block_id) + 1].id)
        assert first is not None and after is not None
        start = first.childAt(first.rect().center())
        QTest.mousePress(start, Qt.MouseButton.LeftButton, pos=QPoint(2, 4))
        target = start.mapFrom(view.viewport(), after.geometry().center())
        QTest.mouseMove(start, target)
        QTest.mouseRelease(start, Qt.MouseButton.LeftButton, pos=target)

    async def composer(self) -> None:
        composer = self.window_app.conversation.composer
        await self._open(STORY)
        image, notes = self._folder / "latency.png", self._folder / "notes.txt"
        pixels = QPixmap()
        pixels.loadFromData(base64.b64decode(picture()))
        pixels.save(str(image))
        notes.write_text("flaky since Tuesday\n", "utf-8")
        composer.add_files([image, notes])
        composer.message.set_text("Look at the plot: what happened on Tuesday?\nAnd is `sync` to blame?")
        await self.program.until(lambda: len(composer.enclosures.enclosures) == 2)
        await self.shoot("composer-attachments")
        composer.enclosures.set_enclosures(())
        for path in (image, notes):
            path.unlink()
        composer.tools_button.click()
        await self.shoot("composer-tools")
        composer.tools_button.click()
        composer._box.system_button.click()
        composer.system.setPlainText("You are a careful engineer. Prefer small changes; explain them.")
        await self.shoot("composer-system")
        composer._box.system_button.click()
        composer.message.set_text("")
        composer.message.setFocus()
        QTest.keyClicks(composer.message, "Use #re")
        await self.shoot("composer-reference")
        QTest.keyClick(composer.message, Qt.Key.Key_Escape)
        composer.message.set_text("")

    async def live(self) -> None:
        panel = self.window_app.conversation
        panel.start_new()
        composer = panel.composer
        composer.models.choose("gpt-a")
        composer.message.set_text("Run the tests, then clean up what they left behind.")
        await self.program.until(composer.send_button.isEnabled)
        composer.send_button.click()
        console = self.program.runtime.console
        await self.program.until(lambda: panel.view.transcript.running and panel.view.transcript.blocks)
        await asyncio.sleep(0.5)
        await self.shoot("live-forming")
        self._hold.set()
        await self.program.until(console.waiting)
        await asyncio.sleep(0.6)
        await self.shoot("live-dialog", self.window_app.approvals.dialog, settle=2 * ARMED_S)
        self.window_app.approvals.dialog.reject()
        await self.shoot("live-waiting", settle=2 * ARMED_S)
        panel.view.verticalScrollBar().setValue(0)
        self.window.show_pane("traffic")
        await self.shoot("live-traffic")
        self.window.reset_layout()
        console.stop(panel.conversation)
        await self.program.until(lambda: not panel.view.transcript.running)
        await self.shoot("live-stopped")
        panel.composer.edit_last()
        await self.shoot("composer-editing")
        panel.composer._stop_editing()

    async def traffic(self) -> None:
        panel = self.window_app.traffic
        self.window.show_pane("traffic")
        self.window_app.traffic.table.choose_first()
        await self.program.until(lambda: panel.model.rowCount() > 20)
        await self.shoot("traffic")
        self.window.resizeDocks([panel.parentWidget()], [560], Qt.Orientation.Vertical)
        await self.shoot("traffic-tall", panel)
        panel.filter.set_text("agent:claude-code and dur>2s")
        await self.shoot("traffic-filtered", panel)
        panel.filter.set_text("")
        panel.focus_filter()
        QTest.keyClicks(panel.filter.line, "model:")
        await self.shoot("traffic-completion")
        panel.filter._completer.popup().hide()
        panel.filter.set_text("dur>fast and tool:run_*")
        await self.shoot("traffic-error", panel)
        panel.filter.set_text("tool:nothing_like_this")
        await self.shoot("traffic-no-match", panel)
        panel.filter.set_text("")
        panel.price_editor.show()
        await self.shoot("traffic-prices", panel.price_editor)
        panel.price_editor.hide()
        self.window.reset_layout()

    async def statistics(self) -> None:
        self.window.show_page("statistics")
        self.window_app.statistics.picker.box.choose("week")
        await self.program.until(lambda: self.window_app.statistics.counted is not None)
        await self.shoot("statistics")
        board = self.window_app.statistics.board
        await self.shoot("statistics-whole", board)
        self.window.leave_page()

    async def export(self) -> None:
        dialog = self.window_app.export.dialog
        for form in ("jsonl", "har", "html", "markdown"):
            self.window_app.export.export([STORY])
            await self.program.until(dialog.isVisible)
            dialog.findChild(QAbstractButton, f"exportFormat_{form}").click()
            await asyncio.sleep(0.5)
            await self.shoot(f"export-{form}", dialog)
        dialog.hide()

    async def palette(self) -> None:
        palette = self.window_app.palette
        palette.come_up()
        await self.shoot("palette")
        palette.field.setText("read")
        await self.shoot("palette-results")
        palette.field.setText("@sync")
        await self.shoot("palette-conversations")
        palette.field.setText("zzqx")
        await self.shoot("palette-nothing")
        palette.leave()


def _photograph(widget: QWidget) -> QPixmap:
    """With the popups that stand over it: each of them is a window of its own."""
    taken = widget.grab()
    corner = widget.mapToGlobal(QPoint(0, 0))
    painter = QPainter(taken)
    for other in QApplication.topLevelWidgets():
        if (
            other.isVisible()
            and other is not widget.window()
            and other.windowType() in (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
        ):
            painter.drawPixmap(other.mapToGlobal(QPoint(0, 0)) - corner, other.grab())
    painter.end()
    return taken


def _replies(hold: threading.Event) -> tuple[Reply, ...]:
    words = {"content": "I run the tests first; then I look at what they left behind."}
    note = "so that nothing is left behind, " * 3
    pieces = ('{"command": "pytest -x tests/test_sync.py', ' | tail -50", "timeout":', ' "sixty", "cwd": "/srv/box"')
    calls = (
        *call_deltas(0, "call_1", "run_command", *pieces, f', "note": "{note}"}}'),
        *call_deltas(1, "call_2", "read_file", '{"path": ', '"notes.txt"}'),
    )
    return (
        Reply(chat_stream(words, *calls, finish="tool_calls"), hold=hold),
        Reply(chat_stream({"content": "All is well."})),
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--scale", default="1")
    asked.add_argument("--only", default="")
    asked.add_argument("--dark", action="store_true")
    given = asked.parse_args()
    os.environ["QT_SCALE_FACTOR"] = given.scale
    given.folder.mkdir(parents=True, exist_ok=True)
    app = make_application(["callgate"])
    gc.disable()  # collected on another thread, Qt objects would be destroyed there
    hold = threading.Event()
    modes: tuple[Mode, ...] = ("dark",) if given.dark else ("dark", "light")
    with (
        tempfile.TemporaryDirectory() as home,
        provider(*_replies(hold)) as up,
        provider(*wire_chapters.REPLIES) as gemini,
    ):
        config = (
            f'[[upstreams]]\nname = "OpenAI"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["gpt-a"]\n'
        )
        config += wire_chapters.upstream(gemini.address) + wire_chapters.SOURCE
        program = Program(app, Path(home), config)
        program.begin()
        program.window_app.window._theme.apply(app)
        album = Album(program, given.folder, modes, hold)
        task = program.loop.create_task(
            asyncio.wait_for(album.run(set(filter(None, given.only.split(",")))), LONG_WAIT_S)
        )
        task.add_done_callback(lambda _: program.loop.stop())
        program.loop.run_forever()
        task.result()
        program.stop()
    sys.stdout.write(f"{len(album.saved)} pictures in {given.folder}\n")


if __name__ == "__main__":
    main()
