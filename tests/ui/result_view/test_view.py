"""A result is shown by what it is; the text as it came is a click away; large ones never come in one go."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.core.messages import File, Image, Text
from callgate.ui.result_view.picture import format_of
from callgate.ui.result_view.styled_text import StyledText, contrast
from callgate.ui.result_view.table import ResultTable
from callgate.ui.result_view.view import ResultView
from callgate.ui.text.json_outline import JsonOutline
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import Theme

ROWS = [{"name": "b", "size": 2}, {"name": "a", "size": 10}, {"name": None, "size": 1}]


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> ResultView:
    view = ResultView(theme)
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    return view


def show(view: ResultView, text: str, error: bool = False) -> None:
    view.show_result((Text(text),), error)


@pytest.mark.parametrize(
    ("text", "widget", "head"),
    [
        (json.dumps(ROWS), ResultTable, "Result · 3 rows"),
        ('{"a": 1}', JsonOutline, "Result"),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", StyledText, "Result · +1 −1"),
        ("out\n[exit code 2]", StyledText, "Result · exit code 2"),
        ("# T\n\n**b**\n", Prose, "Result"),
        ("words", StyledText, "Result"),
    ],
)
def test_each_kind_has_its_widget_and_its_heading(view: ResultView, text: str, widget: type, head: str) -> None:
    show(view, text)
    assert view.head.text() == head
    assert len([child for child in view.findChildren(widget) if child.isVisible()]) == 1
    assert not view.grab().isNull()


def test_one_result_after_another_leaves_nothing_of_the_first(view: ResultView) -> None:
    for text in (json.dumps(ROWS), '{"a": 1}', "words", json.dumps(ROWS), "other words", '{"b": 2}'):
        show(view, text)
        kinds = (ResultTable, JsonOutline, StyledText, Prose)
        assert sum(child.isVisible() for kind in kinds for child in view.findChildren(kind)) == 1


def test_raw_shows_every_letter_and_copy_takes_them(view: ResultView) -> None:
    show(view, '{"a":  1}')
    view.raw.click()
    (text,) = [child for child in view.findChildren(StyledText) if child.isVisible()]
    assert text.toPlainText() == '{"a":  1}'
    view.copy.click()
    assert QGuiApplication.clipboard().text() == '{"a":  1}'
    view.raw.click()
    assert view.findChild(JsonOutline).isVisible()


def test_nothing_says_that_it_is_empty_and_an_error_is_red(view: ResultView, theme: Theme) -> None:
    view.show_result((), False)
    view.show_result((Text(""),), False)
    assert view.head.text() == "Result · empty"
    show(view, "boom", error=True)
    assert view.head.property("tone") == "danger"


def test_another_theme_colours_a_text_that_is_there_already(view: ResultView, theme: Theme) -> None:
    view.show_result((Text("There is no such file"),), is_error=True)
    (piece,) = view.findChildren(StyledText)
    for mode in ("light", "dark"):
        theme.set_mode(mode)
        cursor = QTextCursor(piece.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        assert cursor.charFormat().foreground().color() == theme.color("denied"), mode


def test_what_is_not_here_is_named_and_not_fetched(view: ResultView) -> None:
    view.show_result((Image(url="https://x.test/a.png"), File("text/csv", name="a.csv", url="https://x.test/a.csv")))
    assert view.kinds == ("picture", "file")


def test_a_large_result_is_laid_out_in_turns(view: ResultView, qtbot: QtBot) -> None:
    show(view, "line\n" * 45_000)
    assert "reading" in view.head.text()
    qtbot.waitUntil(lambda: bool(view.findChildren(StyledText)), timeout=3000)
    (text,) = view.findChildren(StyledText)
    qtbot.waitUntil(lambda: text.is_whole, timeout=5000)
    assert text.blockCount() == 45_000


def test_another_result_wins_over_a_large_one_that_is_still_read(view: ResultView, qtbot: QtBot) -> None:
    show(view, "line\n" * 45_000)
    show(view, "small")
    qtbot.wait(20)
    assert view.findChild(StyledText).toPlainText() == "small"


def test_a_table_sorts_by_value_and_copies_as_lines(view: ResultView) -> None:
    show(view, json.dumps(ROWS))
    table = view.findChild(ResultTable)
    sides = [table.table.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole) for n in (0, 1)]
    assert bool(sides[1] & Qt.AlignmentFlag.AlignRight) and bool(sides[0] & Qt.AlignmentFlag.AlignLeft)
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert [table.table.index(row, 1).data() for row in range(3)] == ["1", "2", "10"]
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert [table.table.index(row, 0).data() for row in range(3)] == ["a", "b", "null"]
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "a\t10"


def test_no_colour_can_hide_a_text(view: ResultView, theme: Theme) -> None:
    ground = theme.color("surface")
    show(view, f"\x1b[38;2;{ground.red()};{ground.green()};{ground.blue()}mhidden\x1b[0m")
    text = view.findChild(StyledText)
    cursor = text.textCursor()
    cursor.setPosition(3)
    assert contrast(cursor.charFormat().foreground().color(), QColor(ground)) >= 3


def test_only_plain_pictures_are_ever_drawn() -> None:
    assert format_of(b"\x89PNG\r\n\x1a\n...") == b"png" and format_of(b"RIFF1234WEBPVP8 ") == b"webp"
    assert format_of(b"<svg>") == b"" == format_of(b"%PDF-1.7")
