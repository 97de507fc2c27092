"""Keeps the places where a call can be decided in step: folds the events, hands every place the same list.

Owns the dialog and the queue; holds no truth but the fold. The third place, the card in a conversation, follows the
same events by itself.
"""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from callgate.core.events import Event, InvocationChanged
from callgate.engine.console import Console
from callgate.ui.approvals.dialog import INITIATOR, ApprovalDialog
from callgate.ui.approvals.queue_panel import QueuePanel
from callgate.ui.approvals.waiting import WaitingCall, WaitingCalls
from callgate.ui.approvals.words import ending
from callgate.ui.bridge import Bridge
from callgate.ui.deliberate import ARM_MS
from callgate.ui.theme import Theme


class ApprovalPresenter(QObject):
    waiting_changed = Signal(int)
    """How many calls wait."""
    reveal_requested = Signal(str)
    """The person wants to see a call in its conversation; conversation id."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        window: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`window`: what the dialog belongs to; may be given later with `set_window`."""
        super().__init__(window)
        self._waiting = WaitingCalls(console.waiting())
        self._quiet = False
        self.dialog = ApprovalDialog(console, theme, window, arm_ms=arm_ms, now=now, bridge=bridge)
        self.queue = QueuePanel(console, theme, arm_ms=arm_ms, now=now, bridge=bridge)
        for place in (self.dialog, self.queue):
            place.snoozed.connect(self._snooze)
        self.dialog.reveal_requested.connect(self.reveal_requested)
        self.queue.open_requested.connect(self.open)
        bridge.batch.connect(self.apply)
        bridge.batch.connect(self.dialog.notice.apply)
        self._hand_out()
        if self._wakeful:
            self.dialog.come_up()

    @property
    def count(self) -> int:
        return len(self._waiting)

    def set_window(self, window: QWidget) -> None:
        shown = self.dialog.isVisible()
        self.dialog.setParent(window, self.dialog.windowFlags() & ~Qt.WindowType.Widget | Qt.WindowType.Dialog)
        if shown:
            self.dialog.come_up()

    def set_quiet(self, quiet: bool) -> None:
        """While quiet, the dialog does not come up by itself; what came meanwhile is shown when it is over."""
        ended, self._quiet = self._quiet and not quiet, quiet
        if ended and self._wakeful:
            self.dialog.come_up()

    def apply(self, batch: tuple[Event, ...]) -> None:
        before = len(self._waiting)
        change = self._waiting.apply(batch)
        if not change.began and not change.ended and not _touches(batch):
            return
        gone = [event for event in change.ended if event.invocation.id == self.dialog.current_id]
        self._hand_out(_note(gone[-1]) if gone else "")
        if change.began and self._wakeful and not self._quiet:
            self.dialog.come_up()
        if len(self._waiting) != before:
            self.waiting_changed.emit(len(self._waiting))

    def open(self, invocation_id: str = "") -> None:
        """The person wants to see a call, or the oldest, wherever the dialog is; one put off is not any more."""
        if invocation_id:
            self._waiting.wake(invocation_id)
        elif not self._wakeful:
            for call in self._waiting.calls:
                self._waiting.wake(call.id)
        self._hand_out()
        if self._wakeful:
            self.dialog.show_call(invocation_id)
            self.dialog.come_forward()

    def _for_dialog(self) -> tuple[WaitingCall, ...]:
        return tuple(call for call in self._waiting.calls if not call.snoozed)

    @property
    def _wakeful(self) -> bool:
        """Whether a call waits that was not put off."""
        return bool(self._for_dialog())

    def _hand_out(self, note: str = "") -> None:
        self.queue.set_calls(self._waiting.calls)
        self.dialog.set_calls([call.invocation for call in self._for_dialog()], note)

    def _snooze(self, invocation_id: str) -> None:
        if self._waiting.snooze(invocation_id):
            self._hand_out()


def _note(event: InvocationChanged) -> str:
    """A decision made in the dialog itself needs no telling."""
    return "" if event.initiator == INITIATOR else ending(event)


def _touches(batch: tuple[Event, ...]) -> bool:
    return any(isinstance(event, InvocationChanged) and event.invocation.is_waiting for event in batch)
