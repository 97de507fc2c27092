"""The desktop's own tray; the offscreen platform has none, so nothing of it may be shown and nothing may fail."""

from typing import cast

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from callgate.ui.desktop.notices import Notices
from callgate.ui.shell.tray_badge import tray_icon
from callgate.ui.shell.tray_port import SystemTray
from callgate.ui.theme.theme import Theme


def test_without_a_tray_it_does_nothing_and_says_so(qtbot: QtBot, theme: Theme) -> None:
    owner, menu = QObject(), QMenu()
    qtbot.addWidget(menu)
    tray = SystemTray(owner)
    assert not tray.is_available()
    tray.set_menu(menu)
    tray.show(tray_icon(theme, 2), "2 waiting", 2)
    tray.notify("title", "text")
    assert not tray._icon.isVisible()
    tray.hide()


def test_a_click_is_told_and_opening_the_menu_is_not(qtbot: QtBot) -> None:
    owner = QObject()
    tray = SystemTray(owner)
    clicks: list[int] = []
    tray.clicked.connect(lambda: clicks.append(1))
    tray._icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    tray._icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)
    assert clicks == [1]


def test_a_tip_is_never_read_as_markup(qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemTray, "is_available", lambda self: True)
    owner = QObject()
    tray = SystemTray(owner)
    monkeypatch.setattr(tray._icon, "show", lambda: None)  # Qt complains of a platform without one
    tray.show(tray_icon(theme, 0), "Callgate: <b>nothing</b> waits", 0)
    assert "&lt;b&gt;" in tray._icon.toolTip()
    tray.hide()


def test_without_a_tray_the_desktop_itself_notifies_and_no_name_is_markup(qtbot: QtBot, theme: Theme) -> None:
    owner, notices = QObject(), FakeNotices()
    tray = SystemTray(owner, cast("Notices", notices))
    tray.notify("Tool call needs approval", '<img src="x"> & co wants to run read_file')
    assert notices.shown == [("Tool call needs approval", '‹img src="x"› ＆ co wants to run read_file')]
    clicks: list[int] = []
    tray.message_clicked.connect(lambda: clicks.append(1))
    notices.clicked.emit()
    assert clicks == [1]
    tray.show(tray_icon(theme, 1), "1 waiting", 1)
    assert not notices.closed
    tray.show(tray_icon(theme, 0), "nothing waiting", 0)
    assert notices.closed, "what is decided is not asked for any more"


class FakeNotices(QObject):
    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[str, str]] = []
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def show(self, title: str, text: str) -> None:
        self.shown.append((title, text))
