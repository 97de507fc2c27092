"""Rows on the screen."""

from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from callgate.ui.call_preview.row_text import RowText
from callgate.ui.call_preview.rows import Row
from callgate.ui.theme.theme import Theme


def build(qtbot: QtBot, theme: Theme, rows: list[Row], most_rows: int = 8) -> RowText:
    text = RowText(theme, most_rows)
    qtbot.addWidget(text)
    text.resize(500, 300)
    text.show()
    text.show_rows(rows)
    return text


def test_every_row_is_there_and_its_edge_has_room_for_the_marks(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, [Row("one", "12 14 +", "added"), Row("two")])
    assert text.toPlainText() == "one\ntwo"
    assert text.viewport().x() >= text.fontMetrics().horizontalAdvance("12 14 +")


def test_an_added_row_has_a_ground_and_the_words_that_differ_a_stronger_one(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, [Row("return a + b", "+", "added", twin="return a - b"), Row("same")])
    picture = text.viewport().grab().toImage()
    rows = [picture.pixelColor(picture.width() - 30, y).name() for y in (12, 12 + text.fontMetrics().lineSpacing())]
    assert rows[0] != rows[1]
    strong = [found for found in text.document().firstBlock().layout().formats() if found.format.hasProperty(0x820)]
    assert [(found.start, found.length) for found in strong] == [(9, 1)]


def test_what_should_be_seen_first_is_bold_and_the_rest_dim(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, [Row("GET host/path", strong=((4, 8),), dim=((8, 13),))])
    formats = text.document().firstBlock().layout().formats()
    assert [found.start for found in formats if found.format.fontWeight() == QFont.Weight.Bold] == [4]
    assert formats[1].format.foreground().color() == theme.color("text3")


def test_it_wants_no_more_rows_than_it_may_and_all_are_reached_by_scrolling(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, [Row(f"row {number}") for number in range(5000)])
    qtbot.waitUntil(lambda: text.is_loaded, timeout=5000)
    assert text.blockCount() == 5000
    assert text.sizeHint().height() < 12 * text.fontMetrics().lineSpacing()
    text.verticalScrollBar().setValue(text.verticalScrollBar().maximum())
    assert "row 4999" in text.document().lastBlock().text()


def test_a_narrow_width_wants_more_height(qtbot: QtBot, theme: Theme) -> None:
    text = RowText(theme, 8)
    qtbot.addWidget(text)
    text.show_rows([Row("word " * 30)])
    text.fit(1200)
    wide = text.sizeHint().height()
    text.fit(300)
    assert text.sizeHint().height() > wide
