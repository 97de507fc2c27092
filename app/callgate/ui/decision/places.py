"""One call is up for decision at a time, in one place: the dialog, its card in the conversation, or the queue.

Only that place has verbs that work and the ring; every other view of a waiting call shows where it is decided and takes
it over with one click. Which place it is: the one that the person took it to, else the queue while it has the focus,
else what the setting *where to ask* says. Knows places and ids; decides nothing.
"""

from collections.abc import Collection, Sequence
from typing import Final, Literal, Protocol, get_args

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from callgate.ui.decision.chords import DecisionChords
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.theme.theme import RADIUS, Theme

PlaceName = Literal["dialog", "card", "queue"]
WHERE_KEY: Final = "decision/where"
WHERE_WORDS: Final[dict[PlaceName, str]] = {
    "dialog": "In the dialog",
    "card": "On the card while the program is in front",
    "queue": "In the queue only",
}
_RING: Final = 2


class Place(Protocol):
    """A part of the window in which a call can be decided."""

    def shows(self, invocation_id: str) -> bool:
        """Whether a person can see the call there now."""
        ...

    def set_live(self, invocation_id: str, where: str) -> None:
        """The call to decide there; empty = none: its verbs are parked, and the line says `where` the call is."""
        ...

    def bring_up(self, invocation_id: str) -> None:
        """The person wants to see it, with the keyboard."""
        ...

    def bar_of(self, invocation_id: str) -> DecisionBar | None: ...


class Card(Protocol):
    """What shows a call in a conversation."""

    @property
    def bar(self) -> DecisionBar: ...

    def set_live(self, live: bool, where: str) -> None: ...

    def on_screen(self) -> QRect:
        """Where the card is, in pixels of the screen; empty = it can't be seen."""
        ...


class DecisionPlaces(QObject):
    moved = Signal(str, str)
    """The call that is up, or its place, is another one now: place, invocation id (empty = nothing is up)."""
    where_changed = Signal(str)

    def __init__(self, settings: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._places: dict[PlaceName, Place] = {}
        self._ids: tuple[str, ...] = ()
        self._place: PlaceName = "dialog"
        self._current = ""
        self._taken: tuple[PlaceName, str] | None = None
        """Where the person took a call to; holds while that call waits and can be seen there."""
        self._asleep: frozenset[str] = frozenset()
        self._in_queue = self._dismissed = self._quiet = self._settling = False
        self.cards = CardPlace(self)
        self.register("card", self.cards)
        self.chords = DecisionChords(self._live_bar, self.walk, self.go_to_oldest, self)

    # ---- what is up ------------------------------------------------------------------------------------------------

    @property
    def current_id(self) -> str:
        return self._current

    @property
    def place(self) -> PlaceName:
        return self._place

    @property
    def where(self) -> PlaceName:
        """The setting: where a call is asked about."""
        value = None if self._settings is None else self._settings.value(WHERE_KEY)
        return next((known for known in get_args(PlaceName) if known == value), "dialog")

    def set_where(self, where: PlaceName) -> None:
        if self._settings is not None:
            self._settings.setValue(WHERE_KEY, where)
        self._taken, self._in_queue, self._dismissed = None, False, False
        self.settle()
        self.where_changed.emit(where)

    def register(self, name: PlaceName, place: Place) -> None:
        self._places[name] = place
        if isinstance(place, QObject):
            place.destroyed.connect(lambda: self._places.pop(name, None))

    # ---- what happens ----------------------------------------------------------------------------------------------

    def set_waiting(self, ids: Sequence[str], asleep: Collection[str] = (), *, began: bool = False) -> None:
        """The calls that wait, oldest first. `asleep`: those put off, for which no dialog comes up. `began`: one of
        them is new, so the person is asked again."""
        self._ids, self._asleep = tuple(ids), frozenset(asleep)
        if began:
            self._dismissed = False
            self._in_queue = self._in_queue and self._queue_has_focus()
        self.settle()

    def set_quiet(self, quiet: bool) -> None:
        """While quiet, no dialog comes up by itself."""
        self._quiet = quiet
        self.settle()

    def show(self, invocation_id: str = "") -> None:
        """The person wants to see a call, or the one that is up, in whichever place is its own."""
        if invocation_id in self._ids:
            self._go_to(invocation_id)
        self.bring_up()

    def take(self, place: PlaceName, invocation_id: str) -> None:
        """The person wants to decide this call there."""
        if invocation_id in self._ids:
            self._taken = (place, invocation_id)
            self._current, self._dismissed = invocation_id, False
            self._in_queue = place == "queue"
            self.settle()

    def turned(self, place: PlaceName, invocation_id: str) -> None:
        """The person went on to another call within a place."""
        if place == self._place and invocation_id in self._ids:
            self._current = invocation_id
            if self._taken is not None:
                self._taken = (place, invocation_id)
        self.settle()

    def entered_queue(self) -> None:
        """The queue has got the focus: the person works there."""
        if not self._in_queue:
            self._in_queue, self._taken = True, None
            self.settle()

    def left(self, place: PlaceName) -> None:
        """It was closed, and decided nothing."""
        if self._settling:
            return
        if place == "dialog":
            self._dismissed = True
        if place == "queue":
            self._in_queue = False
        if self._taken is not None and self._taken[0] == place:
            self._taken = None
        self.settle()

    def walk(self, by: int) -> None:
        if self._current in self._ids:
            index = self._ids.index(self._current) + by
            if 0 <= index < len(self._ids):
                self._go_to(self._ids[index])

    def go_to_oldest(self) -> None:
        if self._ids:
            self._go_to(self._ids[0])
            self.bring_up()

    def bring_up(self) -> None:
        """Shows the person the call that is up, in its place."""
        if self._ids:
            self._dismissed = False
            self.settle()
            if self._place == "dialog":
                self._taken = ("dialog", self._current)  # asked for: also while it is quiet, or was put off
            self._places[self._place].bring_up(self._current)

    # ---- deciding which --------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Hands the call to its place, and parks all others."""
        if self._settling:
            return
        self._settling = True
        try:
            place, current = self._wanted()
            changed = (place, current) != (self._place, self._current)
            self._place, self._current = place, current
            for name, other in self._places.items():
                if name != place:
                    other.set_live("", place if current and other.bar_of(current) is not None else "")
            if place in self._places:
                self._places[place].set_live(current, place)
        finally:
            self._settling = False
        if changed:
            self.moved.emit(place, current)

    def _wanted(self) -> tuple[PlaceName, str]:
        current = self._current if self._current in self._ids else next(iter(self._ids), "")
        if self._taken is not None:
            place, taken = self._taken
            if taken in self._ids and (place != "card" or self._sees(place, taken)):
                return place, taken
            self._taken = None
        return self._home(current), current

    def _home(self, current: str) -> PlaceName:
        where = self.where
        if self._in_queue or where == "queue":
            return "queue"
        if where == "card" and QGuiApplication.focusWindow() is not None and self._sees("card", current):
            return "card"
        if not self._may_come_up(current):
            if self._sees("card", current):
                return "card"
            if self._sees("queue", current):
                return "queue"
        return "dialog"

    @property
    def dialog_wanted(self) -> bool:
        """Whether the dialog should stand on the screen."""
        return self._place == "dialog" and bool(self._current) and self._may_come_up(self._current)

    def _may_come_up(self, current: str) -> bool:
        if self._taken == ("dialog", current):
            return True
        return not (self._dismissed or self._quiet or current in self._asleep)

    def _sees(self, name: PlaceName, invocation_id: str) -> bool:
        return name in self._places and self._places[name].shows(invocation_id)

    def _queue_has_focus(self) -> bool:
        queue, focused = self._places.get("queue"), QApplication.focusWidget()
        return isinstance(queue, QWidget) and focused is not None and queue.isAncestorOf(focused)

    def _go_to(self, invocation_id: str) -> None:
        if self._taken is not None and self._taken[0] == "card" and not self._sees("card", invocation_id):
            self._taken = None
        self._current = invocation_id
        if self._taken is not None:
            self._taken = (self._taken[0], invocation_id)
        self.settle()

    def _live_bar(self) -> DecisionBar | None:
        """What the chords go to: nothing that the person can't see."""
        place = self._places.get(self._place)
        if place is None or not self._current or not place.shows(self._current):
            return None
        bar = place.bar_of(self._current)
        return bar if bar is not None and bar.live else None


class CardPlace:
    """All cards of waiting calls that stand in conversations: one place."""

    def __init__(self, places: DecisionPlaces) -> None:
        self._places = places
        self._cards: dict[str, Card] = {}
        self._live, self._where = "", ""

    def attach(self, invocation_id: str, card: Card) -> None:
        """A card shows a waiting call, and can be seen."""
        if self._cards.get(invocation_id) is not card:
            self.detach(card)
            self._cards[invocation_id] = card
            self._tell(invocation_id, card)
            self._places.settle()

    def detach(self, card: Card) -> None:
        gone = [invocation_id for invocation_id, known in self._cards.items() if known is card]
        for invocation_id in gone:
            del self._cards[invocation_id]
        if gone:
            self._places.settle()

    def place_of(self, invocation_id: str) -> QRect:
        """Where its card is on the screen; empty = nowhere."""
        card = self._cards.get(invocation_id)
        return QRect() if card is None else card.on_screen()

    def shows(self, invocation_id: str) -> bool:
        return not self.place_of(invocation_id).isEmpty()

    def set_live(self, invocation_id: str, where: str) -> None:
        self._live, self._where = invocation_id, where
        for known, card in list(self._cards.items()):
            self._tell(known, card)

    def bring_up(self, invocation_id: str) -> None:
        card = self._cards.get(invocation_id)
        if card is not None:
            window = card.bar.window()
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
            window.raise_()
            window.activateWindow()
            card.bar.setFocus(Qt.FocusReason.OtherFocusReason)

    def bar_of(self, invocation_id: str) -> DecisionBar | None:
        card = self._cards.get(invocation_id)
        return None if card is None else card.bar

    def _tell(self, invocation_id: str, card: Card) -> None:
        # another call is up: this one's turn has not come, but it can be taken first
        up = self._places.current_id
        card.set_live(bool(self._live) and invocation_id == self._live, self._where if invocation_id == up else "")


def places_of(widget: QWidget) -> DecisionPlaces | None:
    """Those of the window that a widget stands in: no part of a conversation has to be handed them."""
    return widget.window().findChild(DecisionPlaces, options=Qt.FindChildOption.FindDirectChildrenOnly)


class LiveRing(QWidget):
    """A ring around the call that is up, over everything in it and in nobody's way."""

    def __init__(self, theme: Theme, around: QWidget) -> None:
        super().__init__(around)
        self.setObjectName("liveRing")
        self._theme, self._around = theme, around
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        around.installEventFilter(self)
        theme.changed.connect(self.update)
        self.hide()

    def set_live(self, live: bool) -> None:
        self.setGeometry(self._around.rect())
        self.setVisible(live)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._around.rect())
            self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), _RING))
        inset = _RING / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)


def screen_box(widget: QWidget) -> QRect:
    """Where the visible part of a widget is on the screen; empty = it can't be seen."""
    window = widget.window()
    if not widget.isVisible() or window.isMinimized() or widget.visibleRegion().isEmpty():
        return QRect()
    seen = widget.visibleRegion().boundingRect()
    return QRect(widget.mapToGlobal(QPoint(seen.x(), seen.y())), seen.size())
