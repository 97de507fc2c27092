"""The timeline pane: of the exchange that is selected, or of the whole conversation. Reads the journal and follows the
bus; knows no other panel.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.events import Event, conversation_of
from callgate.core.timeline.bars import Lane, Timeline
from callgate.core.timeline.fold import TimelineFold
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.text import format as figures
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.timeline.canvas import STEP, TimelineCanvas
from callgate.ui.timeline.legend import Legend
from callgate.ui.timeline.picture import image_of, save_png, save_svg
from callgate.ui.widgets.empty_state import EmptyState

Scope = Literal["exchange", "conversation"]

_FOLDED_AT_ONCE: Final = 1000
"""Events between two turns of the loop."""
_REFRESH_MS: Final = 150
"""How often what is live is drawn again."""
_REST: Final = 15
"""How many times longer the window has for other things than for laying out what lives."""
_SPENT: Final = (
    ("provider", "until first tokens"),
    ("text", "streaming"),
    ("person", "waiting for a person"),
    ("tool", "running tools"),
    ("mcp", "at MCP servers"),
    ("client", "tools of the client"),
)


class TimelinePanel(QWidget):
    open_requested = Signal(str)
    """The person wants to see a conversation."""
    inspect_requested = Signal(str, int)
    """The exchange and round whose bytes the person wants to see."""
    message_requested = Signal(str, int, str, str)
    """The exchange and round of a call, the invocation, and the message at an MCP server that the person points at."""
    message_opened = Signal()
    """The message that was pointed at last is to be seen in full."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timelinePanel")
        self.setAccessibleName("Timeline")
        as_pane(self)
        self._console, self._bridge, self._theme, self._clock = console, bridge, theme, clock
        self.conversation, self.exchange = "", ""
        self._loaded, self._loading = "", ""
        self._fold = TimelineFold()
        self._meanwhile: list[Event] = []
        """What happened while a conversation was being folded."""
        self.scope: Scope = "conversation"
        self.canvas = TimelineCanvas(theme)
        self._summary = plain_label(tone="hint")
        self._legend = Legend(theme)
        self._scopes = QButtonGroup(self)
        self.of_exchange, self.of_conversation = QToolButton(), QToolButton()
        self.closer, self.wider, self.whole = QToolButton(), QToolButton(), QToolButton()
        self.export = QToolButton()
        self._empty = EmptyState(
            theme, "time", "No timeline yet", "Open a conversation, or select a row of the traffic table."
        )
        self._stack = QStackedWidget()
        self._refresh = QTimer(self)
        self._refresh.setInterval(_REFRESH_MS)
        self._build()
        self._connect()

    @property
    def timeline(self) -> Timeline:
        return self.canvas.timeline

    def show_conversation(self, conversation_id: str) -> None:
        """Empty = none."""
        if conversation_id == self.conversation:
            return
        self.conversation, self.exchange = conversation_id, ""
        self.of_conversation.setChecked(True)
        self.scope = "conversation"
        self._forget()
        self._load_soon()

    def show_exchange(self, conversation_id: str, exchange_id: str) -> None:
        if conversation_id != self.conversation:
            self.conversation = conversation_id
            self._forget()
        changed, self.exchange = exchange_id != self.exchange, exchange_id
        self.of_exchange.setEnabled(True)
        if changed:
            self.of_exchange.setChecked(True)
            self.scope = "exchange"
            self.canvas.fit()
        self._show()
        self._load_soon()

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self._loading:
            self._meanwhile += (event for event in batch if conversation_of(event) == self._loading)
        if not self._loaded:
            return
        mine = [event for event in batch if conversation_of(event) == self._loaded]
        if mine:
            self._fold.apply_all(mine)
            if not self._refresh.isActive() and self.isVisible():
                self._refresh.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._load_soon()
        if self._fold.is_live:
            self._refresh.start()
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._refresh.stop()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        for button, words, tip in (
            (self.of_exchange, "Exchange", "Only the selected exchange"),
            (self.of_conversation, "Conversation", "All exchanges of the conversation"),
        ):
            button.setText(words)
            button.setToolTip(tip)
            button.setCheckable(True)
            self._scopes.addButton(button)
        self.of_conversation.setChecked(True)
        self.of_exchange.setEnabled(False)
        for button, words, tip in (
            (self.wider, "−", "Zoom out (−, Ctrl+wheel)"),
            (self.closer, "+", "Zoom in (+, Ctrl+wheel)"),
            (self.whole, "Fit", "Show all of it (0)"),
            (self.export, "Export", "Save as a picture"),
        ):
            button.setText(words)
            button.setToolTip(tip)
            button.setAccessibleName(tip.partition(" (")[0])
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setMenu(self._export_menu())
        head = QHBoxLayout()
        head.setContentsMargins(S, XS, S, XS)
        head.setSpacing(XS)
        for widget in (self.of_exchange, self.of_conversation):
            head.addWidget(widget)
        head.addSpacing(S)
        head.addWidget(self._summary, 1)
        for widget in (self.wider, self.closer, self.whole, self.export):
            head.addWidget(widget)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.canvas, 1)
        column.addWidget(self._legend)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self.setFocusProxy(self.canvas)

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Save as PNG…", lambda: self._ask_where("png"))
        menu.addAction("Save as SVG…", lambda: self._ask_where("svg"))
        menu.addSeparator()
        menu.addAction(self._theme.icon("copy"), "Copy as picture", self.copy_picture)
        return menu

    def _connect(self) -> None:
        self.of_exchange.clicked.connect(lambda: self._set_scope("exchange"))
        self.of_conversation.clicked.connect(lambda: self._set_scope("conversation"))
        self.closer.clicked.connect(lambda: self.canvas.zoom_by(STEP**2))
        self.wider.clicked.connect(lambda: self.canvas.zoom_by(STEP**-2))
        self.whole.clicked.connect(self.canvas.fit)
        self.canvas.chosen.connect(self._choose)
        self.canvas.message_chosen.connect(self._choose_message)
        self.canvas.message_opened.connect(self.message_opened)
        self.canvas.open_pressed.connect(self._open)
        self._refresh.timeout.connect(self._show)
        self._bridge.batch.connect(self.apply)

    # ---- loading ---------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self._fold, self._loaded = TimelineFold(), ""
        self.of_exchange.setEnabled(bool(self.exchange))
        self.canvas.fit()
        self._show()

    def _load_soon(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, self._start_loading)  # the loop may not run yet while windows are built

    def _start_loading(self) -> None:
        if self.conversation and self.conversation not in (self._loaded, self._loading):
            self._loading = self.conversation
            self._bridge.start(self._load(self.conversation), self, "loading a timeline")

    async def _load(self, conversation_id: str) -> None:
        # what was published up to now is among what will be read, and what is published from now on is not
        self._bridge.flush()
        self._meanwhile.clear()
        events = await self._console.wire_service.course(conversation_id)
        if conversation_id != self.conversation:
            self._loading = ""
            self._start_loading()
            return
        fold = TimelineFold()
        for start in range(0, len(events), _FOLDED_AT_ONCE):
            fold.apply_all(events[start : start + _FOLDED_AT_ONCE])
            await asyncio.sleep(0)
        if conversation_id != self.conversation:
            self._loading = ""
            self._start_loading()
            return
        # what has come while the loop had its turns
        self._bridge.flush()
        fold.apply_all(self._meanwhile)
        self._meanwhile.clear()
        self._loading = ""
        self._fold, self._loaded = fold, conversation_id
        if fold.is_live:
            self._refresh.start()
        self._show()

    # ---- showing ---------------------------------------------------------------------------------------------------

    def _set_scope(self, scope: Scope) -> None:
        self.scope = scope
        self.canvas.fit()
        self._show()

    def _show(self) -> None:
        if not self._fold.is_live:
            self._refresh.stop()
        began = time.thread_time()
        only = self.exchange if self.scope == "exchange" else ""
        shown = self._fold.timeline(self._clock() if self._fold.is_live else None, self._is_mcp, only)
        self._stack.setCurrentIndex(1 if shown.spans else 0)
        self.canvas.set_timeline(shown)
        self._legend.set_timeline(shown)
        self._summary.setText(in_words(shown))
        # a conversation of a thousand exchanges takes longer to lay out: then it is done less often
        self._refresh.setInterval(max(_REFRESH_MS, round((time.thread_time() - began) * 1000 * _REST)))

    def _is_mcp(self, source: str) -> bool:
        return self._console.wire_service.is_mcp(source)

    def _choose(self, lane: Lane) -> None:
        self._keep_to(lane)
        self.inspect_requested.emit(lane.exchange_id, lane.round)

    def _choose_message(self, lane: Lane, frame_id: str) -> None:
        self._keep_to(lane)
        self.message_requested.emit(lane.exchange_id, lane.round, lane.invocation_id, frame_id)

    def _keep_to(self, lane: Lane) -> None:
        """Whoever walks through a conversation goes on through it, though others now show one of its exchanges."""
        self.exchange = lane.exchange_id
        self.of_exchange.setEnabled(True)

    def _open(self, lane: Lane) -> None:
        self.open_requested.emit(self.conversation)

    # ---- pictures --------------------------------------------------------------------------------------------------

    def copy_picture(self) -> None:
        QGuiApplication.clipboard().setImage(image_of(self.timeline, self._theme))

    def save(self, path: Path) -> None:
        """As SVG or PNG, by its ending. Raises `OSError`."""
        if path.suffix.lower() == ".svg":
            save_svg(self.timeline, self._theme, path, f"Timeline of {self.conversation}")
        else:
            save_png(self.timeline, self._theme, path)

    def _ask_where(self, ending: str) -> None:
        dialog = QFileDialog(self, f"Save timeline as {ending.upper()}", f"timeline.{ending}", f"*.{ending}")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending)
        dialog.fileSelected.connect(self._save_told)
        dialog.open()

    def _save_told(self, name: str) -> None:
        try:
            self.save(Path(name))
            self._summary.setText(f"Saved as {name}")
        except OSError as problem:
            self._summary.setText(f"It could not be saved: {problem}")


def in_words(timeline: Timeline) -> str:
    """`12.4 s: 6.1 s waiting for a person, 2.0 s streaming.`"""
    if not timeline.spans:
        return ""
    spent = timeline.spent()
    told = sorted(((spent[kind], words) for kind, words in _SPENT if spent[kind] > 0), reverse=True)  # type: ignore[index]
    parts = ", ".join(f"{figures.seconds(span)} {words}" for span, words in told[:3])
    whole = figures.seconds(timeline.end - timeline.start)
    return f"{whole} in all: {parts}" if parts else f"{whole} in all"
