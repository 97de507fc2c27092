import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.tools.filter_field import FilterField
from callgate.ui.tools.saved_filters import SavedFilters

pytestmark = pytest.mark.qt_log_ignore("does not support")
"""Said by Qt's offscreen platform of every popup."""

VALUES = {"tag": ("files", "find"), "readonly": ("yes", "no")}


@pytest.fixture
def field(theme: Theme, settings: QSettings, qtbot: QtBot) -> FilterField:
    field = FilterField(theme, lambda name: VALUES.get(name, ()), SavedFilters(settings))
    qtbot.addWidget(field)
    field.show()
    return field


def test_typing_offers_fields_and_then_their_values(field: FilterField, qtbot: QtBot) -> None:
    qtbot.keyClicks(field.line, "ta")
    assert field.offered == ("tag:",)
    field.choose("tag:")
    assert field.text == "tag:" and field.offered == ("files", "find")
    field.choose("files")
    assert field.text == "tag:files " and field.offered == ()


def test_control_and_space_offer_all_fields(field: FilterField, qtbot: QtBot) -> None:
    qtbot.keyClick(field.line, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert "lint:" in field.offered and "agent:" in field.offered


def test_a_choice_replaces_only_what_it_completes(field: FilterField, qtbot: QtBot) -> None:
    field.set_text("read  -x")
    field.line.setCursorPosition(5)
    qtbot.keyClicks(field.line, "tag:fi")
    field.choose("find")
    assert field.text == "read tag:find -x"


def test_a_filter_is_saved_under_a_name_and_chosen_again(field: FilterField, qtbot: QtBot) -> None:
    field.set_text("tag:files")
    field.fill_menu()
    next(action for action in field.menu.actions() if action.text().startswith("Save this")).trigger()
    assert field.naming.isVisible()
    qtbot.keyClicks(field.name, "my files")
    field.findChild(QPushButton, "saveFilter").click()
    assert not field.naming.isVisible()
    field.clear()
    field.fill_menu()
    saved = next(action for action in field.menu.actions() if action.text().startswith("my files"))
    saved.trigger()
    assert field.text == "tag:files"
    field.fill_menu()
    assert not next(action for action in field.menu.actions() if action.text().startswith("Save this")).isEnabled()


def test_a_saved_filter_is_removed_from_the_menu(field: FilterField) -> None:
    field.set_text("x")
    field.save_as("mine")
    field.fill_menu()
    away = next(action.menu() for action in field.menu.actions() if action.text() == "Remove")
    away.actions()[0].trigger()
    field.fill_menu()
    assert [action.text() for action in field.menu.actions()] == ["Save this filter…"]


def test_escape_ends_naming_and_keeps_the_filter(field: FilterField, qtbot: QtBot) -> None:
    field.set_text("x")
    field._start_naming()
    qtbot.keyClick(field.name, Qt.Key.Key_Escape)
    assert not field.naming.isVisible() and field.text == "x"


def test_down_leads_to_the_tree_and_return_to_the_first(field: FilterField, qtbot: QtBot) -> None:
    heard: list[str] = []
    field.left.connect(lambda: heard.append("left"))
    field.accepted.connect(lambda: heard.append("accepted"))
    qtbot.keyClick(field.line, Qt.Key.Key_Down)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert heard == ["left", "accepted"]
