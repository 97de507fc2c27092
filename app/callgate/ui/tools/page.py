"""A page of the details: sections under headings, scrolled up and down. Knows no tool."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QScrollArea, QVBoxLayout, QWidget

from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, S, Theme


class ScrolledPage(QScrollArea):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        page = QWidget()
        as_pane(page)
        self.column = QVBoxLayout(page)
        self.column.setContentsMargins(0, S, S, S)
        self.column.setSpacing(S)
        self.column.addStretch(1)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)

    def add(self, part: QWidget | QLayout) -> None:
        """At the end, above the room that is left."""
        if isinstance(part, QWidget):
            self.column.insertWidget(self.column.count() - 1, part)
        else:
            self.column.insertLayout(self.column.count() - 1, part)


class Section(QWidget):
    """A heading and lines under it; hidden while it has none."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = plain_label(title, "strong")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, XS, 0, 0)
        self.column.setSpacing(XS)
        self.column.addWidget(self._title)

    def set_title(self, title: str) -> None:
        self._title.setText(title)

    def clear(self) -> None:
        while (item := self.column.takeAt(1)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def add(self, widget: QWidget) -> None:
        self.column.addWidget(widget)

    def say(self, text: str, tone: str = "secondary", icon: str = "", color: str = "text2", below: str = "") -> None:
        """A line with a sign before it, and what follows from it under it."""
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        if icon:
            sign = QLabel()
            sign.setPixmap(self._theme.icon(icon, color).pixmap(self._theme.icon_size))
            row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(plain_label(text, tone, selectable=True, wrap=True))
        if below:
            words.addWidget(plain_label(below, "hint", selectable=True, wrap=True))
        row.addLayout(words, 1)
        self.column.addWidget(line)
