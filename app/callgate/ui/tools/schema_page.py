"""What a tool takes and returns: readable, or as the JSON that it is."""

import json

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.ui.text.long_text import LongText
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.tools.schema_rows import each_row
from callgate.ui.tools.schema_view import SchemaView


class SchemaPage(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tool: Tool | None = None
        self.parameters = SchemaView(theme, "Parameters", "Takes no parameters.")
        self.output = SchemaView(theme, "Result", "Does not say what it returns.")
        self.raw = LongText(theme, "Definition as JSON")
        self._pages = QStackedWidget()
        self._choice = QButtonGroup(self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        for number, (words, page) in enumerate(
            (("Parameters", self.parameters), ("Result", self.output), ("JSON", self.raw))
        ):
            button = QPushButton(words)
            button.setObjectName(f"schema{words}")
            button.setProperty("kind", "chip")
            button.setCheckable(True)
            self._choice.addButton(button, number)
            self._pages.addWidget(page)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, S, 0, 0)
        column.setSpacing(S)
        column.addLayout(row)
        column.addWidget(self._pages, 1)
        self._choice.idToggled.connect(self._turn)
        self._choice.button(0).setChecked(True)

    def show_tool(self, tool: Tool) -> None:
        self._tool = tool
        declared = tool.output_schema is not None
        self._choice.button(1).setVisible(declared)
        if not declared and self._choice.checkedId() == 1:
            self._choice.button(0).setChecked(True)
        self._fill(self._choice.checkedId())

    def _turn(self, number: int, on: bool) -> None:
        if on:
            self._pages.setCurrentIndex(number)
            self._fill(number)

    def _fill(self, number: int) -> None:
        """Only what is looked at is laid out."""
        if self._tool is None:
            return
        if number == 0:
            self.parameters.show_rows(each_row(self._tool.schema))
        elif number == 1:
            self.output.show_rows(each_row(self._tool.output_schema or {}))
        else:
            self.raw.show_text(definition_json(self._tool))


def definition_json(tool: Tool) -> str:
    """The tool as clients see it."""
    definition: dict[str, Json] = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": dict(tool.schema),
        "tags": list(tool.tags),
    }
    if tool.title:
        definition["title"] = tool.title
    if tool.output_schema is not None:
        definition["outputSchema"] = dict(tool.output_schema)
    return json.dumps(definition, indent=2, ensure_ascii=False)
