"""The queue: everything that waits, over all agents, oldest first, with the chosen call beside it.

Shows the calls that the presenter hands it. What has been shown in full is remembered here, because only that may be
decided in bulk.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QListView, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from callgate.core.invocation import Invocation
from callgate.engine.console import Console
from callgate.ui.approvals.bulk import BulkBar
from callgate.ui.approvals.call_sheet import CallSheet
from callgate.ui.approvals.queue_delegate import QueueDelegate
from callgate.ui.approvals.queue_model import QueueModel
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.bridge import Bridge
from callgate.ui.decision import DecisionBar
from callgate.ui.deliberate import ARM_MS
from callgate.ui.empty_state import EmptyState
from callgate.ui.plain_text import plain_label
from callgate.ui.theme import M, S, Theme

INITIATOR: Final = "queue"
_TICK_MS: Final = 1000
_NARROW: Final = 640
"""Below this width, where there is height for it, the chosen call goes under the list instead of beside it."""


class QueueList(QListView):
    """J and K walk, Enter opens the dialog."""

    opened = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.opened.emit()
        elif step is not None and not event.modifiers():
            index = self.model().index(self.currentIndex().row() + step, 0)
            if index.isValid():
                self.setCurrentIndex(index)
        else:
            super().keyPressEvent(event)


class QueuePanel(QWidget):
    snoozed = Signal(str)
    """Not now; invocation id."""
    open_requested = Signal(str)
    """Show it in the dialog; invocation id."""

    def __init__(
        self,
        console: Console,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
        bridge: Bridge | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("pane", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._shown: dict[str, Invocation] = {}
        """Calls that have been on the screen in full, as they were then."""
        self.model = QueueModel(now, self)
        self.list = QueueList()
        self.sheet = CallSheet(console, theme, compact=True, now=now)
        self._detail = QWidget()
        self.bar = DecisionBar(console, theme, INITIATOR, arm_ms=arm_ms, scope=self, bridge=bridge)
        self.bulk = BulkBar(console, INITIATOR, arm_ms=arm_ms)
        self._note = plain_label("", "hint", wrap=True)
        self._build_list(theme)
        self._arrange(theme)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.model.tick)
        self._connect()
        self._show_chosen()

    def set_calls(self, calls: Sequence[WaitingCall]) -> None:
        self.model.set_calls(calls)
        waiting = {call.id: call.invocation for call in calls}
        self._shown = {
            invocation_id: waiting[invocation_id]
            for invocation_id, before in self._shown.items()
            if invocation_id in waiting and _same_text(before, waiting[invocation_id])
        }
        if calls and not self.list.currentIndex().isValid():
            self._choose(0)
        self._stack.setCurrentIndex(1 if calls else 0)
        self._show_chosen()
        self._tell_shown()

    def choose(self, invocation_id: str) -> None:
        row = self.model.row_of(invocation_id)
        if row >= 0:
            self._choose(row)

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.tick()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < min(_NARROW, event.size().height() * 2)
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build_list(self, theme: Theme) -> None:
        self.list.setObjectName("approvalQueue")
        self.list.setAccessibleName("Calls that wait for a decision")
        self.list.setModel(self.model)
        self.list.setItemDelegate(QueueDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        theme.changed.connect(self.list.viewport().update)

    def _arrange(self, theme: Theme) -> None:
        side = QWidget()
        left = QVBoxLayout(side)
        left.setContentsMargins(0, 0, 0, S)
        left.setSpacing(S)
        left.addWidget(self.list, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(S, 0, S, 0)
        foot.addWidget(self._note)
        foot.addWidget(self.bulk)
        left.addLayout(foot)
        self._column = right = QVBoxLayout(self._detail)
        right.setContentsMargins(M, S, M, S)
        right.setSpacing(S)
        right.addWidget(self.sheet, 1)
        right.addWidget(self.bar)
        self._split = QSplitter()
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(side)
        self._split.addWidget(self._detail)
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 3)
        self._split.setSizes([400, 600])
        self._stack = QStackedLayout(self)
        self._stack.addWidget(EmptyState(theme, "gate", "Nothing waits.", "Calls that need you appear here."))
        self._stack.addWidget(self._split)
        self._note.hide()

    def _connect(self) -> None:
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_chosen())
        self.list.doubleClicked.connect(lambda _: self._open())
        self.list.opened.connect(self._open)
        self.sheet.seen.connect(self._saw)
        self.bar.show_requested.connect(self.sheet.show_end)
        self.bar.editing.connect(self._make_room)
        self.bar.snoozed.connect(self.snoozed)
        self.bulk.failed.connect(self._tell_late)

    # ---- the chosen call -------------------------------------------------------------------------------------------

    def _choose(self, row: int) -> None:
        self.list.selectionModel().setCurrentIndex(
            self.model.index(row, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def _chosen(self) -> WaitingCall | None:
        index: QModelIndex = self.list.currentIndex()
        return self.model.call_at(index.row()) if index.isValid() else None

    def _show_chosen(self) -> None:
        call = self._chosen()
        self._detail.setVisible(call is not None)
        if call is None:
            self.bar.show_invocation(None)
            return
        self.sheet.show_invocation(call.invocation)
        self.bar.set_seen(self.sheet.is_seen)
        self.bar.show_invocation(call.invocation)
        if self.sheet.is_seen:
            self._saw()

    def _saw(self) -> None:
        call = self._chosen()
        self.bar.set_seen(True)
        if call is not None and self.isVisible():
            self._shown[call.id] = call.invocation
            self._tell_shown()

    def _make_room(self, editing: bool) -> None:
        """The room of the text that is read goes to the text that is edited."""
        self.sheet.set_editing(editing)
        self._column.setStretchFactor(self.sheet, 0 if editing else 1)
        self._column.setStretchFactor(self.bar, 1 if editing else 0)

    def _tell_shown(self) -> None:
        self.model.set_seen(frozenset(self._shown))
        order = [self.model.call_at(row) for row in range(self.model.rowCount())]
        self.bulk.set_calls([call.invocation for call in order if call is not None and call.id in self._shown])
        self.bulk.setVisible(self.model.rowCount() > 1)
        self._note.hide()

    def _tell_late(self, count: int) -> None:
        self._note.setText(f"{count} of them had been decided already.")
        self._note.show()

    def _open(self) -> None:
        call = self._chosen()
        if call is not None:
            self.open_requested.emit(call.id)


def _same_text(before: Invocation, now: Invocation) -> bool:
    return (before.state, before.arguments, before.ran_result) == (now.state, now.arguments, now.ran_result)
