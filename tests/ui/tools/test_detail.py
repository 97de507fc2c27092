from dataclasses import replace

import orjson
import pytest
from PySide6.QtWidgets import QApplication, QLabel, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import sample_tools

from callgate.ui.theme import Theme
from callgate.ui.tools.detail import ToolDetail

READ, RUN = sample_tools()[0], sample_tools()[3]


@pytest.fixture
def detail(theme: Theme, qtbot: QtBot) -> ToolDetail:
    detail = ToolDetail(theme)
    qtbot.addWidget(detail)
    detail.resize(300, 500)
    detail.show()
    return detail


def _texts(detail: ToolDetail) -> set[str]:
    QApplication.processEvents()  # labels that a layout takes are shown in the next turn
    return {label.text() for label in detail.findChildren(QLabel) if label.isVisible()}


def test_a_tool_is_told_in_full(detail: ToolDetail) -> None:
    detail.show_tool(READ)
    texts = _texts(detail)
    assert {"read_file", "Read file · built-in · enabled", READ.description, "Says it only reads"} <= texts
    assert {"files", "read", "path", "required", "default 1 · at least 1"} <= texts


def test_another_tool_replaces_all_of_the_first(detail: ToolDetail) -> None:
    detail.show_tool(READ)
    detail.show_tool(RUN)
    texts = _texts(detail)
    assert {"run_command", "Run command · built-in · disabled", "command", "string or null"} <= texts
    assert not {"read_file", "Says it only reads", "path"} & texts


def test_the_definition_can_be_copied_as_json(detail: ToolDetail, qapp: QApplication, qtbot: QtBot) -> None:
    detail.show_tool(READ)
    copy = next(b for b in detail.findChildren(QToolButton) if b.accessibleName() == "Copy the definition as JSON")
    copy.click()
    definition = orjson.loads(qapp.clipboard().text())
    assert definition["name"] == "read_file"
    assert definition["inputSchema"]["required"] == ["path"]
    assert copy.accessibleName() == "Copied"


def test_hidden_characters_of_a_description_are_shown(detail: ToolDetail) -> None:
    detail.show_tool(replace(READ, description="Reads.\u202eevil"))
    assert any("U+202E" in text for text in _texts(detail))


def test_the_result_has_a_tab_only_where_it_is_declared(detail: ToolDetail) -> None:
    tabs = detail.findChild(QTabWidget)
    detail.show_tool(READ)
    assert not tabs.isTabVisible(1)
    detail.show_tool(replace(READ, output_schema={"type": "object", "properties": {"lines": {"type": "array"}}}))
    assert tabs.isTabVisible(1)


def test_a_change_of_theme_keeps_the_tool(detail: ToolDetail, theme: Theme) -> None:
    detail.show_tool(RUN)
    theme.set_mode("light")
    assert "run_command" in _texts(detail)
    assert detail.tool == RUN
