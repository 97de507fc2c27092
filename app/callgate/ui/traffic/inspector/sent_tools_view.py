"""What was really sent: the tools that the client offered, those that Callgate added or left out, and what reached the
provider. Shows what the wire desk tells; knows no wire.
"""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from callgate.core.catalog.left_out import LeftOut
from callgate.core.catalog.sent_tools import Fate, SentTool, SentTools
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_view import as_text
from callgate.ui.text.long_text import LongText
from callgate.ui.text.plain_text import plain_label, plain_tip
from callgate.ui.theme.theme import SMALL_SIZE, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_NAME, _WHAT = range(2)
_DETAIL: Final = Qt.ItemDataRole.UserRole + 1
_FATES: Final[dict[Fate, tuple[str, str, str]]] = {
    "sent": ("done", "completed", "sent as it is"),
    "changed": ("edit", "waiting", "changed on the way"),
    "dropped": ("denied", "denied", "not sent"),
}
_LIGHT: Final = "cancelled"
_HEIGHT: Final = 24
_MOST_OPEN: Final = 12
_NAME_WIDTH: Final = 210
"""At least."""


class SentToolsView(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sentTools")
        self.setAccessibleName("What was really sent")
        self._theme = theme
        self.told: SentTools | None = None
        self._longest = ""
        self.summary = plain_label(tone="secondary", wrap=True)
        self.warnings = plain_label(tone="waiting", wrap=True)
        self.tree = QTreeWidget()
        self.detail = LongText(theme, "Definition as offered and as sent")
        self._none = EmptyState(
            theme, "tools", "No tools in this round", "Neither the client nor Callgate offered any."
        )
        self._stack = QStackedWidget()
        self._build()
        self.tree.currentItemChanged.connect(lambda item, _: self._show_detail(item))
        theme.changed.connect(self._fill)

    def show_tools(self, told: SentTools | None) -> None:
        if told == self.told and told is not None:
            return
        self.told = told
        self._fill()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        tree = self.tree
        tree.setAccessibleName("Tools of the round")
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setUniformRowHeights(True)
        tree.setIndentation(14)
        tree.setIconSize(self._theme.icon_size)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setStretchLastSection(True)
        tree.header().setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Interactive)
        tree.header().resizeSection(_NAME, _NAME_WIDTH)
        self.detail.hide()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(tree)
        split.addWidget(self.detail)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(M, S, M, S)
        head.setSpacing(4)
        head.addWidget(self.summary)
        head.addWidget(self.warnings)
        column.addLayout(head)
        column.addWidget(split, 1)
        self._stack.addWidget(self._none)
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self.setFocusProxy(tree)

    # ---- showing ---------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        told = self.told
        self.tree.clear()
        self.detail.hide()
        empty = told is None or not (told.tools or told.left_out)
        self._stack.setCurrentIndex(0 if empty else 1)
        if told is None or empty:
            return
        self.summary.setText(in_words(told))
        self.warnings.setText("\n".join(reveal(warning) for warning in told.warnings))
        self.warnings.setVisible(bool(told.warnings))
        for title, tools in (("From the client", told.from_client), ("Added by Callgate", told.added)):
            if tools:
                # a long list of which there is nothing to say stays folded, so that the rest is in sight
                folded = len(tools) > _MOST_OPEN and all(tool.fate == "sent" for tool in tools)
                self._group(title, len(tools), [self._tool(tool) for tool in tools], opened=not folded)
        if told.left_out:
            total = sum(one.total for one in told.left_out)
            self._group("Left out by Callgate", total, [self._left_out(one) for one in told.left_out])
        names = [reveal(tool.name) for tool in told.tools] + [_title(one) for one in told.left_out]
        self._longest = max(names, key=len, default="")
        self._give_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()  # a page that was never shown had no width yet when it was filled

    def _give_room(self) -> None:
        """To the longest name, as far as what is said of it keeps half of the width."""
        signs = 2 * self.tree.indentation() + self._theme.icon_size.width() + 2 * S
        wanted = QFontMetrics(self._theme.mono(SMALL_SIZE)).horizontalAdvance(self._longest) + signs
        self.tree.header().resizeSection(_NAME, max(_NAME_WIDTH, min(wanted, self.width() // 2)))

    def _group(self, title: str, count: int, items: list[QTreeWidgetItem], *, opened: bool = True) -> None:
        top = QTreeWidgetItem([title, f"{count:,}"])
        top.setFont(_NAME, self._theme.ui(SMALL_SIZE, bold=True))
        top.setForeground(_WHAT, self._theme.color("text3"))
        top.setSizeHint(_NAME, QSize(0, _HEIGHT))
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        top.addChildren(items)
        self.tree.addTopLevelItem(top)
        top.setExpanded(opened)

    def _tool(self, tool: SentTool) -> QTreeWidgetItem:
        icon, color, words = _FATES[tool.fate]
        told = "; ".join(tool.changes) or words
        item = QTreeWidgetItem([reveal(tool.name), reveal(told)])
        item.setIcon(_NAME, self._theme.icon(icon, color))
        self._dress(item, self._theme.color("text" if tool.fate != "dropped" else "text3"), told)
        item.setData(_NAME, _DETAIL, _definitions(tool))
        return item

    def _left_out(self, one: LeftOut) -> QTreeWidgetItem:
        alone = _is_alone(one)
        item = QTreeWidgetItem([_title(one), reveal(f"{one.why} · {_place(one)}" if alone else one.why)])
        item.setIcon(_NAME, self._theme.icon("hidden", _LIGHT))
        self._dress(item, self._theme.color("text2"), one.why)
        if alone:
            return item
        for name in one.tools:
            child = QTreeWidgetItem([reveal(name), ""])
            child.setFont(_NAME, self._theme.mono(SMALL_SIZE))
            child.setForeground(_NAME, self._theme.color("text2"))
            item.addChild(child)
        if one.tools and one.total > len(one.tools):
            item.addChild(QTreeWidgetItem([f"… and {one.total - len(one.tools):,} more", ""]))
        return item

    def _dress(self, item: QTreeWidgetItem, ink: QColor, tip: str) -> None:
        item.setSizeHint(_NAME, QSize(0, _HEIGHT))
        item.setFont(_NAME, self._theme.mono(SMALL_SIZE))
        item.setFont(_WHAT, self._theme.ui(SMALL_SIZE))
        item.setForeground(_NAME, ink)
        item.setForeground(_WHAT, self._theme.color("text3"))
        item.setToolTip(_WHAT, plain_tip(tip))

    def _show_detail(self, item: QTreeWidgetItem | None) -> None:
        text = item.data(_NAME, _DETAIL) if item is not None else None
        self.detail.setVisible(bool(text))
        if text:
            self.detail.show_text(str(text))


def in_words(told: SentTools) -> str:
    """`3 from the client, 12 added, 4 left out: 15 reached the provider.`"""
    left = sum(one.total for one in told.left_out)
    parts = [f"{len(told.from_client)} from the client", f"{len(told.added)} added by Callgate"]
    if left:
        parts.append(f"{left:,} left out")
    reached = f"{told.reached} reached the provider"
    if not told.is_known:
        reached = "what reached the provider can't be read"
    return f"{', '.join(parts)}: {reached}."


def _definitions(tool: SentTool) -> str:
    offered = f"Offered\n{as_text(tool.definition)}"
    if tool.sent is None:
        return f"{offered}\n\nNot sent"
    if tool.sent == tool.definition:
        return offered.replace("Offered", "Offered and sent", 1)
    return f"{offered}\n\nSent\n{as_text(tool.sent)}"


def _place(one: LeftOut) -> str:
    return one.source or "every source"


def _is_alone(one: LeftOut) -> bool:
    """Nobody should have to unfold one name."""
    return one.total == 1 and bool(one.tools)


def _title(one: LeftOut) -> str:
    return reveal(one.tools[0] if _is_alone(one) else f"{_place(one)} · {one.total:,} tools")
