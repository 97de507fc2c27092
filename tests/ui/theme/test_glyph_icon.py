import subprocess
import sys

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

from callgate.ui.theme.glyph_icon import glyph_icon


def drawn(icon: QIcon, mode: QIcon.Mode = QIcon.Mode.Normal, ratio: float = 1.0) -> QImage:
    return icon.pixmap(QSize(16, 16), ratio, mode).toImage()


def colours(image: QImage) -> set[str]:
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


def test_a_glyph_is_drawn_in_its_colour_and_in_another_where_it_is_disabled(qapp: QApplication) -> None:
    icon = glyph_icon("circle-fill", "#ff8800", "#123456")
    assert colours(drawn(icon)) == {"#ff8800"}
    assert colours(drawn(icon, QIcon.Mode.Disabled)) == {"#123456"}


def test_different_glyphs_look_different(qapp: QApplication) -> None:
    assert drawn(glyph_icon("check", "#ff8800", "#123456")) != drawn(glyph_icon("x", "#ff8800", "#123456"))


def test_at_twice_the_scale_it_is_drawn_anew_and_not_blown_up(qapp: QApplication) -> None:
    icon = glyph_icon("wrench", "#ff8800", "#123456")
    large = drawn(icon, ratio=2.0)
    assert large.width() == 32
    assert large != drawn(icon).scaled(32, 32)


def test_a_glyph_that_the_font_has_not_is_refused(qapp: QApplication) -> None:
    with pytest.raises(KeyError):
        glyph_icon("no-such-glyph", "#ff8800", "#123456")


def test_the_package_that_brings_the_font_is_not_loaded() -> None:
    look = "import sys, callgate.ui.theme.theme; print('qtawesome' in sys.modules, 'qtpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split() == ["False", "False"]


GARBAGE = """
import gc
from PySide6.QtWidgets import QApplication, QPushButton
from callgate.ui.theme.glyph_icon import glyph_icon

gc.disable()
app = QApplication([])

class Ring:
    def __init__(self, icon):
        self.icon, self.itself = icon, self

for _ in range(50):
    icon = glyph_icon("gear", "#ffffff", "#000000")  # older than what holds it, so that it is cleared first
    ring = Ring(icon)
    button = QPushButton()
    button.setIcon(icon)
    del icon, ring
    gc.collect()
    assert not button.grab().isNull()
print("alive")
"""


def test_icons_may_be_collected_as_garbage() -> None:
    """By itself, since where it goes wrong the whole process ends."""
    done = subprocess.run([sys.executable, "-c", GARBAGE], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "alive"), done.stderr
