"""A desktop's tray that only remembers what it was told."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu


class FakeTray(QObject):
    """Implements `ui.tray_port.TrayPort`."""

    clicked = Signal()
    message_clicked = Signal()

    def __init__(self, available: bool = True) -> None:
        super().__init__()
        self.available = available
        self.icon = QIcon()
        self.tip = ""
        self.count = 0
        self.menu: QMenu | None = None
        self.messages: list[tuple[str, str]] = []
        self.hidden = False

    def is_available(self) -> bool:
        return self.available

    def show(self, icon: QIcon, tip: str, count: int) -> None:
        self.icon, self.tip, self.count = icon, tip, count

    def set_menu(self, menu: QMenu) -> None:
        self.menu = menu

    def notify(self, title: str, text: str) -> None:
        self.messages.append((title, text))

    def hide(self) -> None:
        self.hidden = True
