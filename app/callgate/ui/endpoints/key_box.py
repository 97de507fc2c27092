"""Where a key is entered for an endpoint that takes its key from the keyring. Shows no key, ever."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from callgate.core.config.endpoint_draft import key_problem
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, S


class KeyBox(QWidget):
    entered = Signal(str)
    forget_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setObjectName("endpointKey")
        self.field.setAccessibleName("Key")
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep = QPushButton("Keep key")
        self.keep.setObjectName("endpointKeepKey")
        self.keep.setAutoDefault(False)
        self.forget = QPushButton("Forget")
        self.forget.setObjectName("endpointForgetKey")
        self.forget.setToolTip("Takes the key out of the keyring")
        self.forget.setAutoDefault(False)
        self.trouble = plain_label("", "danger", wrap=True)
        self.trouble.setObjectName("endpointKeyTrouble")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.field, 1)
        row.addWidget(self.keep)
        row.addWidget(self.forget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(row)
        column.addWidget(self.trouble)
        self.field.textChanged.connect(self._judge)
        self.field.returnPressed.connect(self._enter)
        self.keep.clicked.connect(self._enter)
        self.forget.clicked.connect(self.forget_requested)
        self._judge()

    def show_for(self, *, has_key: bool) -> None:
        self.field.setPlaceholderText("Enter another key" if has_key else "Enter the key; it goes into the keyring")
        self.forget.setVisible(has_key)

    def clear(self) -> None:
        self.field.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def _judge(self) -> None:
        text = self.field.text()
        trouble = key_problem(text)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self.keep.setEnabled(bool(text.strip()) and not trouble)

    def _enter(self) -> None:
        if self.keep.isEnabled():
            key = self.field.text().strip()
            self.clear()
            self.entered.emit(key)
