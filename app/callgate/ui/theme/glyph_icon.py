"""Icons drawn from glyphs of the Phosphor font: sharp at every size, in any colour.

The font comes with qtawesome, of which only the files are used: the package itself loads eleven more fonts and every
class that Qt has, 35 MB and a fifth of a second for a family of which a hundred glyphs are shown.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import orjson
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

_SHARE: Final = 0.875
"""Of an icon's height that its glyph takes: a font leaves room around what it draws."""


def glyph_icon(glyph: str, color: str, disabled: str) -> QIcon:
    """`glyph` by the name that Phosphor gives it; raises `KeyError` for one that the font has not."""
    made = QIcon(_GlyphEngine(_characters()[glyph], QColor(color), QColor(disabled)))
    # PySide takes the engine for a child of the icon that it was given to; when both are garbage, its collector may
    # delete the engine first, and the icon deletes it again: a crash. The engine of a copy belongs to Qt alone.
    return QIcon(made)


class _GlyphEngine(QIconEngine):
    def __init__(self, character: str, color: QColor, disabled: QColor) -> None:
        super().__init__()
        self._character, self._color, self._disabled = character, color, disabled

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        font = QFont(_family())
        font.setPixelSize(max(1, round(_SHARE * rect.height())))
        painter.save()
        painter.setPen(self._disabled if mode == QIcon.Mode.Disabled else self._color)
        painter.setFont(font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        drawn = QPixmap(size)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return drawn


@cache
def _family() -> str:
    """Registers the font with Qt, which is done once in the life of the program."""
    path = _file("phosphor-[0-9]*.ttf")
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(path)))
    if not families:
        raise RuntimeError(f"the font {path.name} of qtawesome can't be read")
    return families[0]


@cache
def _characters() -> dict[str, str]:
    codes: dict[str, str] = orjson.loads(_file("phosphor-charmap-*.json").read_bytes())
    return {name: chr(int(code, 16)) for name, code in codes.items()}


def _file(pattern: str) -> Path:
    package = find_spec("qtawesome")
    places = package.submodule_search_locations if package is not None else None
    found = [path for place in places or () for path in Path(place, "fonts").glob(pattern)]
    if not found:
        raise RuntimeError(f"qtawesome has no {pattern} among its fonts")
    return found[0]
