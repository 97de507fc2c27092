"""What is known of a source, as names and values. Shows what it is given."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from callgate.engine.source_desk import SourceView
from callgate.ui import figures
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.sources.state_look import ERA_WORDS, KIND_WORDS, ORIGIN_WORDS, TRANSPORT_WORDS
from callgate.ui.theme import XS, L, Theme


class SourceFacts(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(L)
        self._grid.setVerticalSpacing(XS)
        self._grid.setColumnStretch(1, 1)
        self._values = {name: self._row(row, name) for row, name in enumerate(_ORDER)}

    def show_view(self, view: SourceView, now: float) -> None:
        said = facts_of(view, now)
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


_ORDER = ("Address", "Command", "Programs", "Kind", "Server", "Protocol", "Process", "From", "Last error")
_MONO = frozenset({"Command", "Address"})


def facts_of(view: SourceView, now: float) -> dict[str, str]:
    """Those that there are, in the order in which one would ask."""
    said: dict[str, str] = {}
    if view.where:
        address = view.kind == "mcp" and view.where.startswith(("http://", "https://"))
        said["Address" if address else "Command" if view.kind == "mcp" else "Programs"] = view.where
    said["Kind"] = " over ".join(filter(None, (KIND_WORDS[view.kind], TRANSPORT_WORDS[view.transport])))
    if view.server:
        said["Server"] = f"{view.server} {view.version}".strip()
    if view.era:
        revision = f"MCP {view.protocol}, " if view.protocol else ""
        said["Protocol"] = f"{revision}{ERA_WORDS[view.era]}"
    if view.pid is not None:
        said["Process"] = str(view.pid)
    said["From"] = ORIGIN_WORDS[view.origin]
    if view.last_error and view.state != "failed":
        said["Last error"] = f"{view.last_error} ({figures.ago(view.last_error_at, now)})"
    return said
