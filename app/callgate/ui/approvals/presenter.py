"""Keeps the places where a call can be decided in step: folds the events, hands every place the same list.

Owns the dialog, the queue and `DecisionPlaces`, which says in which of them a call is decided; holds no truth but the
fold. The third place, the card in a conversation, follows the same events by itself.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import cast

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from callgate.core.events import Event, InvocationChanged
from callgate.engine.console.console import Console
from callgate.ui.approvals.dialog import INITIATOR, ApprovalDialog
from callgate.ui.approvals.queue_panel import QueuePanel
from callgate.ui.approvals.waiting import WaitingCall, WaitingCalls
from callgate.ui.approvals.words import ending, headline
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS
from callgate.ui.decision.places import WHERE_WORDS, DecisionPlaces, PlaceName
from callgate.ui.shell.announcement import announce
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.theme.theme import Theme


class ApprovalPresenter(QObject):
    waiting_changed = Signal(int)
    """How many calls wait."""
    reveal_requested = Signal(str)
    """The person wants to see a call in its conversation; conversation id."""
    queue_wanted = Signal()
    """The queue should be brought up: the person decides there."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        window: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
        settings: QSettings | None = None,
    ) -> None:
        """`window`: what the dialog belongs to; may be given later with `set_window`."""
        super().__init__(window)
        self._console = console
        self._waiting = WaitingCalls(console.waiting())
        self.dialog = ApprovalDialog(console, theme, window, arm_ms=arm_ms, now=now, bridge=bridge, settings=settings)
        self.queue = QueuePanel(console, theme, arm_ms=arm_ms, now=now, bridge=bridge)
        self.places = DecisionPlaces(settings, window or self)
        for place in (self.dialog, self.queue):
            place.snoozed.connect(self._snooze)
        self._connect_places()
        self.dialog.reveal_requested.connect(self.reveal_requested)
        self.queue.open_requested.connect(self._open_in_dialog)
        bridge.batch.connect(self.apply)
        bridge.batch.connect(self.dialog.notice.apply)
        self.where_menu = self._where_menu()
        self.dialog.bar.add_menu(self.where_menu)
        self._hand_out(began=True)

    @property
    def count(self) -> int:
        return len(self._waiting)

    def set_window(self, window: QWidget) -> None:
        shown = self.dialog.isVisible()
        self.places.setParent(window)
        self.places.chords.add_window(window, has_palette=True)
        self.dialog.setParent(window, self.dialog.windowFlags() & ~Qt.WindowType.Widget | Qt.WindowType.Dialog)
        for where, words in WHERE_WORDS.items():
            text = f"Ask {words[0].lower()}{words[1:]}"
            PaletteEntry(window, "Where to ask", text, partial(self.places.set_where, where), kind="setting")
        if shown:
            self.dialog.come_up()

    def set_quiet(self, quiet: bool) -> None:
        """While quiet, the dialog does not come up by itself; what came meanwhile is shown when it is over."""
        self.places.set_quiet(quiet)
        self._follow()

    def apply(self, batch: tuple[Event, ...]) -> None:
        before = len(self._waiting)
        change = self._waiting.apply(batch)
        if not change.began and not change.ended and not _touches(batch):
            return
        gone = [event for event in change.ended if event.invocation.id == self.dialog.current_id]
        self._hand_out(_note(gone[-1]) if gone else "", began=bool(change.began))
        if change.began:
            self._announce(change.began)
        if len(self._waiting) != before:
            self.waiting_changed.emit(len(self._waiting))

    def _announce(self, began: tuple[str, ...]) -> None:
        """New calls, in one go; the first by name."""
        first = next(call.invocation for call in self._waiting.calls if call.id in began)
        registered = self._console.agents.is_registered(first.agent)
        count = len(self._waiting)
        window = self.dialog.parentWidget()
        shown = self.dialog if self.dialog.isVisible() or window is None else window
        announce(shown, headline(first, registered) + (f". {count} waiting" if count > 1 else ""))

    def open(self, invocation_id: str = "") -> None:
        """The person wants to see a call, or the one that is up, in its place; one put off is not any more."""
        if invocation_id:
            self._waiting.wake(invocation_id)
        elif not self._for_dialog():
            for call in self._waiting.calls:
                self._waiting.wake(call.id)
        self._hand_out()
        self.places.show(invocation_id)

    # ---- one call in one place -------------------------------------------------------------------------------------

    def _connect_places(self) -> None:
        places, dialog, queue = self.places, self.dialog, self.queue
        places.register("dialog", dialog)
        places.register("queue", queue)
        places.chords.add_window(dialog)
        dialog.keep_clear_of(places.cards.place_of)
        dialog.dismissed.connect(lambda: places.left("dialog"))
        dialog.turned.connect(lambda invocation_id: places.turned("dialog", invocation_id))
        dialog.bar.wanted_here.connect(lambda invocation_id: places.take("dialog", invocation_id))
        queue.left.connect(lambda: places.left("queue"))
        queue.entered.connect(places.entered_queue)
        queue.turned.connect(lambda invocation_id: places.turned("queue", invocation_id))
        queue.bar.wanted_here.connect(lambda invocation_id: places.take("queue", invocation_id))
        queue.wanted.connect(self.queue_wanted)
        places.moved.connect(lambda _place, _id: self._follow())

    def _follow(self, *, began: bool = False) -> None:
        """The dialog stands on the screen exactly while it is the place."""
        if self.places.dialog_wanted:
            self.dialog.come_up(again=began)

    def _open_in_dialog(self, invocation_id: str) -> None:
        self._waiting.wake(invocation_id)
        self._hand_out()
        self.places.take("dialog", invocation_id)
        self.dialog.bring_up(invocation_id)

    def _where_menu(self) -> QMenu:
        menu = QMenu("Where to ask", self.dialog)
        group = QActionGroup(menu)
        for where, words in WHERE_WORDS.items():
            action = QAction(words, menu)
            action.setCheckable(True)
            action.setData(where)
            group.addAction(action)
            menu.addAction(action)
        group.triggered.connect(lambda action: self.places.set_where(action.data()))
        menu.aboutToShow.connect(lambda: _check(group, self.places.where))
        return menu

    def _for_dialog(self) -> tuple[WaitingCall, ...]:
        return tuple(call for call in self._waiting.calls if not call.snoozed)

    def _hand_out(self, note: str = "", *, began: bool = False) -> None:
        calls = self._waiting.calls
        self.queue.set_calls(calls)
        self.dialog.set_calls([call.invocation for call in self._for_dialog()], note)
        asleep = [call.id for call in calls if call.snoozed]
        self.places.set_waiting([call.id for call in calls], asleep, began=began)
        self._follow(began=began)

    def _snooze(self, invocation_id: str) -> None:
        if self._waiting.snooze(invocation_id):
            self._hand_out()


def _check(group: QActionGroup, where: PlaceName) -> None:
    for action in group.actions():
        action.setChecked(cast("str", action.data()) == where)


def _note(event: InvocationChanged) -> str:
    """A decision made in the dialog itself needs no telling."""
    return "" if event.initiator == INITIATOR else ending(event)


def _touches(batch: tuple[Event, ...]) -> bool:
    return any(isinstance(event, InvocationChanged) and event.invocation.is_waiting for event in batch)
