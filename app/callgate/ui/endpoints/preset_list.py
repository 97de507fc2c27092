"""The providers and servers that can be chosen, under headings. Knows their titles, not what is asked of them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from callgate.ui.endpoints.presets import EndpointPreset, PresetGroup
from callgate.ui.theme.theme import SMALL_SIZE, Theme

_PRESET: Final = Qt.ItemDataRole.UserRole + 1
_WIDTH: Final = 200
_ROW: Final = 28
_HEADING: Final = 34
_ICONS: Final[dict[PresetGroup, str]] = {
    "Providers": "external",
    "Google Cloud": "cloud",
    "On this machine": "model",
    "Anything else": "endpoint",
}


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
        self._groups: list[tuple[QListWidgetItem, PresetGroup]] = []
        self.setIconSize(theme.icon_size)
        group = ""
        for preset in presets:
            if preset.group != group:
                group = preset.group
                self._head(group)
            item = QListWidgetItem(preset.title, self)
            item.setData(_PRESET, preset.id)
            item.setSizeHint(QSize(_WIDTH, _ROW))
            self._groups.append((item, preset.group))
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
        item.setFont(self._theme.ui(SMALL_SIZE))
        item.setSizeHint(QSize(_WIDTH, _HEADING))
        item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self._headings.append(item)

    def _changed(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_PRESET):
            self.chosen.emit(self.current)

    def _draw(self) -> None:
        for item in self._headings:
            item.setForeground(self._theme.color("text3"))
        for item, group in self._groups:
            item.setIcon(self._theme.icon(_ICONS[group], "text2"))
