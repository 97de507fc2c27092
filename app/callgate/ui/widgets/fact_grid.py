"""Names and values under one another; those without a value are not there. Shows what it is given."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, L, Theme


class FactGrid(QWidget):
    def __init__(
        self, theme: Theme, names: Sequence[str], mono: frozenset[str] = frozenset(), parent: QWidget | None = None
    ) -> None:
        """`names`: all that there can be, in their order; `mono`: those whose values are code."""
        super().__init__(parent)
        self._theme, self._mono = theme, mono
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(L)
        self._grid.setVerticalSpacing(XS)
        self._grid.setColumnStretch(1, 1)
        self._values = {name: self._row(row, name) for row, name in enumerate(names)}

    def show_facts(self, said: Mapping[str, str]) -> None:
        for name, (label, value) in self._values.items():
            value.setText(reveal(said.get(name, "")))
            value.setAccessibleName(f"{name}: {said.get(name, '')}")
            label.setVisible(name in said)
            value.setVisible(name in said)

    def _row(self, row: int, name: str) -> tuple[QLabel, QLabel]:
        label = plain_label(name, "secondary")
        value = plain_label("", "", wrap=True, selectable=True)
        if name in self._mono:
            value.setFont(self._theme.mono())
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, row, 1)
        return label, value
