"""What a right click on a row of the tool tree offers. Knows the row; whoever shows the menu knows the tree."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QTreeView

from callgate.core.tool import Tool
from callgate.ui.tools.grouping import Group
from callgate.ui.tools.model import ToolModel, ToolRole
from callgate.ui.tools.schema_page import definition_json

Narrow = Callable[[str], None]
"""Takes a filter: only what is like this is to be shown."""


def fill_row_menu(
    menu: QMenu, tree: QTreeView, index: QModelIndex, narrow: Narrow, show_source: Callable[[str], None] | None = None
) -> None:
    """`show_source`: takes the name of a source, to show how it is doing."""
    tool, group = index.data(ToolRole.TOOL), index.data(ToolRole.GROUP)
    _add_switch(menu, index)
    if isinstance(tool, Tool):
        _add_tool(menu, tool, narrow)
    elif isinstance(group, Group) and group.source:
        only = menu.addAction("Show only this source")
        only.triggered.connect(lambda: narrow(f"source:{_quoted(group.source)}"))
        if show_source is not None and group.switchable:
            doing = menu.addAction("How this source is doing…")
            doing.triggered.connect(lambda: show_source(group.source))
    if not menu.isEmpty():
        menu.addSeparator()
    menu.addAction("Open all groups").triggered.connect(tree.expandAll)
    menu.addAction("Close all groups").triggered.connect(tree.collapseAll)


def _add_switch(menu: QMenu, index: QModelIndex) -> None:
    model, held = index.model(), index.data(Qt.ItemDataRole.CheckStateRole)
    if held is None or not isinstance(model, ToolModel):
        return
    on = Qt.CheckState(held) == Qt.CheckState.Checked
    action = menu.addAction("Switch off" if on else "Switch on")
    action.triggered.connect(lambda: model.toggle(index))


def _add_tool(menu: QMenu, tool: Tool, narrow: Narrow) -> None:
    menu.addSeparator()
    for words, text in (
        ("Copy name", tool.name),
        ("Copy as #reference", f"#{tool.reference}"),
        ("Copy definition as JSON", definition_json(tool)),
    ):
        menu.addAction(words).triggered.connect(
            lambda _=False, copied=text: QGuiApplication.clipboard().setText(copied)
        )
    menu.addSeparator()
    only = menu.addAction("Show only this source")
    only.triggered.connect(lambda: narrow(f"source:{_quoted(tool.source)}"))
    for tag in tool.tags[:3]:
        like = menu.addAction(f"Show only tag:{tag.replace('&', '&&')}")
        like.triggered.connect(lambda _=False, wanted=tag: narrow(f"tag:{_quoted(wanted)}"))


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
