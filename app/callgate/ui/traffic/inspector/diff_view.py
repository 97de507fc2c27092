"""What is different between two forms of an exchange: each difference with its meaning, its place and both values."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from callgate.core.json.diff import Change, diff
from callgate.ui.bridge import Bridge
from callgate.ui.text.json_view import as_text
from callgate.ui.text.long_text import LongText
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.traffic.inspector.change_list import CHANGE_ROLE, SIGNS, ChangeDelegate, ChangeModel, place_of
from callgate.ui.traffic.inspector.comparable import Comparable, of_key
from callgate.ui.traffic.inspector.json_sides import SideRow, sides
from callgate.ui.traffic.inspector.translation_words import Meaning, meanings, summary
from callgate.ui.traffic.inspector.two_sides import MOST_ROWS, TwoSides
from callgate.ui.widgets.choice_box import ChoiceBox
from callgate.ui.widgets.empty_state import EmptyState

BESIDE: Final = 780
"""Width from which both forms stand beside the list of their differences."""
_WIDEST: Final = 340
_AT_ONCE: Final = 300
"""Lines that are set out together with the list of their differences."""


class DiffView(QWidget):
    def __init__(self, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wireChanges")
        self._bridge = bridge
        self._sides: tuple[Comparable, ...] = ()
        self._chosen = False
        """True: the person has picked what to compare; it stays so while the sides stay the same."""
        self._wanted: tuple[Comparable, Comparable] | None = None
        self._beside = Comparison()
        self.model = ChangeModel(self)
        self.before, self.after = _choice(theme, "Compare"), _choice(theme, "with")
        self.summary = plain_label(tone="hint", wrap=True)
        self.list = QListView()
        self.list.setAccessibleName("Differences")
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChangeDelegate(theme, self))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = LongText(theme, "Both values of the difference")
        self.detail.text.setProperty("flat", True)
        self.detail.hide()
        self.sides = TwoSides(theme)
        self.sides.hide()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._none = EmptyState(theme, "done", "No differences")
        self._stack = QStackedWidget()
        self._build()
        for box in (self.before, self.after):
            box.currentIndexChanged.connect(self._compare)
            box.activated.connect(self._choose)
        self.list.selectionModel().currentChanged.connect(self._show_detail)
        theme.changed.connect(self.list.viewport().update)

    def show_sides(self, sides: Sequence[Comparable], before: str, after: str) -> None:
        """Offers every side; compares the two given, where they are there, or those that the person picked."""
        same = [side.key for side in sides] == [side.key for side in self._sides]
        if same and self._chosen:
            before, after = str(self.before.currentData()), str(self.after.currentData())
        else:
            self._chosen = False
        self._sides = tuple(sides)
        for box, wanted in ((self.before, before), (self.after, after)):
            box.blockSignals(True)
            box.clear()
            for side in sides:
                box.addItem(side.title, side.key)
            place = of_key(sides, wanted)
            box.setCurrentIndex(place if place >= 0 else 0 if sides else -1)
            box.blockSignals(False)
        self._compare()

    @property
    def is_wide(self) -> bool:
        return self._split.orientation() == Qt.Orientation.Horizontal

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = event.size().width() >= BESIDE
        if is_wide != self.is_wide:
            self._split.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
            self.sides.setVisible(is_wide)
            width = event.size().width()
            beside = min(width // 3, _WIDEST)
            self._split.setSizes([beside, 0, width - beside])
            self._show_detail(self.list.currentIndex())

    def _choose(self) -> None:
        self._chosen = True

    def _build(self) -> None:
        self._split.setChildrenCollapsible(False)
        for place, part in enumerate((self.list, self.detail, self.sides)):
            self._split.addWidget(part)
            self._split.setStretchFactor(place, 1)
        self._stack.addWidget(self._none)
        self._stack.addWidget(self._split)
        choices = QHBoxLayout()
        choices.setContentsMargins(M, S, M, S)
        choices.setSpacing(S)
        choices.addWidget(self.before, 1)
        choices.addWidget(plain_label("→", "hint"))
        choices.addWidget(self.after, 1)
        choices.addStretch()
        for box in (self.before, self.after):
            box.setMaximumWidth(_WIDEST)
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
        rows = self.before.currentIndex(), self.after.currentIndex()
        self.detail.hide()
        if min(rows) < 0 or max(rows) >= len(self._sides):
            self._wanted = None
            self._show(Comparison(), "There is nothing to compare", "Nothing was captured of this exchange.")
            return
        self._wanted = self._sides[rows[0]], self._sides[rows[1]]
        self.summary.setText("Comparing…")
        QTimer.singleShot(0, self, self._start_work)

    def _start_work(self) -> None:
        if self._wanted is not None:
            self._bridge.start(self._work(*self._wanted), self, "comparing")

    async def _work(self, before: Comparable, after: Comparable) -> None:
        found = await asyncio.to_thread(compared, before, after)
        if self._wanted is None or self._wanted[0] is not before or self._wanted[1] is not after:
            return
        if found.problem:
            self._show(found, "They can't be compared", found.problem)
        else:
            self._show(found, "No differences", found.sameness)
            self.summary.setText(found.counts)

    def _show(self, found: "Comparison", title: str, hint: str) -> None:
        self.model.set_changes(found.changes, found.meanings)
        self._beside = found
        if len(found.rows) <= _AT_ONCE:
            self._show_beside()
        else:
            self.sides.show_rows(())
            QTimer.singleShot(0, self, self._show_beside)  # the list first: both at once would hold up the window
        self._none.set_texts(title, hint)
        self._stack.setCurrentIndex(1 if found.changes else 0)
        self.summary.setText("")

    def _show_beside(self) -> None:
        self.sides.show_rows(self._beside.rows, (self.before.currentText(), self.after.currentText()))

    def _show_detail(self, index: QModelIndex) -> None:
        change = index.data(CHANGE_ROLE) if index.isValid() else None
        is_beside = self.is_wide and isinstance(change, Change) and self.sides.point_at(change.where)
        was_hidden = self.detail.isHidden()
        self.detail.setVisible(isinstance(change, Change) and not is_beside)
        if was_hidden and not self.is_wide:
            half = self._split.height() // 2
            self._split.setSizes([half, half, 0])
        if isinstance(change, Change) and not is_beside:
            meaning = self.model.meanings[index.row()]
            said = "" if meaning is None else meaning.what[0].upper() + meaning.what[1:]
            before = "" if change.kind == "added" else f"− {as_text(change.before)}"
            after = "" if change.kind == "removed" else f"+ {as_text(change.after)}"
            place = " · ".join(filter(None, (said, place_of(change))))
            self.detail.show_text("\n".join(filter(None, (place, before, after))))


@dataclass(frozen=True, slots=True)
class Comparison:
    changes: tuple[Change, ...] = ()
    meanings: tuple[Meaning | None, ...] = ()
    rows: tuple[SideRow, ...] = ()
    """Both line by line."""
    counts: str = ""
    sameness: str = ""
    """In what way they are the same, where they are."""
    problem: str = ""
    """Why they can't be compared."""


def compared(before: Comparable, after: Comparable) -> Comparison:
    """All that there is to say of two sides. Runs beside the loop."""
    bodies = (before.read(), after.read())
    for side, body in zip((before, after), bodies, strict=True):
        if not body.is_structured:
            return Comparison(problem=f"{side.title}: {body.problem}")
    changes = diff(bodies[0].value, bodies[1].value)
    told = meanings(changes)
    counts = Counter(change.kind for change in changes)
    same_bytes = bool(bodies[0].data) and bodies[0].data == bodies[1].data
    return Comparison(
        changes,
        told,
        tuple(islice(sides(bodies[0].value, bodies[1].value), MOST_ROWS + 1)) if changes else (),
        " · ".join(filter(None, (_counted(counts), summary(told)))),
        "They are the same, byte for byte." if same_bytes else "Both say the same.",
    )


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[kind]:,} {kind}" for kind in SIGNS if counts[kind])


def _choice(theme: Theme, name: str) -> ChoiceBox:
    box = ChoiceBox(theme, name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    return box
