"""What is known of an endpoint, as names and values. Shows what it is given."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from callgate.engine.endpoint_desk import EndpointView
from callgate.ui.endpoints.look import ORIGIN_WORDS, key_words, models_words, wire_words
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import L, S, Theme

_ORDER: Final = ("Address", "Protocol", "Models", "Key", "Dialect", "From")
_MONO: Final = frozenset({"Address"})


class EndpointFacts(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(L)
        self._grid.setVerticalSpacing(S)
        self._grid.setColumnStretch(1, 1)
        self._values = {name: self._row(row, name) for row, name in enumerate(_ORDER)}

    def show_view(self, view: EndpointView) -> None:
        said = facts_of(view)
        for name, (label, value) in self._values.items():
            value.setText(reveal(said.get(name, "")))
            value.setAccessibleName(f"{name}: {said.get(name, '')}")
            label.setVisible(name in said)
            value.setVisible(name in said)

    def _row(self, row: int, name: str) -> tuple[QLabel, QLabel]:
        label = plain_label(name, "secondary")
        value = plain_label("", "", wrap=True, selectable=True)
        if name in _MONO:
            value.setFont(self._theme.mono())
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, row, 1)
        return label, value


def facts_of(view: EndpointView) -> dict[str, str]:
    """Those that there are, in the order in which one would ask."""
    said = {"Protocol": wire_words(view), "Models": models_words(view), "Key": key_words(view)}
    if view.address:
        said["Address"] = view.address
    if view.dialect:
        said["Dialect"] = view.dialect
    if view.origin == "demo":
        said["Models"] = "every model, while there is no other endpoint" if "*" in view.models else view.models[0]
    said["From"] = ORIGIN_WORDS[view.origin]
    return {name: said[name] for name in _ORDER if name in said}
