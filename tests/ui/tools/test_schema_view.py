import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop
from tests.fakes.many_tools import wide_schema

from callgate.ui.theme.theme import Theme
from callgate.ui.tools.schema_rows import SchemaRow, each_row
from callgate.ui.tools.schema_view import AT_ONCE, SchemaView

PATH = SchemaRow("path", 0, "string", True, "<b>Where</b> it is.", ("default 1", "at most 2"))


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> SchemaView:
    view = SchemaView(theme, "Parameters", "Takes nothing.")
    qtbot.addWidget(view)
    view.resize(280, 300)
    view.show()
    return view


def _whole(view: SchemaView) -> QLabel:
    return view.findChild(QLabel, "schemaWhole")


def test_rows_are_shown_open_and_long_texts_wrapped(view: SchemaView) -> None:
    long = SchemaRow("note", 1, "string", False, "Many words that do not fit into one line. " * 4)
    view.show_rows((PATH, long))
    model, tree = view.tree.model(), view.tree
    first = model.index(0, 0)
    assert tree.isExpanded(first)
    QApplication.processEvents()
    assert tree.visualRect(model.index(0, 0, first)).height() > tree.visualRect(first).height() > 0
    assert not view.search.isVisible() and not _whole(view).isVisible()


def test_a_wider_view_needs_less_height(view: SchemaView) -> None:
    view.show_rows((SchemaRow("note", 0, "string", False, "Many words that do not fit into one line. " * 4),))
    QApplication.processEvents()
    narrow = view.tree.visualRect(view.tree.model().index(0, 0)).height()
    view.resize(900, 300)
    QApplication.processEvents()
    assert view.tree.visualRect(view.tree.model().index(0, 0)).height() < narrow


def test_no_rows_say_so(view: SchemaView) -> None:
    view.show_rows(())
    assert not view.tree.isVisible()
    assert "Takes nothing." in {label.text() for label in view.findChildren(QLabel) if label.isVisible()}


def test_very_many_rows_come_in_slices_and_the_chosen_one_is_told_in_full(loop: BoundLoop, view: SchemaView) -> None:
    view.show_rows(each_row(wide_schema(900)))
    assert not view.is_complete and len(view.rows) == AT_ONCE
    loop.until(lambda: view.is_complete)
    assert len(view.rows) == view.tree.model().rowCount() == 900
    view.tree.setCurrentIndex(view.tree.model().index(5, 0))
    text = _whole(view).text()
    assert text.startswith("field_5: integer, required") and "default 1" in text
    assert _whole(view).isVisible() and _whole(view).textFormat() == Qt.TextFormat.PlainText


def test_another_tool_stops_the_reading_of_the_one_before(loop: BoundLoop, view: SchemaView) -> None:
    view.show_rows(each_row(wide_schema(900)))
    view.show_rows((PATH,))
    loop.settle()
    assert view.rows == (PATH,)


def test_a_parameter_is_found_by_its_name_or_words(loop: BoundLoop, view: SchemaView) -> None:
    view.show_rows(each_row(wide_schema(40)))
    assert view.search.isVisible()
    view.search.setText("field_39")
    assert [row.name for row in view.rows] == ["field_39"]
    view.search.setText("words enum")
    assert view.rows == ()
    view.search.clear()
    assert len(view.rows) == 40


def test_what_is_found_is_shown_with_its_path(view: SchemaView) -> None:
    rows = [SchemaRow(f"p{number}", 0, "object", False, "") for number in range(12)]
    view.show_rows((*rows, SchemaRow("deep", 1, "string", False, "")))
    view.search.setText("deep")
    assert view.tree.model().index(0, 0).data() == "p11.deep"


def test_a_parameter_is_copied_as_text(view: SchemaView, qtbot: QtBot) -> None:
    view.show_rows((PATH,))
    view.tree.setCurrentIndex(view.tree.model().index(0, 0))
    qtbot.keyClick(view.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "path: string, required\n<b>Where</b> it is.\ndefault 1 · at most 2"
