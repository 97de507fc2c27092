"""What is on the screen, who is told, and windows whose owner is put away."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import NOON, FakeConsole, completed, waiting

from callgate.ui.decision.on_screen import Ownership, SeenReport, is_on_screen

MINIMISED = Qt.WindowState.WindowMinimized


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[QLabel]:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("a call", window)
    QVBoxLayout(window).addWidget(label)
    window.resize(300, 200)
    yield label
    window.close()


def _told(qtbot: QtBot, console: FakeConsole) -> list[str]:
    """What is told within a few looks."""
    qtbot.waitUntil(lambda: bool(console.seen_ids), timeout=5000)
    return console.seen_ids


def test_only_what_is_shown_exposed_and_not_minimised_is_on_the_screen(qtbot: QtBot, view: QLabel) -> None:
    assert not is_on_screen(view)
    view.window().show()
    qtbot.waitUntil(lambda: is_on_screen(view))
    view.window().showMinimized()
    assert not is_on_screen(view)
    view.window().showNormal()
    qtbot.waitUntil(lambda: is_on_screen(view))
    view.window().hide()
    assert not is_on_screen(view)


def test_what_is_scrolled_away_is_not_on_the_screen(qtbot: QtBot) -> None:
    area, inside = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    inside.resize(200, 3000)
    view = QLabel("a call", inside)
    view.setGeometry(0, 2500, 200, 100)
    area.setWidget(inside)
    area.resize(220, 200)
    area.show()
    qtbot.waitUntil(lambda: is_on_screen(inside))
    assert not is_on_screen(view)
    area.ensureVisible(0, 2550)
    qtbot.waitUntil(lambda: is_on_screen(view))


def test_a_call_is_reported_once_it_is_on_the_screen(qtbot: QtBot, console: FakeConsole, view: QLabel) -> None:
    report = SeenReport(view, console)
    report.show_invocation(waiting(id="a"))
    assert not report._timer.isActive(), "nothing is looked for while nothing is shown"
    view.window().show()
    assert _told(qtbot, console) == ["a"]
    report.show_invocation(replace(waiting(id="a"), seen_at=NOON))
    assert not report._timer.isActive() and console.seen_ids == ["a"]


@pytest.mark.parametrize("put_away", [QWidget.showMinimized, QWidget.hide])
def test_a_call_in_a_window_that_is_put_away_is_not_reported(
    qtbot: QtBot, console: FakeConsole, view: QLabel, put_away: Callable[[QWidget], None]
) -> None:
    view.window().show()
    put_away(view.window())
    report = SeenReport(view, console)
    report.show_invocation(waiting(id="a"))
    report._look()
    assert console.seen_ids == []
    view.window().showNormal()
    assert _told(qtbot, console) == ["a"]


def test_what_does_not_wait_is_not_reported(qtbot: QtBot, console: FakeConsole, view: QLabel) -> None:
    view.window().show()
    report = SeenReport(view, console)
    report.show_invocation(completed())
    assert not report._timer.isActive()
    report.show_invocation(None)
    assert not report._timer.isActive()


# ---- who belongs to whom -------------------------------------------------------------------------------------------


@pytest.fixture
def owned(qtbot: QtBot) -> tuple[QWidget, QDialog, Ownership]:
    owner = QWidget()
    qtbot.addWidget(owner)
    dialog = QDialog(owner)
    ownership = Ownership(dialog)
    ownership.choose()
    return owner, dialog, ownership


def _above(dialog: QDialog, owner: QWidget) -> bool:
    handle = dialog.windowHandle()
    return handle is not None and handle.transientParent() is owner.windowHandle()


def test_a_dialog_belongs_to_its_window_only_while_that_is_on_the_screen(
    qtbot: QtBot, owned: tuple[QWidget, QDialog, Ownership]
) -> None:
    owner, dialog, _ = owned
    owner.show()
    dialog.show()
    qtbot.waitUntil(lambda: _above(dialog, owner))
    for put_away in (owner.showMinimized, owner.hide):
        put_away()
        qtbot.waitUntil(lambda: dialog.windowHandle().transientParent() is None)
        assert dialog.isVisible() and not dialog.isMinimized()
        assert dialog.windowHandle().type() == Qt.WindowType.Window, "a dialog would be minimised with its program"
        owner.showNormal()
        qtbot.waitUntil(lambda: _above(dialog, owner))
        assert dialog.windowHandle().type() == Qt.WindowType.Dialog


def test_a_dialog_that_is_hidden_stays_hidden(qtbot: QtBot, owned: tuple[QWidget, QDialog, Ownership]) -> None:
    owner, dialog, ownership = owned
    owner.show()
    owner.showMinimized()
    qtbot.waitUntil(lambda: not ownership._settle.isActive())
    assert not dialog.isVisible()


def test_one_that_was_minimised_comes_back(qtbot: QtBot, owned: tuple[QWidget, QDialog, Ownership]) -> None:
    owner, dialog, ownership = owned
    owner.show()
    dialog.show()
    dialog.setWindowState(MINIMISED)
    assert not is_on_screen(dialog)
    ownership.come_back()
    qtbot.waitUntil(lambda: is_on_screen(dialog))
