"""What the bytes of a leg mean in no wire's spelling: the form that Callgate itself works with. Fetches nothing."""

import asyncio
from typing import Final

import orjson
from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from callgate.core.messages import Json
from callgate.engine.console.wire_service import LegBytes, Neutral, WireService
from callgate.ui.bridge import Bridge
from callgate.ui.text.json_view import JsonView
from callgate.ui.text.long_text import LongText
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.traffic.inspector.pane_note import PaneNote
from callgate.ui.traffic.inspector.wire_pane import Mode
from callgate.ui.widgets.copy_button import CopyButton

AT_ONCE: Final = 20_000
"""Bytes that are read right away: a codec reads some 10 KB in a millisecond."""
_FROM: Final = {
    "client_request": "read from the client's request",
    "upstream_request": "read from the upstream request",
    "upstream_response": "read from the upstream response",
    "client_response": "read from the client's response",
}


class NeutralPane(QWidget):
    def __init__(
        self,
        service: WireService,
        bridge: Bridge,
        theme: Theme,
        title: str,
        turn: asyncio.Lock,
        parent: QWidget | None = None,
    ) -> None:
        """`turn` is shared by all panes: several threads that read at once would leave the window no time."""
        super().__init__(parent)
        self._service, self._bridge, self._turn = service, bridge, turn
        self._sent: LegBytes | None = None
        self._mode: Mode = "structure"
        self._stale = False
        """True: there is something to read, and nobody has looked yet."""
        self.read = Neutral()
        self._title = plain_label(title, "strong")
        self._about = plain_label(tone="hint")
        # beside two others it is cut off rather than taking their room
        self._about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._copy = CopyButton(theme, self._text, "the neutral form")
        self.json = JsonView(theme, f"{title} as structure")
        self.raw = LongText(theme, f"{title} as text")
        self.raw.text.setProperty("flat", True)
        self.empty = PaneNote("There is no neutral form")
        self._stack = QStackedWidget()
        for page in (self.empty, self.json, self.raw):
            self._stack.addWidget(page)
        head = QHBoxLayout()
        head.setContentsMargins(M, XS, S, XS)
        head.setSpacing(S)
        head.addWidget(self._title)
        head.addWidget(self._about, 1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)

    @property
    def is_idle(self) -> bool:
        """Whether it has only a few words to say."""
        return self._stack.currentWidget() is self.empty

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        self._show()

    def show_leg(self, sent: LegBytes | None) -> None:
        if sent == self._sent:
            return
        self._sent = sent
        if sent is None:
            self._take(Neutral(problem="Nothing was captured that could be read."))
            return
        self._stale = True
        if self.isVisible():
            self._start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._start()

    def _start(self) -> None:
        if self._sent is None:
            return
        self._stale = False
        if len(self._sent.data) <= AT_ONCE:
            self._take(self._service.neutral(self._sent))
        else:
            QTimer.singleShot(0, self, self._start_reading)

    def _start_reading(self) -> None:
        if self._sent is not None:
            self._bridge.start(self._read(self._sent), self, "reading the neutral form")

    async def _read(self, sent: LegBytes) -> None:
        async with self._turn:
            if sent is not self._sent:
                return  # another one has been asked for while this one waited
            read = await asyncio.to_thread(self._service.neutral, sent)
        if sent is self._sent:
            self._take(read)

    def _take(self, read: Neutral) -> None:
        self.read = read
        self._about.setText(_FROM[self._sent.leg] if self._sent is not None and not read.problem else "")
        self._copy.setEnabled(not read.problem)
        if not read.problem:
            value: Json = read.value if isinstance(read.value, dict | list) else [read.value]
            self.json.set_value(value)
        self._show()

    def _show(self) -> None:
        if self.read.problem:
            self.empty.set_texts("There is no neutral form", self.read.problem)
            self._stack.setCurrentWidget(self.empty)
        elif self._mode == "raw":
            self._stack.setCurrentWidget(self.raw)
            if self.isVisible():
                self.raw.show_text(self._text())
        else:
            self._stack.setCurrentWidget(self.json)

    def _text(self) -> str:
        try:
            return orjson.dumps(self.read.value, option=orjson.OPT_INDENT_2).decode()
        except TypeError:  # half a surrogate pair of some model
            return repr(self.read.value)
