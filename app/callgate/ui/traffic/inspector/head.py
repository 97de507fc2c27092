"""The head of the wire inspector: which exchange it is, which round, and what can be done with all of it."""

from typing import Final, Literal

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.traffic.columns import status_words
from callgate.ui.traffic.row import TrafficRow
from callgate.ui.widgets.choice_box import ChoiceBox

Place = Literal["page", "pane"]
CopyForm = Literal["curl", "python", "har"]
CopySide = Literal["client", "upstream"]
COPIES: Final[tuple[tuple[str, CopySide, CopyForm] | None, ...]] = (
    ("Client request as curl", "client", "curl"),
    ("Client request as Python", "client", "python"),
    ("Client exchange as HAR entry", "client", "har"),
    None,
    ("Upstream request as curl", "upstream", "curl"),
    ("Upstream request as Python", "upstream", "python"),
    ("Upstream exchange as HAR entry", "upstream", "har"),
)
"""What can be copied; None = a line between."""
_SAID_MS: Final = 1600
_COPY: Final = "Copy as…"
_MOVES: Final[dict[Place, tuple[str, str]]] = {
    "pane": ("widen", "Over the whole width of the window (Ctrl+Shift+W)"),
    "page": ("narrow", "Beside the conversation (Ctrl+Shift+I)"),
}


class InspectorHead(QWidget):
    copy_wanted = Signal(str, str)
    """The side and the form."""
    round_chosen = Signal()
    move_requested = Signal()
    leave_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place: Place = "pane"
        self.title = plain_label("", "strong", wrap=True)
        self.notes = plain_label(tone="hint", wrap=True)
        self.round_box = ChoiceBox(theme, "Round")
        self.copy_button, self.move_button, self.leave_button = QToolButton(), QToolButton(), QToolButton()
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_SAID_MS)
        self._calm.timeout.connect(lambda: self.copy_button.setText(_COPY))
        self._build()
        self.round_box.currentIndexChanged.connect(lambda _: self.round_chosen.emit())
        self.move_button.clicked.connect(self.move_requested)
        self.leave_button.clicked.connect(self.leave_requested)
        theme.changed.connect(self._redraw)
        self.set_place("pane")
        self.show_none()

    @property
    def number(self) -> int:
        """The round on show."""
        return int(self.round_box.currentData() or 1)

    def set_place(self, place: Place) -> None:
        self._place = place
        self.leave_button.setVisible(place == "page")
        self._redraw()

    def show_none(self) -> None:
        self.title.setText("")
        self.round_box.hide()
        for widget in (self.notes, self.copy_button):
            widget.hide()

    def show_row(self, row: TrafficRow) -> None:
        for widget in (self.notes, self.copy_button):
            widget.show()
        self.title.setText(reveal(f"{row.agent} → {row.endpoint or '…'} · {row.model}"))
        self.notes.setText(reveal(" · ".join(_notes(row))))
        set_plain_tip(self.title, f"Exchange {row.exchange_id}")

    def set_rounds(self, rounds: list[int], wanted: int) -> None:
        known = [self.round_box.itemData(place) for place in range(self.round_box.count())]
        if rounds != known:
            self.round_box.blockSignals(True)
            self.round_box.clear()
            for number in rounds:
                self.round_box.addItem(f"Round {number}", number)
            self.round_box.blockSignals(False)
            self.choose_round(wanted)
        self.round_box.setVisible(len(rounds) > 1)

    def choose_round(self, number: int) -> None:
        place = self.round_box.findData(number)
        if place >= 0:
            self.round_box.setCurrentIndex(place)

    def say(self, words: str) -> None:
        """On the button that was pressed, for a moment."""
        self.copy_button.setText(words)
        self._calm.start()

    def _build(self) -> None:
        self.copy_button.setText(_COPY)
        self.copy_button.setProperty("kind", "bordered")
        self.copy_button.setAccessibleName("Copy the request as…")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_button.setMenu(self._copy_menu())
        self.leave_button.setToolTip("Back to the conversation (Esc)")
        self.leave_button.setAccessibleName("Leave the wire inspector")
        for button in (self.move_button, self.leave_button):
            button.setIconSize(self._theme.icon_size)
        top = QHBoxLayout()
        top.setContentsMargins(M, S, S, 0)
        top.setSpacing(S)
        top.addWidget(self.title, 1)
        for widget in (self.round_box, self.copy_button, self.move_button, self.leave_button):
            top.addWidget(widget)
        below = QHBoxLayout()
        below.setContentsMargins(M, 2, M, XS)
        below.addWidget(self.notes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(below)

    def _copy_menu(self) -> QMenu:
        menu = QMenu(self)
        for entry in COPIES:
            if entry is None:
                menu.addSeparator()
                continue
            words, side, form = entry
            menu.addAction(words).triggered.connect(lambda _=False, s=side, f=form: self.copy_wanted.emit(s, f))
        return menu

    def _redraw(self) -> None:
        icon, about = _MOVES[self._place]
        self.move_button.setIcon(self._theme.icon(icon, "text2"))
        self.move_button.setToolTip(about)
        self.move_button.setAccessibleName(about.partition(" (")[0])
        self.leave_button.setIcon(self._theme.icon("close", "text2"))


def _notes(row: TrafficRow) -> list[str]:
    """What became of it, how it was carried, what was mended, and what the provider was not told as it was said."""
    notes = [status_words(row)] if row.fault is None else []
    if row.upstream_wire:
        notes.append("bytes unchanged" if row.untouched else f"{row.wire} → {row.upstream_wire}")
    if row.fault is not None:
        notes.append(f"{row.fault.http_status}: {row.fault.message}")
    notes.extend(f"mended: {repair}" for repair in row.repairs)
    notes.extend(f"not as said: {warning}" for warning in row.warnings)
    return notes
