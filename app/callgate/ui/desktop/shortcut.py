"""What a desktop offers of a global shortcut, whichever desktop it is. It brings a call up, and never decides one."""

from typing import Final, Literal

from PySide6.QtCore import QObject, Signal

DESCRIPTION: Final = "Show the oldest waiting tool call"

ShortcutState = Literal["off", "asking", "on", "declined", "unavailable"]
"""`asking`: the desktop has not answered yet, or asks the person. `declined`: the person said no to the desktop."""


class Shortcut(QObject):
    """The shortcut of a desktop that has none; others override `start` and `stop`."""

    pressed = Signal()
    changed = Signal()
    """Its state or keys are others now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state: ShortcutState = "unavailable"
        self.keys = ""
        """How the desktop calls the keys; empty = unknown."""

    def start(self) -> None:
        """It stays unavailable."""

    def stop(self) -> None:
        """It stays unavailable."""
