"""Markdown text is exactly as tall as it is, at any width, and tells where its links lead."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from pytestqt.qtbot import QtBot

from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import Theme


def made(qtbot: QtBot, theme: Theme, text: str) -> Prose:
    prose = Prose(theme)
    qtbot.addWidget(prose)
    prose.show_markdown(text)
    return prose


def test_the_height_is_asked_for_any_width_without_being_shown_at_it(qtbot: QtBot, theme: Theme) -> None:
    prose = made(qtbot, theme, "word " * 200)
    narrow, wide = prose.heightForWidth(200), prose.heightForWidth(800)
    assert narrow > 3 * wide
    prose.resize(200, narrow)
    prose.show()
    assert prose.heightForWidth(800) == wide
    assert prose.heightForWidth(200) == narrow


def test_it_is_drawn_as_wide_as_it_is_whatever_widths_were_asked_for_since(qtbot: QtBot, theme: Theme) -> None:
    prose = made(qtbot, theme, "word " * 40)
    prose.resize(600, 200)
    prose.show()
    seen = prose.grab().toImage()
    prose.show_markdown("word " * 40)
    assert prose.heightForWidth(240) > prose.heightForWidth(600)
    prose.heightForWidth(250)
    assert prose.grab().toImage() == seen
    assert prose.lineWrapColumnOrWidth() == prose.viewport().width()


def test_new_text_has_a_new_height(qtbot: QtBot, theme: Theme) -> None:
    prose = made(qtbot, theme, "one")
    before = prose.heightForWidth(300)
    prose.show_markdown("one\n\ntwo")
    assert prose.heightForWidth(300) > before


def test_a_table_at_the_end_is_not_cut(qtbot: QtBot, theme: Theme) -> None:
    rows = "| 1 | 2 |\n" * 5
    short = made(qtbot, theme, "| a | b |\n|---|---|\n").heightForWidth(400)
    tall = made(qtbot, theme, "| a | b |\n|---|---|\n" + rows).heightForWidth(400)
    assert tall >= short + 5 * 24


def test_it_never_scrolls_by_itself(qtbot: QtBot, theme: Theme) -> None:
    prose = made(qtbot, theme, "a\n\nb\n\nc")
    prose.resize(200, 20)
    prose.show()
    prose.verticalScrollBar().setValue(10)
    assert prose.verticalScrollBar().value() == 0


def test_a_link_shows_its_address_under_the_mouse_and_does_not_open(qtbot: QtBot, theme: Theme) -> None:
    prose = made(qtbot, theme, "[click me](https://x.test/page) > quoted")
    prose.resize(300, prose.heightForWidth(300))
    prose.show()
    where = QPointF(12, 8)
    none = Qt.KeyboardModifier.NoModifier
    buttons = Qt.MouseButton.NoButton
    prose.mouseMoveEvent(QMouseEvent(QMouseEvent.Type.MouseMove, where, where, buttons, buttons, none))
    assert prose.viewport().toolTip() == "https://x.test/page"


def test_quotes_are_drawn_with_a_bar(qtbot: QtBot, theme: Theme) -> None:
    prose = made(qtbot, theme, "> quoted")
    prose.resize(200, prose.heightForWidth(200))
    picture = prose.grab().toImage()
    assert picture.pixelColor(1, picture.height() // 2) == theme.color("border")
