"""The desktop's tray as the program needs it, and the real one. Knows Qt's tray icon, nothing of calls.

Where there is no tray, as on GNOME, notifications go to the desktop itself.
"""

from typing import Final, Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QIcon, Qt
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from callgate.ui.desktop.notices import Notices

_SHOWN_MS: Final = 8000
"""A wish: most desktops have a time of their own."""
_NO_MARKUP: Final = str.maketrans({"<": "‹", ">": "›", "&": "＆"})
"""Many desktops read the text of a notification as markup, with links and pictures; agents choose their own names."""


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
    """The desktop's own tray."""

    _opened = Signal()
    _message_opened = Signal()

    def __init__(self, parent: QObject | None = None, notices: Notices | None = None) -> None:
        """`notices`: for notifications where there is no tray."""
        super().__init__(parent)
        self._notices = notices
        if notices is not None:
            notices.clicked.connect(self._message_opened)
        self._icon = QSystemTrayIcon(self)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(self._message_opened)

    @property
    def clicked(self) -> SignalInstance:
        return self._opened

    @property
    def message_clicked(self) -> SignalInstance:
        return self._message_opened

    def is_available(self) -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show(self, icon: QIcon, tip: str, count: int) -> None:
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.setBadgeNumber(count)
        if self._notices is not None and not count:
            self._notices.close()
        if not self.is_available():
            return
        self._icon.setIcon(icon)
        self._icon.setToolTip(tip if not Qt.mightBeRichText(tip) else Qt.convertFromPlainText(tip))
        self._icon.show()

    def set_menu(self, menu: QMenu) -> None:
        self._icon.setContextMenu(menu)

    def notify(self, title: str, text: str) -> None:
        text = text.translate(_NO_MARKUP)
        if self.is_available() and QSystemTrayIcon.supportsMessages():
            self._icon.showMessage(title, text, self._icon.icon(), _SHOWN_MS)
        elif self._notices is not None:
            self._notices.show(title, text)

    def hide(self) -> None:
        self._icon.hide()
        if self._notices is not None:
            self._notices.close()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self._opened.emit()
