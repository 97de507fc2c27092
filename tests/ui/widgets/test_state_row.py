from PySide6.QtCore import QSize, QStringListModel
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.state_row import Index, StateRow, StateRowDelegate

ROW = StateRow("git", "done", "completed", "Ready", "MCP server over stdio", "9 tools")


def _picture(theme: Theme, qtbot: QtBot, row: StateRow | None) -> QImage:
    def row_of(index: Index) -> StateRow | None:
        return row

    view = QListView()
    qtbot.addWidget(view)
    view.setModel(QStringListModel(["a row"], view))
    view.setItemDelegate(StateRowDelegate(theme, row_of, view))
    view.resize(QSize(240, 80))
    view.show()
    return view.viewport().grab().toImage()


def test_name_state_detail_and_mark_are_all_drawn(theme: Theme, qtbot: QtBot) -> None:
    whole = _picture(theme, qtbot, ROW)
    others = (
        StateRow("hub", "done", "completed", "Ready", "MCP server over stdio", "9 tools"),
        StateRow("git", "done", "completed", "Off", "MCP server over stdio", "9 tools"),
        StateRow("git", "done", "completed", "Ready", "a command", "9 tools"),
        StateRow("git", "done", "completed", "Ready", "MCP server over stdio"),
        StateRow("git", "done", "completed", "Ready", "MCP server over stdio", "9 tools", faded=True),
        StateRow("git", "failed", "denied", "Ready", "MCP server over stdio", "9 tools"),
    )
    assert all(_picture(theme, qtbot, other) != whole for other in others)
    assert _picture(theme, qtbot, ROW) == whole


def test_an_index_without_a_row_draws_nothing(theme: Theme, qtbot: QtBot) -> None:
    assert _picture(theme, qtbot, None) != _picture(theme, qtbot, ROW)
