"""Everything about one tool: what it is for, what it says of itself, what it takes. Shows a `Tool`; changes nothing."""

import json

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.ui.copy_button import CopyButton
from callgate.ui.flow_layout import FlowLayout
from callgate.ui.pane import as_pane
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import XS, M, S, Theme
from callgate.ui.tools.annotation_words import Hint, annotation_words
from callgate.ui.tools.schema_rows import schema_rows
from callgate.ui.tools.schema_view import SchemaView


class ToolDetail(QWidget):
    close_requested = Signal()
    """The person has seen enough."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolDetail")
        self.setAccessibleName("Tool details")
        as_pane(self)
        self._theme = theme
        self._tool: Tool | None = None
        self._name = plain_label(tone="heading", selectable=True, wrap=True)
        self._origin = plain_label(tone="hint", wrap=True)
        self._description = plain_label(selectable=True, wrap=True)
        self._hints = QVBoxLayout()
        self._hints.setSpacing(XS)
        self._tags = FlowLayout(XS)
        self._parameters = SchemaView(theme, "Takes no parameters.")
        self._output = SchemaView(theme, "Does not say what it returns.")
        self._raw = QPlainTextEdit()
        self._raw.setReadOnly(True)
        self._raw.setProperty("flat", True)
        self._raw.setFrameShape(QFrame.Shape.NoFrame)
        self._raw.setFont(theme.mono())
        self._raw.setAccessibleName("Definition as JSON")
        self._tabs = self._build_tabs()
        self._build()
        theme.changed.connect(self._redraw)

    @property
    def tool(self) -> Tool | None:
        return self._tool

    def show_tool(self, tool: Tool | None) -> None:
        if tool is not None and tool != self._tool:
            self._fill(tool)
        self._tool = tool

    def definition(self) -> str:
        """The tool as clients see it, as JSON; what the copy button copies."""
        return "" if self._tool is None else _definition(self._tool)

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(XS)
        top.addWidget(self._name, 1)
        top.addWidget(CopyButton(self._theme, self.definition, "the definition as JSON"))
        self._close = QToolButton()
        self._close.setIconSize(self._theme.icon_size)
        self._close.setToolTip("Close details")
        self._close.setAccessibleName("Close details")
        self._close.setIcon(self._theme.icon("close"))
        self._close.clicked.connect(self.close_requested)
        top.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, S, 0)
        column.setSpacing(XS)
        column.addLayout(top)
        column.addWidget(self._tabs, 1)

    def _build_tabs(self) -> QTabWidget:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.setAccessibleName("Overview and definition")
        tabs.addTab(_scrolled(self._build_overview()), "Overview")
        tabs.addTab(_scrolled(self._output), "Result")
        tabs.addTab(self._raw, "JSON")
        return tabs

    def _build_overview(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self._origin)
        column.addWidget(self._description)
        column.addLayout(self._hints)
        column.addLayout(self._tags)
        column.addSpacing(XS)
        column.addWidget(plain_label("Parameters", "strong"))
        column.addWidget(self._parameters)
        return page

    def _fill(self, tool: Tool) -> None:
        self._name.setText(reveal(tool.name))
        title = f"{reveal(tool.title)} · " if tool.title else ""
        self._origin.setText(f"{title}{reveal(tool.source)} · {'enabled' if tool.enabled else 'disabled'}")
        about = tool.description or tool.user_description
        self._description.setText(reveal(about) if about else "No description.")
        self._parameters.show_rows(schema_rows(tool.schema))
        self._tabs.setTabVisible(1, tool.output_schema is not None)
        self._output.show_rows(schema_rows(tool.output_schema or {}))
        self._raw.setPlainText(reveal(_definition(tool)))
        self._fill_hints(annotation_words(tool.annotations))
        self._fill_tags(tool.tags)

    def _fill_hints(self, hints: tuple[Hint, ...]) -> None:
        _empty(self._hints)
        for hint in hints:
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(S)
            icon = QLabel()
            icon.setPixmap(self._theme.icon(hint.icon, hint.color).pixmap(self._theme.icon_size))
            row.addWidget(icon)
            row.addWidget(plain_label(hint.text, "secondary", wrap=True), 1)
            self._hints.addWidget(line)

    def _fill_tags(self, tags: tuple[str, ...]) -> None:
        _empty(self._tags)
        for tag in tags:
            self._tags.addWidget(plain_label(reveal(tag), "chip"))

    def _redraw(self) -> None:
        self._close.setIcon(self._theme.icon("close"))
        if self._tool is not None:
            self._fill(self._tool)


def _scrolled(content: QWidget) -> QScrollArea:
    page = QWidget()
    as_pane(page)
    column = QVBoxLayout(page)
    column.setContentsMargins(0, S, S, S)
    column.addWidget(content)
    column.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area


def _empty(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def _definition(tool: Tool) -> str:
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
