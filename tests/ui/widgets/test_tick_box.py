from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.tick_box import TickBox


def test_it_is_ticked_by_mouse_and_key_wherever_it_is_hit(theme: Theme) -> None:
    box = TickBox(theme, "Start with Callgate")
    box.resize(box.sizeHint())
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 4, 4))
    assert box.isChecked()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert not box.isChecked()


def test_ticked_and_not_ticked_look_different_in_both_themes(theme: Theme) -> None:
    box = TickBox(theme, "x")
    box.resize(60, 20)
    for mode in ("dark", "light"):
        theme.set_mode("dark" if mode == "dark" else "light")
        box.setChecked(False)
        empty = box.grab().toImage()
        box.setChecked(True)
        assert box.grab().toImage() != empty
