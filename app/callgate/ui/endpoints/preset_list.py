"""The providers and servers that can be chosen, under headings. Knows their titles, not what is asked of them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from callgate.core.endpoint_preset import EndpointPreset
from callgate.ui.theme import SMALL_SIZE, Theme

_PRESET: Final = Qt.ItemDataRole.UserRole + 1
_WIDTH: Final = 190


class PresetList(QListWidget):
    chosen = Signal(str)
    """A preset's id."""

    def __init__(self, theme: Theme, presets: Sequence[EndpointPreset], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("endpointPresets")
        self.setAccessibleName("Provider or server")
        self.setFixedWidth(_WIDTH)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self._headings: list[QListWidgetItem] = []
        group = ""
        for preset in presets:
            if preset.group != group:
                group = preset.group
                self._head(group)
            item = QListWidgetItem(preset.title, self)
            item.setData(_PRESET, preset.id)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{preset.title}, {preset.group}")
        theme.changed.connect(self._draw)
        self._draw()
        self.currentItemChanged.connect(self._changed)

    @property
    def current(self) -> str:
        item = self.currentItem()
        return str(item.data(_PRESET) or "") if item is not None else ""

    def choose(self, preset: str) -> None:
        for row in range(self.count()):
            if self.item(row).data(_PRESET) == preset:
                self.setCurrentRow(row)

    def _head(self, words: str) -> None:
        item = QListWidgetItem(words, self)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = QFont(self._theme.ui(SMALL_SIZE))
        item.setFont(font)
        self._headings.append(item)

    def _changed(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_PRESET):
            self.chosen.emit(self.current)

    def _draw(self) -> None:
        for item in self._headings:
            item.setForeground(self._theme.color("text3"))
