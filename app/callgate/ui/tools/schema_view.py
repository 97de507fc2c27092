"""The parameters of a tool as a list that can be read and selected. Shows rows; reads no schema itself."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from callgate.ui.pane import as_pane
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import XS, L, S, Theme
from callgate.ui.tools.schema_rows import SchemaRow


class SchemaView(QScrollArea):
    def __init__(self, theme: Theme, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._empty = empty
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, rows: tuple[SchemaRow, ...]) -> None:
        page = QWidget()
        as_pane(page)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, S, S, S)
        column.setSpacing(S)
        for row in rows:
            column.addWidget(self._row(row))
        if not rows:
            column.addWidget(plain_label(self._empty, "hint", wrap=True))
        column.addStretch(1)
        self.setWidget(page)

    def _row(self, row: SchemaRow) -> QWidget:
        box = QWidget()
        box.setAccessibleName(f"{row.name}, {row.type}, {'required' if row.required else 'optional'}")
        column = QVBoxLayout(box)
        column.setContentsMargins(L * row.depth, 0, 0, 0)
        column.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(S)
        name = plain_label(reveal(row.name), selectable=True)
        name.setFont(self._theme.mono(12))
        head.addWidget(name)
        head.addWidget(plain_label(row.type, "hint"))
        head.addStretch(1)
        if row.required:
            head.addWidget(plain_label("required", "small"))
        column.addLayout(head)
        if row.description:
            column.addWidget(plain_label(reveal(row.description), "secondary", selectable=True, wrap=True))
        if row.notes:
            notes = plain_label(reveal(" · ".join(row.notes)), "hint", selectable=True, wrap=True)
            notes.setContentsMargins(0, 0, 0, XS)
            column.addWidget(notes)
        return box
