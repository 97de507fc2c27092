"""Above the queue: which calls are wanted, in which order. Decides nothing; what is filtered out waits on."""

from typing import Final, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from callgate.core.rules.expression import Expression
from callgate.core.rules.match import ExpressionError, parse
from callgate.ui.approvals.arrangement import Order
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_ORDERS: Final[tuple[tuple[str, Order], ...]] = (
    ("Oldest first", "age"),
    ("By conversation", "conversation"),
    ("Group identical", "identical"),
)


class QueueFilter(QWidget):
    changed = Signal()
    left = Signal()
    """Esc on an empty filter, or Down: back to the list."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted: Expression | None = None
        self._problem = ""
        self.field = _Field()
        self.field.setObjectName("queueFilter")
        self.field.setAccessibleName("Filter waiting calls")
        self.field.setPlaceholderText("Filter: words, tool:run_*, agent:claude-code …")
        self.field.setClearButtonEnabled(True)
        self.orders = ChoiceBox(theme, "Order of waiting calls", _ORDERS)
        self.orders.setObjectName("queueOrder")
        self._note = plain_label("", "hint", wrap=True)
        self._note.setObjectName("queueNote")
        self._note.hide()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self.field, 1)
        row.addWidget(self.orders)
        column = QVBoxLayout(self)
        column.setContentsMargins(S, 0, S, 0)
        column.setSpacing(XS)
        column.addLayout(row)
        column.addWidget(self._note)
        self.field.textChanged.connect(lambda _: self._read())
        self.field.left.connect(self.left)
        self.orders.currentIndexChanged.connect(lambda _: self.changed.emit())

    @property
    def order(self) -> Order:
        return cast("Order", self.orders.currentData())

    @property
    def wanted(self) -> Expression | None:
        """None = all calls."""
        return self._wanted

    def begin(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def tell(self, shown: int, waiting: int) -> None:
        """How much of the queue is on show; it must not look shorter than it is."""
        hidden = self._wanted is not None and not self._problem
        words = self._problem or (f"{shown} of {waiting} calls fit the filter" if hidden else "")
        self._note.setText(reveal(words))
        self._note.setVisible(bool(words))
        set_tone(self._note, "danger" if self._problem else "hint")

    def _read(self) -> None:
        text = self.field.text().strip()
        self._problem = ""
        try:
            self._wanted = parse(text) if text else None
        except ExpressionError as bad:
            self._wanted, self._problem = None, bad.message
        self.changed.emit()


class _Field(QLineEdit):
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()
