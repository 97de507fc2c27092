"""The keys of the verbs, and how they are written on buttons. Each needs a modifier: nothing is decided by typing."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

Keys = tuple[str, ...]

CONFIRM: Final[Keys] = ("Ctrl+Return", "Ctrl+Enter")
REFUSE: Final[Keys] = ("Ctrl+Backspace",)
EDIT: Final[Keys] = ("Ctrl+E",)
NEXT: Final[Keys] = ("Ctrl+J",)
PREVIOUS: Final[Keys] = ("Ctrl+Shift+J",)
PREVIOUS_IN_DIALOG: Final[Keys] = ("Ctrl+K", *PREVIOUS)
"""In the main window Ctrl+K is the command palette, as in many programs; the dialog has none."""
OLDEST: Final[Keys] = ("F8",)
DENY: Final[Keys] = ("Return",)
"""In a denial: no chord that approves anywhere."""


def shortcut(window: QWidget, keys: Keys, run: Callable[[], None]) -> QShortcut:
    """Works anywhere in a window; a key that is held down counts once."""
    made = QShortcut(window)
    made.setKeys([QKeySequence(key) for key in keys])
    made.setContext(Qt.ShortcutContext.WindowShortcut)
    made.setAutoRepeat(False)
    made.activated.connect(run)
    return made


def shown_keys(keys: str) -> str:
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "⏎").replace("Backspace", "⌫")
