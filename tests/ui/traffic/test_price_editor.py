"""Prices are edited in a table; mistakes are named beside it."""

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from callgate.core.catalog.prices import DEFAULT_PRICES, Price
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.price_book import PriceBook
from callgate.ui.traffic.price_editor import PriceEditor


@pytest.fixture
def editor(qtbot: QtBot, settings: QSettings, theme: Theme) -> PriceEditor:
    book = PriceBook(settings)
    book.save({"mine": {"input": 1, "output": 2}})
    editor = PriceEditor(book, theme)
    qtbot.addWidget(editor)
    editor.show()
    return editor


def write(editor: PriceEditor, row: int, *texts: str) -> None:
    for column, text in enumerate(texts):
        item = editor.table.item(row, column)
        assert item is not None
        item.setText(text)


def test_own_rows_come_first_and_only_they_can_be_edited(editor: PriceEditor) -> None:
    assert editor.table.rowCount() == 1 + len(DEFAULT_PRICES)
    flags = [editor.table.item(row, 0).flags() & Qt.ItemFlag.ItemIsEditable for row in (0, 1)]
    assert bool(flags[0]) and not flags[1]


def test_a_new_row_is_saved(editor: PriceEditor) -> None:
    editor.add_row()
    write(editor, 1, "gpt-*", "$1.5", "6", "0,25")
    editor.save_button.click()
    assert editor._book.own == (Price("mine", 1, 2), Price("gpt-*", 1.5, 6, 0.25))
    assert not editor.isVisible()


def test_an_empty_row_is_left_out_and_a_removed_one_is_gone(editor: PriceEditor) -> None:
    editor.add_row()
    editor.table.setCurrentCell(0, 0)
    editor.remove_button.click()
    editor.save_button.click()
    assert editor._book.own == ()


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("m", "cheap", "1"), "input must be a number"),
        (("m", "1"), "lacks output"),
        (("", "1", "2"), "name of a model"),
    ],
)
def test_a_mistake_is_said_and_nothing_is_saved(editor: PriceEditor, texts: tuple[str, ...], words: str) -> None:
    editor.add_row()
    write(editor, 1, *texts)
    editor.save_button.click()
    assert editor.isVisible() and words in editor.problem.text()
    assert editor._book.own == (Price("mine", 1, 2),)


def test_rows_that_ship_stay(editor: PriceEditor) -> None:
    editor.table.setCurrentCell(3, 0)
    editor.remove_button.click()
    assert "overrides" in editor.problem.text() and editor.table.rowCount() == 1 + len(DEFAULT_PRICES)


def test_rows_that_ship_keep_their_tone_when_the_theme_changes_under_them(editor: PriceEditor, theme: Theme) -> None:
    for mode in ("light", "dark"):
        theme.set_mode(mode)
        assert editor.table.item(1, 0).foreground().color() == theme.color("text3")
        assert editor.table.item(1, 1).foreground().color() == theme.color("text3")
