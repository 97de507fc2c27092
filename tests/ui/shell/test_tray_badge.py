"""The picture in the tray says how many calls wait."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from callgate.ui.shell.tray_badge import SIZES, tray_icon
from callgate.ui.theme.theme import Theme


def _image(theme: Theme, count: int, *, is_open: bool = False) -> QImage:
    return tray_icon(theme, count, is_open=is_open).pixmap(QSize(64, 64)).toImage()


def test_counts_are_told_apart(qapp: QApplication, theme: Theme) -> None:
    none, one, many, very_many = (_image(theme, count) for count in (0, 1, 12, 500))
    assert none != one and one != many and many != very_many
    assert _image(theme, 100) == very_many


def test_an_open_gate_has_the_colour_of_danger(qapp: QApplication, theme: Theme) -> None:
    assert _image(theme, 0).pixelColor(32, 4) == theme.color("accent")
    assert _image(theme, 0, is_open=True).pixelColor(32, 4) == theme.color("denied")


def test_there_is_a_picture_for_every_size_of_panel(qapp: QApplication, theme: Theme) -> None:
    assert {size.width() for size in tray_icon(theme, 3).availableSizes()} == set(SIZES)
