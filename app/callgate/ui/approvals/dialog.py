"""The dialog that asks. It comes up without taking the focus, is never modal, and closing it decides nothing.

It shows one of the calls that it is given and walks through them; which calls wait, and which one is decided here, is
not its truth but the presenter's and that of `DecisionPlaces`.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QHideEvent, QScreen
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QLayout, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.engine.console.console import Console
from callgate.ui.approvals.arrangement import siblings_of
from callgate.ui.approvals.call_sheet import CallSheet
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.denial_line import DenialLine
from callgate.ui.decision.on_screen import Ownership, is_on_screen
from callgate.ui.decision.places import LiveRing
from callgate.ui.decision.saved_notice import SavedNotice
from callgate.ui.decision.verb_keys import NEXT, PREVIOUS_IN_DIALOG, shown_keys
from callgate.ui.text.plain_text import keep_room, plain_label
from callgate.ui.theme.theme import ICON, L, M, S, Theme

INITIATOR: Final = "dialog"
POSITION_KEY: Final = "decision/dialogPosition"
_WIDTH: Final = 700
_NARROWEST: Final = 480
_TALLEST: Final = 760
"""It grows with what it shows up to this; past it the text scrolls."""
_GAP: Final = 12
"""Between it and the card that it must not cover."""
_FRAME: Final = 48
"""What a window manager may add above and left of it."""
_SHARE_OF_SCREEN: Final = 0.92
"""The rest is for the title bar, which Qt does not count."""
NOTE_MS: Final = 2500
"""How long a note about a call that is gone stays: two short lines can be read in it."""


class ApprovalDialog(QDialog):
    snoozed = Signal(str)
    """Not now; invocation id."""
    reveal_requested = Signal(str)
    """Show it in its conversation; conversation id."""
    dismissed = Signal()
    """The person closed it; nothing is decided."""
    turned = Signal(str)
    """The person went on to another call; invocation id."""

    def __init__(
        self,
        console: Console,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
        bridge: Bridge | None = None,
        settings: QSettings | None = None,
    ) -> None:
        """`settings`: where its position is remembered."""
        super().__init__(parent)
        self._theme, self._settings = theme, settings
        self._keep_clear: Callable[[str], QRect] = lambda _: QRect()
        self._put_at: QPoint | None = None
        self._calls: tuple[Invocation, ...] = ()
        self._current = ""
        self._height_before = 0
        """Before it grew for the line about a denial."""
        self._ownership = Ownership(self)
        self.setObjectName("approvalDialog")
        self.setAccessibleName("Tool call needs approval")
        self.setWindowTitle("Tool call needs approval")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setMinimumWidth(_NARROWEST)
        self.sheet = CallSheet(console, theme, now=now, bridge=bridge)
        self.bar = DecisionBar(console, theme, INITIATOR, arm_ms=arm_ms, bridge=bridge)
        keep_room(self.bar.status)
        self.notice = SavedNotice(console, theme, here=lambda: self.isVisible() or not self._ownership.owner_is_up)
        self.denial = DenialLine(console, theme, INITIATOR)
        self._build()
        self._arrange()
        self._ring = LiveRing(theme, self)
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.timeout.connect(self._note_over)
        self.sheet.seen.connect(lambda: self.bar.set_seen(True))
        self.bar.show_requested.connect(self.sheet.show_end)
        self.bar.editing.connect(self._make_room)
        self.bar.snoozed.connect(self.snoozed)
        self.notice.told.connect(self._show_saved)
        self.notice.left.connect(self._said_all)
        self.bar.denied_at_once.connect(self.denial.show_denial)
        self.denial.began.connect(self._grow_for_denial)
        self.denial.ended.connect(self._denial_over)
        theme.changed.connect(self._draw)
        self._draw()

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def current_id(self) -> str:
        return self._current

    def set_calls(self, calls: Sequence[Invocation], note: str = "") -> None:
        """The calls that wait, oldest first. `note`: what became of the one that was shown, if it is gone."""
        self._calls = tuple(calls)
        ids = [call.id for call in self._calls]
        if note:
            self._show_note(note)
        if not ids:
            self._current = ""
            self.bar.show_invocation(None)
            self._count()
            if self.denial.is_open and self.isVisible():
                self._show_parts(False)
                self._set_least_height()
                self.resize(self.width(), self._wanted_height(self.width()))
            elif not note or not self.isVisible():
                self.hide()
            return
        self.show_call(self._current if self._current in ids else ids[0])

    def show_call(self, invocation_id: str) -> None:
        """Turns to a call of the list."""
        invocation = next((call for call in self._calls if call.id == invocation_id), None)
        if invocation is None:
            return
        self._current = invocation_id
        self._show_parts(True)
        review = invocation.state == "WaitingForPostApproval"
        self._title.setText("Tool result needs review" if review else "Tool call needs approval")
        self.setWindowTitle(self._title.text())
        self.sheet.show_invocation(invocation, siblings_of(self._calls)[invocation_id])
        self.bar.set_seen(self.sheet.is_seen)
        self.bar.show_invocation(invocation)
        self._count()

    # ---- one place of several ----------------------------------------------------------------------------------------

    def shows(self, invocation_id: str) -> bool:
        return self._current == invocation_id and self.isVisible() and not self.isMinimized()

    def bar_of(self, invocation_id: str) -> DecisionBar | None:
        return self.bar if self._current == invocation_id else None

    def set_live(self, invocation_id: str, where: str) -> None:
        """While another place has the call, this one goes out of the way."""
        live = bool(invocation_id)
        if live and invocation_id != self._current:
            self.show_call(invocation_id)
        self.bar.set_live(live, where)
        self._ring.set_live(live)
        if not live and not self._says_something:
            self.hide()

    def bring_up(self, invocation_id: str) -> None:
        self.show_call(invocation_id)
        self.come_forward()

    def keep_clear_of(self, place_of: Callable[[str], QRect]) -> None:
        """`place_of`: where on the screen a call's own card stands, which must not be covered."""
        self._keep_clear = place_of

    def come_up(self, *, again: bool = False) -> None:
        """On the screen and above its window, without taking the focus from where the person is typing.

        `again`: also from where the person has put it out of sight, as for a new call.
        """
        if not self.isVisible():
            self.sheet.arguments.text.setFocus(Qt.FocusReason.OtherFocusReason)
            self._appear()
        elif again and not is_on_screen(self):
            self._ownership.come_back()

    def come_forward(self) -> None:
        """The person asked for it: also out from behind other windows, and with the keyboard."""
        self.come_up(again=True)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def _appear(self) -> None:
        self.resize(_WIDTH, self._wanted_height(_WIDTH))
        self._set_least_height()
        self._put()
        self._ownership.show()

    def _pointer_screen(self) -> QScreen:
        """Where the person is."""
        return QGuiApplication.screenAt(QCursor.pos()) or self.screen()

    def _put(self) -> None:
        """On the screen where the pointer is: where the person last put it, else in the middle; never over its card."""
        screen = self._pointer_screen()
        room = screen.availableGeometry()
        kept = None if self._settings is None else self._settings.value(POSITION_KEY)
        middle = room.center() - self.rect().center()
        wished = room.topLeft() + kept if isinstance(kept, QPoint) else middle
        self._put_at = put_beside(QRect(wished, self.size()), self._keep_clear(self._current), room)
        self.move(self._put_at)

    def _remember_position(self) -> None:
        """Only where the person has moved it: a window manager may shift it by the width of its frame."""
        now, put = self.frameGeometry().topLeft(), self._put_at
        if self._settings is None or put is None or (now - put).manhattanLength() <= _FRAME:
            return
        self._settings.setValue(POSITION_KEY, now - self.screen().availableGeometry().topLeft())

    def reject(self) -> None:
        """Esc and the close button: nothing is decided."""
        super().reject()
        self.dismissed.emit()

    def event(self, event: QEvent) -> bool:
        """Something inside wants more room. It only ever grows: nothing moves away under a hand."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._set_least_height()
            wanted = self._wanted_height(self.width())
            if wanted > self.height():
                self.resize(self.width(), wanted)
        return done

    def _wanted_height(self, width: int) -> int:
        """As much as it needs and the screen has: the verbs stand at the bottom and must be on it."""
        return min(self._column.totalHeightForWidth(width), self._tallest)

    def _set_least_height(self) -> None:
        """What it needs at its width. Left to itself, the layout asks for what rows that wrap would need at their
        narrowest, and the window grows past the screen for the moment in which they are laid out."""
        self.setMinimumHeight(min(self._column.totalMinimumHeightForWidth(self.width()), self._tallest))

    @property
    def _tallest(self) -> int:
        return min(_TALLEST, int(self._pointer_screen().availableGeometry().height() * _SHARE_OF_SCREEN))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._remember_position()
        self._leaving.stop()
        self._note.hide()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._icon = QLabel()
        self._title = plain_label("", "waiting")
        self._title.setObjectName("approvalTitle")
        self._position = plain_label("", "secondary")
        self._position.setObjectName("approvalPosition")
        self._back = self._tool_button(
            "previousCall", f"Previous call ({shown_keys(PREVIOUS_IN_DIALOG[0])})", "Alt+Left", lambda: self._turn(-1)
        )
        self._next = self._tool_button(
            "nextCall", f"Next call ({shown_keys(NEXT[0])})", "Alt+Right", lambda: self._turn(1)
        )
        self._open = self._tool_button("revealCall", "Show it in its conversation", "", self._reveal)
        self._note = plain_label("", "secondary", wrap=True)
        self._note.setObjectName("approvalNote")
        self._note.hide()

    def _arrange(self) -> None:
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self._title)
        head.addStretch(1)
        for widget in (self._back, self._position, self._next, self._open):
            head.addWidget(widget)
        self._line = QFrame()
        self._line.setProperty("line", True)
        self._line.setFixedHeight(1)
        self._column = column = QVBoxLayout(self)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        column.setContentsMargins(L, M, L, L)
        column.setSpacing(M)
        column.addWidget(self._head)
        column.addWidget(self._note)
        column.addWidget(self.sheet, 1)
        column.addWidget(self._line)
        column.addWidget(self.bar)
        column.addWidget(self.denial)
        column.addWidget(self.notice)

    def _tool_button(self, name: str, tip: str, keys: str, run: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setAccessibleName(tip)
        button.setToolTip(tip)
        button.setIconSize(self._theme.icon_size)
        button.clicked.connect(run)
        if keys:
            button.setShortcut(keys)
        return button

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("waiting", "waiting").pixmap(ICON, ICON))
        self._back.setIcon(self._theme.icon("back"))
        self._next.setIcon(self._theme.icon("next"))
        self._open.setIcon(self._theme.icon("conversation"))

    def _make_room(self, editing: bool) -> None:
        """The room of the text that is read goes to the text that is edited."""
        self.sheet.set_editing(editing)
        self._column.setStretchFactor(self.sheet, 0 if editing else 1)
        self._column.setStretchFactor(self.bar, 1 if editing else 0)

    # ---- walking ---------------------------------------------------------------------------------------------------

    def _index(self) -> int:
        return next((index for index, call in enumerate(self._calls) if call.id == self._current), 0)

    def _count(self) -> None:
        many = len(self._calls) > 1
        for widget in (self._back, self._position, self._next):
            widget.setVisible(many)
        self._open.setVisible(bool(self._calls))
        self._position.setText(f"{self._index() + 1} of {len(self._calls)}")
        self._back.setEnabled(self._index() > 0)
        self._next.setEnabled(self._index() < len(self._calls) - 1)

    def _turn(self, by: int) -> None:
        index = self._index() + by
        if 0 <= index < len(self._calls):
            self.show_call(self._calls[index].id)
            self.turned.emit(self._current)

    def _reveal(self) -> None:
        if self._calls:
            self.reveal_requested.emit(self._calls[self._index()].conversation_id)

    # ---- a rule that was just saved --------------------------------------------------------------------------------

    def _show_parts(self, shown: bool) -> None:
        for part in (self._head, self.sheet, self._line, self.bar):
            part.setVisible(shown)

    def _show_saved(self) -> None:
        """While its window is put away there is no other place where a rule could be taken back."""
        if not self.isVisible():
            self._show_parts(False)
            self._appear()

    # ---- what is said beside a call --------------------------------------------------------------------------------

    @property
    def _says_something(self) -> bool:
        return self._leaving.isActive() or self.notice.isVisible() or self.denial.is_open

    def _grow_for_denial(self) -> None:
        self._height_before = self.height()

    def _denial_over(self) -> None:
        """The verbs of the next call stay where they are."""
        if self._calls and self.height() > self._height_before:
            self.resize(self.width(), self._height_before)
        self._said_all()

    def _said_all(self) -> None:
        """Nothing keeps it on the screen any more but a call that is decided here."""
        if not self._says_something and not (self._calls and self.bar.live):
            self.hide()

    # ---- notes about calls that are gone ---------------------------------------------------------------------------

    def _show_note(self, note: str) -> None:
        self._note.setText(note)
        self._note.show()
        self._leaving.start(NOTE_MS)

    def _note_over(self) -> None:
        self._leaving.stop()
        self._note.hide()
        self._said_all()


def put_beside(wished: QRect, card: QRect, room: QRect) -> QPoint:
    """Where a window of that size goes: on the screen, and not over the card unless there is no room beside it."""

    def within(box: QRect) -> QRect:
        x = max(room.left(), min(box.x(), room.right() - box.width()))
        y = max(room.top(), min(box.y(), room.bottom() - box.height()))
        return QRect(QPoint(x, y), box.size())

    wished = within(wished)
    if not wished.intersects(card):
        return wished.topLeft()
    beside = (
        QPoint(card.right() + _GAP, wished.y()),
        QPoint(card.left() - _GAP - wished.width(), wished.y()),
        QPoint(wished.x(), card.bottom() + _GAP),
        QPoint(wished.x(), card.top() - _GAP - wished.height()),
    )
    free = [box for box in (within(QRect(place, wished.size())) for place in beside) if not box.intersects(card)]
    least = min(free, key=lambda box: (box.topLeft() - wished.topLeft()).manhattanLength(), default=wished)
    return least.topLeft()
