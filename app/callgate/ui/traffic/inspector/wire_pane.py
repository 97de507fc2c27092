"""One leg of an exchange: its bytes as structure, raw, as events, and its headers. Shows captures; fetches nothing."""

import asyncio
from typing import Final, Literal

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.ui.bridge import Bridge
from callgate.ui.text import format as figures
from callgate.ui.text.json_view import JsonView
from callgate.ui.text.long_text import LongText, as_letters
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.traffic.inspector.body import Body, read_body
from callgate.ui.traffic.inspector.captured import Capture
from callgate.ui.traffic.inspector.event_list import EventList
from callgate.ui.traffic.inspector.pane_note import PaneNote
from callgate.ui.widgets.copy_button import CopyButton

Mode = Literal["structure", "raw", "events", "headers"]

AT_ONCE: Final = 200_000
"""Bytes that are read right away; more is read on another thread, and shown when it is."""
_NOT_CAPTURED: Final = "Nothing was captured here"
_WHY_NOT: Final = {
    False: "The person's own messages never were bytes of a client.",
    True: "Nothing went to an endpoint, or the answer never came.",
}


class WirePane(QWidget):
    def __init__(
        self, bridge: Bridge, theme: Theme, title: str, turn: asyncio.Lock, parent: QWidget | None = None
    ) -> None:
        """`turn` is shared by the panes: several threads that read at once would leave the window no time."""
        super().__init__(parent)
        self._bridge, self._turn = bridge, turn
        self._capture: Capture | None = None
        self._has_read = False
        self._same = ""
        self._since = 0.0
        self._mode: Mode = "structure"
        self._address = ""
        self.body = Body()
        self.is_upstream = title.startswith("Upstream")
        self._title = plain_label(title, "strong")
        self._size = plain_label(tone="hint")
        self._copy = CopyButton(theme, lambda: as_letters(self.body.data), "the body")
        self.json = JsonView(theme, f"{title} as structure")
        self.raw = LongText(theme, f"{title}, raw")
        self.events = EventList(theme, f"Events of {title.lower()}")
        self.head = LongText(theme, f"Headers of {title.lower()}")
        for text in (self.raw, self.head):
            text.text.setProperty("flat", True)  # it is the pane, not a box in it
        self.empty = PaneNote(_NOT_CAPTURED)
        self._stack = QStackedWidget()
        for page in (self.empty, self.json, self.raw, self.events, self.head):
            self._stack.addWidget(page)
        head = QHBoxLayout()
        head.setContentsMargins(M, XS, S, XS)
        head.setSpacing(S)
        head.addWidget(self._title)
        head.addWidget(self._size, 1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    @property
    def capture(self) -> Capture | None:
        """What it shows, once that has been read."""
        return self._capture if self._has_read else None

    @property
    def is_idle(self) -> bool:
        """Whether it has only a few words to say."""
        return self._stack.currentWidget() is self.empty

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        self._show()

    def set_address(self, url: str) -> None:
        """Where what is shown next was sent; empty = not known."""
        if url != self._address:
            self._address = url
            self._show_lines()

    def show_capture(self, capture: Capture | None, since: float, same_as: str = "") -> None:
        """`since`: when the request went out. `same_as`: the pane whose very bytes these are, if any."""
        if capture == self._capture and same_as == self._same and capture is not None:
            return
        self._capture, self._since, self._same = capture, since, same_as
        self._has_read = False
        if capture is None:
            self._take(None, Body())
        elif capture.size <= AT_ONCE:
            self._take(capture, read_body(capture))
        else:
            QTimer.singleShot(0, self, self._start_reading)

    def _start_reading(self) -> None:
        if self._capture is not None:
            self._bridge.start(self._read(self._capture), self, "reading a body")

    async def _read(self, capture: Capture) -> None:
        async with self._turn:
            if capture is not self._capture:
                return  # another one has been asked for while this one waited
            body = await asyncio.to_thread(read_body, capture)
        if capture is self._capture:
            self._take(capture, body)

    def _take(self, capture: Capture | None, body: Body) -> None:
        before, self.body, self._has_read = self.body, body, True
        self._title.setText(capture.title if capture is not None else self._title.text())
        self._size.setText(figures.size(len(body.data)) if capture is not None else "")
        self._copy.setEnabled(bool(body.data))
        if body.is_structured:
            value: Json = body.value if isinstance(body.value, dict | list) else [body.value]
            held = len(before.events)
            if held and body.events[:held] == before.events and isinstance(value, list):
                self.json.grow_value(value)
            else:
                self.json.set_value(value)
        self.events.set_events(body.events, self._since)
        self._show_lines()
        self._show()

    def _show_lines(self) -> None:
        """As they go over the wire: first whereto, then what is said above the body."""
        lines = [f"{name}: {value}" for name, value in (self._capture.head if self._capture is not None else ())]
        self.head.show_text("\n".join([f"POST {self._address}", *lines] if self._address else lines))
        set_plain_tip(self._title, f"POST {self._address}" if self._address else "")

    def _show(self) -> None:
        capture = self._capture
        if capture is None:
            self._explain(_NOT_CAPTURED, _WHY_NOT[self.is_upstream])
        elif self._same and self._mode in ("structure", "raw"):
            self._explain(f"The same bytes as the {self._same}", "They went through unchanged.")
        elif self._mode == "headers":
            self._show_head(capture)
        elif self._mode == "events":
            self._show_events()
        elif self._mode == "structure":
            self._show_structure()
        else:
            self._stack.setCurrentWidget(self.raw)
            if self.isVisible():  # laying out text for nobody takes as long as for somebody
                self.raw.show_bytes(self.body.data)

    def _show_structure(self) -> None:
        if self.body.is_structured:
            self._stack.setCurrentWidget(self.json)
        else:
            self._explain("There is no structure in it", self.body.problem)

    def _show_events(self) -> None:
        if self.body.is_stream:
            self._stack.setCurrentWidget(self.events)
        else:
            self._explain("It did not come as events", "The answer is one whole body.")

    def _show_head(self, capture: Capture) -> None:
        if capture.head or self._address:
            self._stack.setCurrentWidget(self.head)
        else:
            self._explain("No headers were kept here", "Where they are, keys are hidden.")

    def _explain(self, title: str, hint: str) -> None:
        self.empty.set_texts(title, hint)
        self._stack.setCurrentWidget(self.empty)
