"""The desktop's tray as the program needs it, and the real one. Knows Qt's tray icon, nothing of calls."""

from typing import Final, Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QIcon, Qt
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

_SHOWN_MS: Final = 8000
"""A wish: most desktops have a time of their own."""


class TrayPort(Protocol):
    @property
    def clicked(self) -> SignalInstance:
        """The icon was clicked."""
        ...

    @property
    def message_clicked(self) -> SignalInstance:
        """The notification on show was clicked."""
        ...

    def is_available(self) -> bool:
        """Whether there is a tray now; desktops may start theirs late."""
        ...

    def show(self, icon: QIcon, tip: str, count: int) -> None:
        """How it looks; `count`: for desktops that have a badge of their own."""
        ...

    def set_menu(self, menu: QMenu) -> None: ...

    def notify(self, title: str, text: str) -> None: ...

    def hide(self) -> None: ...


class SystemTray(QObject):
    """The desktop's own tray; where it has none, nothing is shown."""

    _opened = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon = QSystemTrayIcon(self)
        self._icon.activated.connect(self._activated)

    @property
    def clicked(self) -> SignalInstance:
        return self._opened

    @property
    def message_clicked(self) -> SignalInstance:
        return self._icon.messageClicked

    def is_available(self) -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show(self, icon: QIcon, tip: str, count: int) -> None:
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.setBadgeNumber(count)
        if not self.is_available():
            return
        self._icon.setIcon(icon)
        self._icon.setToolTip(tip if not Qt.mightBeRichText(tip) else Qt.convertFromPlainText(tip))
        self._icon.show()

    def set_menu(self, menu: QMenu) -> None:
        self._icon.setContextMenu(menu)

    def notify(self, title: str, text: str) -> None:
        if self.is_available() and QSystemTrayIcon.supportsMessages():
            self._icon.showMessage(title, text, self._icon.icon(), _SHOWN_MS)

    def hide(self) -> None:
        self._icon.hide()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self._opened.emit()
