"""What is different between two legs of an exchange: each difference with its sign, its place and both values."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Leg
from callgate.core.json_diff import Change, ChangeKind, diff
from callgate.core.messages import Json
from callgate.ui.bridge import Bridge
from callgate.ui.choice_box import ChoiceBox
from callgate.ui.empty_state import EmptyState
from callgate.ui.json_tree import one_line
from callgate.ui.json_view import as_text
from callgate.ui.long_text import LongText
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import SMALL_SIZE, M, S, Theme, mix
from callgate.ui.traffic.body import Body, read_body
from callgate.ui.traffic.captured import Capture, Captures

SIGNS: Final[dict[ChangeKind, tuple[str, str]]] = {
    "added": ("+", "completed"),
    "removed": ("−", "denied"),
    "changed": ("~", "waiting"),
}
PAGE: Final = 500
"""Differences listed at a time: two large bodies may have fifty thousand."""
_HEIGHT: Final = 42
_EDGE: Final = 26
_NO_PARENT: Final = QModelIndex()
CHANGE_ROLE: Final = Qt.ItemDataRole.UserRole + 1

Index = QModelIndex | QPersistentModelIndex
Key = tuple[Leg, int]


class ChangeModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.changes: tuple[Change, ...] = ()
        self._listed = 0

    def set_changes(self, changes: tuple[Change, ...]) -> None:
        self.beginResetModel()
        self.changes, self._listed = changes, min(PAGE, len(changes))
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._listed

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._listed < len(self.changes)

    def fetchMore(self, parent: Index) -> None:
        end = min(self._listed + PAGE, len(self.changes))
        if parent.isValid() or end == self._listed:
            return
        self.beginInsertRows(_NO_PARENT, self._listed, end - 1)
        self._listed = end
        self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < self._listed:
            return None
        change = self.changes[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{change.kind} {place_of(change)}: {in_words(change)}"
        return change if role == CHANGE_ROLE else None


class DiffView(QWidget):
    def __init__(self, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._held: Captures = {}
        self._bodies: Mapping[Key, Body] = {}
        self._wanted: tuple[Capture, Capture] | None = None
        self.model = ChangeModel(self)
        self.before, self.after = _choice(theme, "Compare"), _choice(theme, "with")
        self.summary = plain_label(tone="hint")
        self.list = QListView()
        self.list.setAccessibleName("Differences")
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Delegate(theme, self))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = LongText(theme, "Both values of the difference")
        self.detail.hide()
        self._none = EmptyState(theme, "done", "No differences")
        self._stack = QStackedWidget()
        self._build()
        self.before.currentIndexChanged.connect(self._compare)
        self.after.currentIndexChanged.connect(self._compare)
        self.list.selectionModel().currentChanged.connect(self._show_detail)
        theme.changed.connect(self.list.viewport().update)

    def show_captures(
        self, held: Captures, before: Key | None, after: Key | None, bodies: Mapping[Key, Body] | None = None
    ) -> None:
        """Offers every leg; compares the two given, where they are there. `bodies`: those that are read already."""
        self._held, self._bodies = held, bodies or {}
        for box, wanted in ((self.before, before), (self.after, after)):
            box.blockSignals(True)
            box.clear()
            for key, capture in held.items():
                box.addItem(capture.title, key)
            place = next((row for row, key in enumerate(held) if key == wanted), 0 if held else -1)
            box.setCurrentIndex(place)
            box.blockSignals(False)
        self._compare()

    def _build(self) -> None:
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(self.detail)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        self._stack.addWidget(self._none)
        self._stack.addWidget(split)
        choices = QHBoxLayout()
        choices.setContentsMargins(M, S, M, S)
        choices.setSpacing(S)
        choices.addWidget(self.before, 1)
        choices.addWidget(plain_label("→", "hint"))
        choices.addWidget(self.after, 1)
        told = QHBoxLayout()
        told.setContentsMargins(M, 0, M, S)
        told.addWidget(self.summary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(choices)
        column.addLayout(told)
        column.addWidget(self._stack, 1)

    def _compare(self) -> None:
        keys = list(self._held)
        rows = self.before.currentIndex(), self.after.currentIndex()
        self.detail.hide()
        if min(rows) < 0 or max(rows) >= len(keys):
            self._wanted = None
            self._show((), "There is nothing to compare", "Nothing was captured of this exchange.")
            return
        self._wanted = self._held[keys[rows[0]]], self._held[keys[rows[1]]]
        self.summary.setText("Comparing…")
        QTimer.singleShot(0, self, self._start_work)

    def _start_work(self) -> None:
        if self._wanted is not None:
            self._bridge.start(self._work(*self._wanted), self, "comparing")

    async def _work(self, before: Capture, after: Capture) -> None:
        bodies = dict(self._bodies)
        found = await asyncio.to_thread(compared, before, after, bodies)
        if self._wanted is None or self._wanted[0] is not before or self._wanted[1] is not after:
            return
        if found.problem:
            self._show((), "They can't be compared", found.problem)
        else:
            self._show(found.changes, "No differences", found.sameness)
            self.summary.setText(found.counts)

    def _show(self, changes: tuple[Change, ...], title: str, hint: str) -> None:
        self.model.set_changes(changes)
        self._none.set_texts(title, hint)
        self._stack.setCurrentIndex(1 if changes else 0)
        self.summary.setText("")

    def _show_detail(self, index: QModelIndex) -> None:
        change = index.data(CHANGE_ROLE) if index.isValid() else None
        self.detail.setVisible(isinstance(change, Change))
        if isinstance(change, Change):
            before = "" if change.kind == "added" else f"− {as_text(change.before)}"
            after = "" if change.kind == "removed" else f"+ {as_text(change.after)}"
            self.detail.show_text("\n".join(filter(None, (place_of(change), before, after))))


@dataclass(frozen=True, slots=True)
class Comparison:
    changes: tuple[Change, ...] = ()
    counts: str = ""
    sameness: str = ""
    """In what way they are the same, where they are."""
    problem: str = ""
    """Why they can't be compared."""


def compared(before: Capture, after: Capture, known: Mapping[Key, Body]) -> Comparison:
    """All that there is to say of two legs. Runs beside the loop."""
    bodies = [known.get(capture.key) or read_body(capture) for capture in (before, after)]
    for capture, body in zip((before, after), bodies, strict=True):
        if not body.is_structured:
            return Comparison(problem=f"{capture.title}: {body.problem}")
    changes = diff(bodies[0].value, bodies[1].value)
    counts = Counter(change.kind for change in changes)
    same_bytes = bodies[0].data == bodies[1].data
    return Comparison(
        changes,
        ", ".join(f"{counts[kind]:,} {kind}" for kind in SIGNS if counts[kind]),
        "They are the same, byte for byte." if same_bytes else "Both say the same.",
    )


def place_of(change: Change) -> str:
    return reveal(change.where) or "the whole body"


def in_words(change: Change) -> str:
    """Both values in one line."""
    match change.kind:
        case "added":
            return _short(change.after)
        case "removed":
            return _short(change.before)
        case _:
            return f"{_short(change.before)}  →  {_short(change.after)}"


def _short(value: Json) -> str:
    line = one_line(value)
    return line if len(line) <= 120 else line[:119] + "…"


def _choice(theme: Theme, name: str) -> ChoiceBox:
    box = ChoiceBox(theme, name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    return box


class _Delegate(QStyledItemDelegate):
    """Two lines: sign and place, then the values."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        change = index.data(CHANGE_ROLE)
        if not isinstance(change, Change):
            return
        sign, color = SIGNS[change.kind]
        ink, surface = self._theme.color(color), self._theme.color("surface")
        strength = 0.2 if option.state & QStyle.StateFlag.State_Selected else 0.08
        painter.save()
        painter.fillRect(option.rect.adjusted(0, 0, 0, -1), mix(ink, surface, strength))
        font = self._theme.mono(SMALL_SIZE)
        painter.setFont(font)
        box = option.rect.adjusted(S, 4, -S, -5)
        half = box.height() // 2
        painter.setPen(ink)
        edge = QRect(box.left(), box.top(), _EDGE - S, half)
        painter.drawText(edge, int(Qt.AlignmentFlag.AlignCenter), sign)
        metrics = QFontMetrics(font)
        room = box.width() - _EDGE
        lines = ((place_of(change), "text", Qt.TextElideMode.ElideMiddle), (in_words(change), "text2", _END))
        for number, (text, tone, elide) in enumerate(lines):
            painter.setPen(self._theme.color(tone))
            line = QRect(box.left() + _EDGE, box.top() + number * half, room, half)
            place = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
            painter.drawText(line, place, metrics.elidedText(text, elide, room))
        painter.restore()


_END: Final = Qt.TextElideMode.ElideRight
