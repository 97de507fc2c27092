"""A titled box for a plot, and a box for one number."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from callgate.ui.plain_text import plain_label, set_plain_tip
from callgate.ui.theme import XS, M, S


class Card(QFrame):
    def __init__(self, title: str, plot: QWidget, about: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self.plot = plot
        self.note = plain_label(tone="hint")
        heading = plain_label(title, "strong")
        if about:
            set_plain_tip(heading, about)
        head = QHBoxLayout()
        head.setSpacing(S)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(heading)
        head.addWidget(self.note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, M)
        column.setSpacing(S)
        column.addLayout(head)
        grows = plot.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Expanding
        column.addWidget(plot, 1 if grows else 0)
        if not grows:
            column.addStretch(1)


class Tile(QFrame):
    def __init__(self, title: str, about: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self._title = title
        self.figure = plain_label("–", "heading")
        self.note = plain_label("", "hint")
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(XS // 2)
        column.addWidget(plain_label(title, "hint"))
        column.addWidget(self.figure)
        column.addWidget(self.note)
        # long words must not make the page wider than the window
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if about:
            set_plain_tip(self, about)

    def show_figure(self, figure: str, note: str = "") -> None:
        self.figure.setText(figure)
        self.note.setText(note)
        self.setAccessibleName(f"{self._title}: {figure} {note}".strip())
