"""The chords that decide, in every window of the program: they go to the call with the ring, wherever the focus is.

| focus | Ctrl+Enter | Ctrl+Backspace | Ctrl+E |
|---|---|---|---|
| read-only text, list, button, nothing | the call | the call | the call |
| one-line field elsewhere (a filter) | the call | the field: deletes a word | the field |
| text of several lines elsewhere (message, Try it) | that text: sends, runs | that text | that text |
| field of the call itself | sends edit or answer; nothing in a denial | a word; in an empty reason: denies | - |
| anything inside a part that has the same chord | that part | that part | that part |

Ctrl+J and Ctrl+Shift+J walk through the waiting calls, F8 goes to the oldest. In the dialog Ctrl+K walks back too; in
the main window it opens the command palette, also while calls wait: a key that changes its meaning with what an agent
does would be pressed by mistake.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.verb_keys import CONFIRM, EDIT, NEXT, OLDEST, PREVIOUS, PREVIOUS_IN_DIALOG, REFUSE, shortcut


@dataclass(frozen=True, slots=True)
class _Set:
    """The shortcuts of one window."""

    confirm: QShortcut
    verbs: tuple[QShortcut, QShortcut]

    @property
    def all(self) -> tuple[QShortcut, ...]:
        return (self.confirm, *self.verbs)


class DecisionChords(QObject):
    def __init__(
        self,
        live: Callable[[], DecisionBar | None],
        walk: Callable[[int], None],
        oldest: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        """`live`: the bar of the call that has the ring, if there is one."""
        super().__init__(parent)
        self._live, self._walk, self._oldest = live, walk, oldest
        self._sets: dict[QWidget, _Set] = {}
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_moved)

    def add_window(self, window: QWidget, *, has_palette: bool = False) -> None:
        made = _Set(
            shortcut(window, CONFIRM, lambda: self._run(DecisionBar.confirm)),
            (
                shortcut(window, REFUSE, lambda: self._run(DecisionBar.refuse)),
                shortcut(window, EDIT, lambda: self._run(_edit)),
            ),
        )
        self._sets[window] = made
        shortcut(window, NEXT, lambda: self._walk(1))
        shortcut(window, PREVIOUS if has_palette else PREVIOUS_IN_DIALOG, lambda: self._walk(-1))
        shortcut(window, OLDEST, self._oldest)
        window.destroyed.connect(lambda: self._sets.pop(window, None))
        self._enable(made, QApplication.focusWidget())

    def _focus_moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        for made in self._sets.values():
            self._enable(made, now)

    def _enable(self, made: _Set, focused: QWidget | None) -> None:
        bar = self._live()
        inside = bar is not None and focused is not None and bar.isAncestorOf(focused)
        several, one = _is_written_in(focused, QPlainTextEdit | QTextEdit), _is_written_in(focused, QLineEdit)
        made.confirm.setEnabled((inside or not several) and not _claims(focused, CONFIRM, made.all))
        for keys, chord in zip((REFUSE, EDIT), made.verbs, strict=True):
            chord.setEnabled(not several and not one and not _claims(focused, keys, made.all))

    def _run(self, verb: Callable[[DecisionBar], None]) -> None:
        bar = self._live()
        if bar is not None:
            verb(bar)


def _edit(bar: DecisionBar) -> None:
    """What is typed next belongs in the editor, which may stand in another window."""
    bar.edit()
    if bar.mode == "edit":
        bar.window().activateWindow()


def _is_written_in(widget: QWidget | None, kinds: object) -> bool:
    return isinstance(widget, kinds) and not widget.isReadOnly()  # type: ignore[arg-type, union-attr]


def _claims(focused: QWidget | None, keys: tuple[str, ...], own: tuple[QShortcut, ...]) -> bool:
    """Whether the focus is in a part of the window that has given the chord a meaning of its own."""
    wanted = [QKeySequence(key) for key in keys]
    while focused is not None:
        for child in focused.children():
            if (
                isinstance(child, QShortcut)
                and child not in own
                and any(key in wanted for key in QShortcut.keys(child))
            ):
                return True
        if focused.isWindow():
            return False
        focused = focused.parentWidget()
    return False
