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


def shortcut(scope: QWidget, keys: Keys, run: Callable[[], None]) -> QShortcut:
    """Works while `scope` or something in it has the focus; a key that is held down counts once."""
    made = QShortcut(scope)
    made.setKeys([QKeySequence(key) for key in keys])
    made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    made.setAutoRepeat(False)
    made.activated.connect(run)
    return made


def shown_keys(keys: str) -> str:
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "⏎").replace("Backspace", "⌫")
