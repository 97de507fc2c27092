"""A person finds their way in a JSON value with mouse and keys."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from callgate.core.messages import Json
from callgate.ui.text.json_view import JsonView, as_text
from callgate.ui.theme.theme import Theme

Make = Callable[[Json], JsonView]


@pytest.fixture
def view_of(qtbot: QtBot, theme: Theme) -> Iterator[Make]:
    kept: list[JsonView] = []  # a menu's actions refer to their view: it must outlive them

    def make(value: Json) -> JsonView:
        view = JsonView(theme, "Body")
        kept.append(view)
        qtbot.addWidget(view)
        view.resize(400, 300)
        view.show()
        view.set_value(value)
        return view

    yield make
    kept.clear()


def test_small_branches_are_open_from_the_start(view_of: Make) -> None:
    view = view_of({"small": [1, 2], "large": list(range(1000))})
    assert view.tree.isExpanded(view.model.index(0, 0))
    assert not view.tree.isExpanded(view.model.index(1, 0))
    view.grab()


def test_a_value_too_long_for_its_line_is_shown_in_full_below(view_of: Make) -> None:
    view = view_of({"short": 1, "long": "first line\nsecond line"})
    view.tree.setCurrentIndex(view.model.index(1, 0))
    assert view.detail.isVisible() and "second line" in view.detail.text.toPlainText()
    view.tree.setCurrentIndex(view.model.index(0, 0))
    assert not view.detail.isVisible()


def test_values_are_copied_with_the_usual_keys(view_of: Make) -> None:
    view = view_of({"a": "text", "b": {"c": [1]}})
    view.tree.setCurrentIndex(view.model.index(0, 0))
    QTest.keyClick(view.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "text"
    assert as_text({"c": [1]}) == '{\n  "c": [\n    1\n  ]\n}'


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every menu
def test_the_menu_offers_value_and_path(view_of: Make) -> None:
    view = view_of({"a": [1, {"b": "deep"}]})
    view.grab()  # branches are made when they are laid out
    inner = view.model.index(1, 0, view.model.index(0, 0))
    view.tree.scrollTo(inner)
    view.tree.customContextMenuRequested.emit(view.tree.visualRect(inner).center())
    (menu,) = view.findChildren(QMenu)
    next(action for action in menu.actions() if action.text() == "Copy path").trigger()
    assert QGuiApplication.clipboard().text() == "a[1]"
    menu.close()
