"""The tool browser: filter, tree, details. Asks the console for tools and switches them; knows no other panel."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Event, ToolsChanged
from callgate.core.tool import Tool
from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.empty_state import EmptyState
from callgate.ui.pane import as_pane
from callgate.ui.plain_text import plain_label
from callgate.ui.theme import XS, S, Theme
from callgate.ui.tools.delegate import ToolDelegate
from callgate.ui.tools.detail import ToolDetail
from callgate.ui.tools.filter import ToolFilter
from callgate.ui.tools.model import ToolModel, ToolRole

_NARROWEST = 200
_LOWEST = 84
_HINT = "Filter tools…   get_*   tag:files"


class ToolsPanel(QWidget):
    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        as_pane(self)
        self.setMinimumWidth(_NARROWEST)
        self._console = console
        self._theme = theme
        self._collapsed: set[str] = set()
        """Sources that the person has closed; a filter opens all for as long as it lasts."""
        self.model = ToolModel(self)
        self.filter = ToolFilter(self)
        self.filter.setSourceModel(self.model)
        self._delegate = ToolDelegate(theme, self)
        self._field = self._build_field()
        self._count = plain_label(tone="hint")
        self._tree = self._build_tree()
        self.detail = ToolDetail(theme)
        self.detail.hide()
        self._none = EmptyState(
            theme,
            "tools",
            "No tools yet",
            "Built-in tools, MCP servers and tools that programs register appear here.",
        )
        self._no_match = EmptyState(theme, "search", "Nothing matches", action="Clear filter")
        self._stack = QStackedWidget()
        self._build()
        self._connect(bridge)
        self._take(console.tools())

    def focus_filter(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    @property
    def selected(self) -> Tool | None:
        tool = self._tree.currentIndex().data(ToolRole.TOOL)
        return tool if isinstance(tool, Tool) else None

    def apply(self, batch: tuple[Event, ...]) -> None:
        """Follows the catalog; only its newest state counts."""
        for event in reversed(batch):
            if isinstance(event, ToolsChanged):
                self._take(event.tools)
                return

    # ---- building ------------------------------------------------------------------------------------------------

    def _build_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setObjectName("toolFilter")
        field.setAccessibleName("Filter tools")
        field.setPlaceholderText(_HINT)
        field.setToolTip("Names, descriptions and tags; * and ? are wildcards; tag:x and source:x narrow it")
        self._lens = QAction(self._theme.icon("search", "text3"), "", field)
        field.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        field.setProperty("lens", True)
        self._clear = QAction(self._theme.icon("cancelled", "text3"), "Clear filter", field)
        field.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)  # only after it was added does the field heed it
        return field

    def _build_tree(self) -> QTreeView:
        tree = QTreeView()
        tree.setObjectName("toolTree")
        tree.setAccessibleName("Tools")
        tree.setModel(self.filter)
        tree.setItemDelegate(self._delegate)
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setIndentation(0)
        tree.setMouseTracking(True)
        tree.setExpandsOnDoubleClick(False)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        return tree

    def _build(self) -> None:
        for page in (self._tree, self._none, self._no_match):
            self._stack.addWidget(page)
        # explanations that are not on show must not keep the pane tall
        self._stack.setMinimumHeight(_LOWEST)
        self.detail.setMinimumHeight(_LOWEST)
        head = QHBoxLayout()
        head.setContentsMargins(S, S, S, 0)
        head.addWidget(self._field)
        counted = QHBoxLayout()
        counted.setContentsMargins(S + XS, XS, S + XS, XS)
        counted.addWidget(self._count)
        counted.addStretch(1)
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(counted)
        column.addWidget(self._stack, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(top)
        splitter.addWidget(self.detail)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)
        self.setFocusProxy(self._tree)

    def _connect(self, bridge: Bridge) -> None:
        self._field.textChanged.connect(self._filter_by)
        self._field.returnPressed.connect(self._choose_first)
        self._clear.triggered.connect(self._field.clear)
        self._no_match.button.clicked.connect(self._field.clear)
        self._tree.selectionModel().currentChanged.connect(self._show_current)
        self._delegate.source_clicked.connect(self._toggle_source)
        self._tree.expanded.connect(lambda index: self._remember(index, is_open=True))
        self._tree.collapsed.connect(lambda index: self._remember(index, is_open=False))
        self.detail.close_requested.connect(self._close_detail)
        self.model.enable_requested.connect(self._console.enable_tool)
        self._theme.changed.connect(self._redraw)
        bridge.batch.connect(self.apply)

    # ---- following -----------------------------------------------------------------------------------------------

    def _take(self, tools: tuple[Tool, ...]) -> None:
        self.model.apply(tools)
        self._refresh()
        if self.detail.tool is not None:
            self.detail.show_tool(next((tool for tool in tools if tool.name == self.detail.tool.name), None))
            self.detail.setVisible(self.detail.tool is not None)

    def _filter_by(self, text: str) -> None:
        self.filter.set_text(text)
        self._delegate.set_query(self.filter.query)
        self._clear.setVisible(bool(text))
        self._refresh()
        self._tree.viewport().update()
        if not self.filter.query.is_empty:
            self._tree.scrollToTop()

    def _refresh(self) -> None:
        shown, total = self.filter.shown, self.model.total
        self._open_sources()
        if total == 0:
            self._stack.setCurrentWidget(self._none)
        elif shown == 0:
            self._no_match.set_texts(
                "Nothing matches", f"None of the {total} tools fits “{self._field.text().strip()}”."
            )
            self._stack.setCurrentWidget(self._no_match)
        else:
            self._stack.setCurrentWidget(self._tree)
        filtered = not self.filter.query.is_empty
        self._count.setText(f"{shown} of {total}" if filtered else f"{total} tool{'' if total == 1 else 's'}")

    def _open_sources(self) -> None:
        filtered = not self.filter.query.is_empty
        for row in range(self.filter.rowCount()):
            index = self.filter.index(row, 0)
            self._tree.setExpanded(index, filtered or index.data(ToolRole.SOURCE) not in self._collapsed)

    def _remember(self, index: QModelIndex, is_open: bool) -> None:
        if not self.filter.query.is_empty:
            return
        source = str(index.data(ToolRole.SOURCE))
        if is_open:
            self._collapsed.discard(source)
        else:
            self._collapsed.add(source)

    def _toggle_source(self, index: QModelIndex) -> None:
        self._tree.setExpanded(index, not self._tree.isExpanded(index))

    def _show_current(self) -> None:
        tool = self.selected
        if tool is not None:
            self.detail.show_tool(tool)
            self.detail.show()

    def _choose_first(self) -> None:
        first = self.filter.index(0, 0, self.filter.index(0, 0))
        if first.isValid():
            self._tree.setCurrentIndex(first)
            self._tree.setFocus()

    def _close_detail(self) -> None:
        self.detail.show_tool(None)
        self.detail.hide()
        self._tree.setCurrentIndex(QModelIndex())
        self._tree.setFocus()

    def _redraw(self) -> None:
        self._clear.setIcon(self._theme.icon("cancelled", "text3"))
        self._lens.setIcon(self._theme.icon("search", "text3"))
        self._tree.viewport().update()
