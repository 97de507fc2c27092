"""The queue: everything that waits, over all agents, oldest first, with the chosen call beside it.

Shows the calls that the presenter hands it. What has been shown in full is remembered here, because only that may be
decided in bulk.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QListView, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.engine.console.console import Console
from callgate.ui.approvals.arrangement import arranged
from callgate.ui.approvals.bulk import BulkBar
from callgate.ui.approvals.call_sheet import CallSheet
from callgate.ui.approvals.queue_delegate import QueueDelegate
from callgate.ui.approvals.queue_filter import QueueFilter
from callgate.ui.approvals.queue_model import QueueModel
from callgate.ui.approvals.waiting import WaitingCall
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS, is_typing
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.denial_line import DenialLine
from callgate.ui.decision.draft import asked
from callgate.ui.decision.places import LiveRing, screen_box
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

INITIATOR: Final = "queue"
_TICK_MS: Final = 1000
_NARROW: Final = 640
"""Below this width, where there is height for it, the chosen call goes under the list instead of beside it."""


class QueueList(QListView):
    """J and K walk, Enter opens the dialog, / goes to the filter."""

    opened = Signal()
    filter_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Slash and not event.modifiers():
            self.filter_wanted.emit()
        elif step is not None and not event.modifiers():
            index = self.model().index(self.currentIndex().row() + step, 0)
            if index.isValid():
                self.setCurrentIndex(index)
        elif is_typing(event):
            event.ignore()  # nothing is looked up by its first letters here: it was typed for something else
        else:
            super().keyPressEvent(event)


class QueuePanel(QWidget):
    snoozed = Signal(str)
    """Not now; invocation id."""
    open_requested = Signal(str)
    """Show it in the dialog; invocation id."""
    turned = Signal(str)
    """Another call was chosen; invocation id."""
    entered = Signal()
    """It has got the focus."""
    left = Signal()
    """It can't be seen any more."""
    wanted = Signal()
    """It should be brought up."""

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
        self._calls: tuple[WaitingCall, ...] = ()
        self._shown: dict[str, Invocation] = {}
        """Calls that have been on the screen in full, as they were then."""
        self.model = QueueModel(now, self, console.agents.is_registered)
        self.list = QueueList()
        self.filter = QueueFilter(theme)
        self.sheet = CallSheet(console, theme, compact=True, now=now, bridge=bridge)
        self._detail = QWidget()
        self._ring = LiveRing(theme, self._detail)
        self._up = ("", "")
        self.bar = DecisionBar(console, theme, INITIATOR, arm_ms=arm_ms, bridge=bridge)
        self.denial = DenialLine(console, theme, INITIATOR)
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
        self._calls = tuple(calls)
        waiting = {call.id: call.invocation for call in calls}
        self._shown = {
            invocation_id: waiting[invocation_id]
            for invocation_id, before in self._shown.items()
            if invocation_id in waiting and _same_text(before, waiting[invocation_id])
        }
        self._stack.setCurrentIndex(1 if calls else 0)
        self._arrange_calls()

    # ---- one place of several ----------------------------------------------------------------------------------------

    def shows(self, invocation_id: str) -> bool:
        chosen = self._chosen()
        return chosen is not None and chosen.id == invocation_id and not screen_box(self._detail).isEmpty()

    def bar_of(self, invocation_id: str) -> DecisionBar | None:
        chosen = self._chosen()
        return self.bar if chosen is not None and chosen.id == invocation_id else None

    def set_live(self, invocation_id: str, where: str) -> None:
        chosen = self._chosen()
        self._up = (invocation_id, where)
        if invocation_id and (chosen is None or chosen.id != invocation_id):
            self.choose(invocation_id)
            chosen = self._chosen()
        live = bool(invocation_id) and chosen is not None and chosen.id == invocation_id
        self.bar.set_live(live, where)
        self._ring.set_live(live)

    def bring_up(self, invocation_id: str) -> None:
        self.wanted.emit()
        self.choose(invocation_id)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focus_moved(self, before: QWidget | None, now: QWidget | None) -> None:
        """Only from elsewhere in its window: with the window itself the focus comes back to where it was."""
        if now is None or before is None or not self.isAncestorOf(now) or self.isAncestorOf(before):
            return
        if before.window() is self.window():
            self.entered.emit()

    def _turn(self) -> None:
        self._show_chosen()
        chosen = self._chosen()
        if chosen is not None:
            self.turned.emit(chosen.id)

    def _arrange_calls(self) -> None:
        """The list anew: other calls, another filter or another order."""
        before = self._chosen()
        # headings make rows of two heights, and those have to be measured one by one
        self.list.setUniformItemSizes(self.filter.order != "conversation")
        self.model.set_entries(arranged(self._calls, self.filter.order, self.filter.wanted))
        self.filter.tell(sum(len(entry.calls) for entry in self.model.entries), len(self._calls))
        if not self.list.currentIndex().isValid():
            row = self.model.row_of(before.id) if before is not None else 0
            self._choose(max(0, row))
        self._show_chosen()
        self._tell_shown()

    def choose(self, invocation_id: str) -> None:
        row = self.model.row_of(invocation_id)
        if row >= 0:
            self._choose(row)

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_chosen()
        self.model.tick()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < min(_NARROW, event.size().height() * 2)
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build_list(self, theme: Theme) -> None:
        self.list.setObjectName("approvalQueue")
        self.list.setAccessibleName("Calls waiting for a decision")
        self.list.setModel(self.model)
        self.list.setItemDelegate(QueueDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        theme.changed.connect(self.list.viewport().update)

    def _arrange(self, theme: Theme) -> None:
        side = QWidget()
        left = QVBoxLayout(side)
        left.setContentsMargins(0, S, 0, S)
        left.setSpacing(S)
        left.addWidget(self.filter)
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
        self._stack = QStackedLayout()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._stack, 1)
        whole.addWidget(self.denial)
        self._stack.addWidget(EmptyState(theme, "gate", "Nothing waiting", "Calls that need you appear here."))
        self._stack.addWidget(self._split)
        self._note.hide()

    def _connect(self) -> None:
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._turn())
        self.list.doubleClicked.connect(lambda _: self._open())
        self.list.opened.connect(self._open)
        self.filter.changed.connect(self._arrange_calls)
        self.filter.left.connect(self.list.setFocus)
        self.list.filter_wanted.connect(self.filter.begin)
        self.sheet.seen.connect(self._saw)
        self.bar.show_requested.connect(self.sheet.show_end)
        self.bar.editing.connect(self._make_room)
        self.bar.snoozed.connect(self.snoozed)
        self.bar.denied_at_once.connect(self.denial.show_denial)
        self.bulk.failed.connect(self._tell_late)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_moved)

    # ---- the chosen call -------------------------------------------------------------------------------------------

    def _choose(self, row: int) -> None:
        index = self.model.index(row, 0)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if index.isValid():
            self.list.scrollTo(index)

    def _chosen(self) -> WaitingCall | None:
        index: QModelIndex = self.list.currentIndex()
        return self.model.call_at(index.row()) if index.isValid() else None

    def _show_chosen(self) -> None:
        call = self._chosen()
        self._detail.setVisible(call is not None)
        if call is None or not self.isVisible():
            # nobody sees it: a large call would be laid out for nothing
            self.bar.show_invocation(None)
            return
        entry = self.model.entry_at(self.list.currentIndex().row())
        sibling, alike = ((1, 1), 1) if entry is None else (entry.sibling, len(entry.calls))
        self.sheet.show_invocation(call.invocation, sibling, alike)
        self.bar.set_seen(self.sheet.is_seen)
        self.bar.show_invocation(call.invocation)
        if self.sheet.is_seen:
            self._saw()

    def _saw(self) -> None:
        entry = self.model.entry_at(self.list.currentIndex().row())
        self.bar.set_seen(True)
        if entry is not None and self.isVisible():
            # calls that are letter for letter the same have been seen with it
            self._shown.update({call.id: call.invocation for call in entry.calls})
            self._tell_shown()

    def _make_room(self, editing: bool) -> None:
        """The room of the text that is read goes to the text that is edited."""
        self.sheet.set_editing(editing)
        self._column.setStretchFactor(self.sheet, 0 if editing else 1)
        self._column.setStretchFactor(self.bar, 1 if editing else 0)

    def _tell_shown(self) -> None:
        self.model.set_seen(frozenset(self._shown))
        listed = [call for entry in self.model.entries for call in entry.calls]
        self.bulk.set_calls([call.invocation for call in listed if call.id in self._shown])
        self.bulk.setVisible(len(listed) > 1)
        self._note.hide()

    def _tell_late(self, count: int) -> None:
        self._note.setText(f"{count} of them had been decided already.")
        self._note.show()

    def _open(self) -> None:
        call = self._chosen()
        if call is not None:
            self.open_requested.emit(call.id)


def _same_text(before: Invocation, now: Invocation) -> bool:
    return (asked(before), before.ran_result) == (asked(now), now.ran_result)
