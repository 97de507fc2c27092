"""What a desktop offers of a global shortcut, whichever desktop it is. It brings a call up, and never decides one."""

from typing import Final, Literal, Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance

DESCRIPTION: Final = "Show the oldest waiting tool call"

ShortcutState = Literal["off", "asking", "on", "declined", "unavailable"]
"""`asking`: the desktop has not answered yet, or asks the person. `declined`: the person said no to the desktop."""


class Shortcut(Protocol):
    state: ShortcutState
    keys: str
    """How the desktop calls the keys; empty = unknown."""

    @property
    def pressed(self) -> SignalInstance: ...

    @property
    def changed(self) -> SignalInstance: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...


class NoShortcut(QObject):
    """A desktop that has none."""

    pressed = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state: ShortcutState = "unavailable"
        self.keys = ""

    def start(self) -> None:
        """It stays unavailable."""

    def stop(self) -> None:
        """It stays unavailable."""
