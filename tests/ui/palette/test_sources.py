"""The palette knows what the menus and the panels can do now, and conversations by the names that people gave them."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.conversation import ConversationSummary
from callgate.core.marks import Marks
from callgate.ui.palette.sources import conversation_entries, menu_entries
from callgate.ui.shell.palette_entry import PaletteEntry


def test_menus_and_offers_are_found_and_what_cannot_be_done_is_not(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    panel = QWidget()
    window.setCentralWidget(panel)
    program, go = window.menuBar().addMenu("&Callgate"), window.menuBar().addMenu("&Go")
    program.addAction(QAction("&Quit", window))
    off = QAction("Nowhere", window)
    off.setEnabled(False)
    go.addActions([QAction("Tools", window), off])
    ran: list[str] = []
    PaletteEntry(panel, "Conversation", "Stop the answer", lambda: ran.append("stop"), keys="Ctrl+.")
    PaletteEntry(panel, "Conversation", "Copy it", lambda: None, when=lambda: False)
    PaletteEntry(panel, "Conversations", "Group", lambda: None, kind="setting", words=lambda: "Group by agent")
    entries = {entry.title: entry for entry in menu_entries(window.menuBar())}
    assert list(entries) == ["Tools", "Quit", "Stop the answer", "Group by agent"]
    assert entries["Stop the answer"].keys == "Ctrl+." and entries["Group by agent"].kind == "setting"
    entries["Stop the answer"].run()
    assert ran == ["stop"]


def test_a_conversation_is_known_by_the_name_it_was_given(loop: BoundLoop) -> None:
    named = ConversationSummary("c", "codex", "Fix it", marks=Marks(name="The flaky test"), updated_at=1.0)
    console = FakeConsole(summaries={"c": named})
    [entry] = loop.run(conversation_entries(console, lambda _: None))
    assert entry.title == "The flaky test"
