"""The desktop's own tray; the offscreen platform has none, so nothing may be shown and nothing may fail."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from callgate.ui.theme import Theme
from callgate.ui.tray_badge import tray_icon
from callgate.ui.tray_port import SystemTray


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
