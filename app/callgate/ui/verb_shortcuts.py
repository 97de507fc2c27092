"""The verbs by key, for one call: where they work, and where a key belongs to whoever is writing.

A key that decides is taken only from a hand that looks at the call: not while its window is just coming to the front,
and not out of a text that has nothing to do with it. Knows keys and the focus; what they do is given.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from callgate.ui.deliberate import Deliberation
from callgate.ui.verb_keys import CONFIRM, EDIT, REFUSE, shortcut


class VerbShortcuts(QObject):
    def __init__(
        self,
        bar: QWidget,
        scope: QWidget,
        deliberation: Deliberation,
        *,
        confirm: Callable[[], None],
        refuse: Callable[[], None],
        edit: Callable[[], None],
    ) -> None:
        """`scope`: the widget within which they work while it has the focus; `bar`: its texts are about the call."""
        # a child of the scope, and before the shortcuts: it must not outlive them, and Qt deletes in this order
        super().__init__(scope)
        self._bar: QWidget | None = bar
        self._deliberation = deliberation
        self._confirms = self._chooses = False
        self._confirm = shortcut(scope, CONFIRM, lambda: self._run(confirm))
        self._verbs = (
            shortcut(scope, REFUSE, lambda: self._run(refuse)),
            shortcut(scope, EDIT, lambda: self._run(edit)),
        )
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_moved)
        bar.destroyed.connect(self._end)

    def offer(self, *, confirm: bool, choose: bool) -> None:
        """`confirm`: what is open can be finished; `choose`: another verb can be begun."""
        self._confirms, self._chooses = confirm, choose
        self._enable(QApplication.focusWidget())

    def _focus_moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        self._enable(now)

    def _enable(self, focused: QWidget | None) -> None:
        """In a text Ctrl+Backspace deletes a word; and a filter of other calls must not decide this one."""
        if self._bar is None:
            return
        writes = _is_written_in(focused)
        elsewhere = writes and focused is not None and not self._bar.isAncestorOf(focused)
        self._confirm.setEnabled(self._confirms and not elsewhere)
        for keys in self._verbs:
            keys.setEnabled(self._chooses and not writes)

    def _end(self) -> None:
        """The bar is gone and the scope is not: its keys mean nothing there any more."""
        self._bar = None
        for keys in (self._confirm, *self._verbs):
            keys.setEnabled(False)
            keys.deleteLater()
        self.deleteLater()

    def _run(self, verb: Callable[[], None]) -> None:
        if self._deliberation.accepts_shortcut():
            verb()


def _is_written_in(widget: QWidget | None) -> bool:
    return isinstance(widget, QLineEdit | QPlainTextEdit) and not widget.isReadOnly()
