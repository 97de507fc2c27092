"""The parameters of a tool as a list that can be read and selected. Shows rows; reads no schema itself."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import L, S, Theme
from callgate.ui.tools.schema_rows import SchemaRow


class SchemaView(QWidget):
    def __init__(self, theme: Theme, empty: str, parent: QWidget | None = None) -> None:
        """`empty` is said where there are no rows."""
        super().__init__(parent)
        self._theme = theme
        self._empty = empty
        self._page: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_rows(self, rows: tuple[SchemaRow, ...]) -> None:
        if self._page is not None:
            self._column.removeWidget(self._page)
            self._page.hide()
            self._page.deleteLater()
        self._page = QWidget()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        for row in rows:
            column.addWidget(self._row(row))
        if not rows:
            column.addWidget(plain_label(self._empty, "hint", wrap=True))
        self._column.addWidget(self._page)

    def _row(self, row: SchemaRow) -> QWidget:
        box = QWidget()
        box.setAccessibleName(f"{row.name}, {row.type}, {'required' if row.required else 'optional'}")
        column = QVBoxLayout(box)
        column.setContentsMargins(L * row.depth, 0, 0, 0)
        column.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(S)
        name = plain_label(reveal(row.name), selectable=True)
        name.setFont(self._theme.mono())
        head.addWidget(name)
        head.addWidget(plain_label(row.type, "hint"))
        head.addStretch(1)
        if row.required:
            head.addWidget(plain_label("required", "small"))
        column.addLayout(head)
        if row.description:
            column.addWidget(plain_label(reveal(row.description), "secondary", selectable=True, wrap=True))
        if row.notes:
            column.addWidget(plain_label(reveal(" · ".join(row.notes)), "hint", selectable=True, wrap=True))
        return box
