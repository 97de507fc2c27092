"""What a pane shows instead of nothing: why it is empty and what to do about it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XL, S, Theme

_ICON_SIZE = 28


class EmptyState(QWidget):
    def __init__(
        self,
        theme: Theme,
        icon: str,
        title: str,
        hint: str = "",
        action: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = icon
        self._icon = QLabel()
        self._title = _centred(plain_label(title, "strong", wrap=True))
        self._hint = _centred(plain_label(hint, "secondary", wrap=True))
        if not hint:  # never shown here: what has no parent yet would flash up as a window
            self._hint.hide()
        self.button = QPushButton(action)
        """What helps; hidden where nothing does."""
        if not action:
            self.button.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(S)
        column.addStretch(1)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._title)
        column.addWidget(self._hint)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        theme.changed.connect(self._draw)
        self._draw()

    def set_texts(self, title: str, hint: str) -> None:
        self._title.setText(title)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon(self._icon_name, "text3").pixmap(_ICON_SIZE, _ICON_SIZE))


def _centred(label: QLabel) -> QLabel:
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return label
