"""A panel offers what can be done now; keys work in the whole window, and what cannot be done is not done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.shell.palette_entry import PaletteEntry


def test_an_offer_runs_only_while_it_is_there(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    ran: list[str] = []
    there = False
    offer = PaletteEntry(window, "Place", "Do it", lambda: ran.append("done"), keys="Ctrl+J", when=lambda: there)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=1000)
    qtbot.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert ran == [] and not offer.is_there
    there = True
    qtbot.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert ran == ["done"] and offer.hint == "Ctrl+J"


def test_an_offer_is_called_by_what_it_would_do(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    pinned = False
    offer = PaletteEntry(window, "List", "Pin", lambda: None, hint="P", words=lambda: "Unpin" if pinned else "Pin")
    assert offer.title == "Pin"
    pinned = True
    assert offer.title == "Unpin" and offer.text() == "Pin", "by its text it is remembered"
