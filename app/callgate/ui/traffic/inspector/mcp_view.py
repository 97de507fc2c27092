"""What went to an MCP server and came back for one call: each message with its time, as kept and as it comes.

Reads the messages of the call that is chosen, and is told of those that follow.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.events import FrameCaptured
from callgate.engine.console.wire_service import WireService
from callgate.ui.bridge import Bridge
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.traffic.inspector.frame_list import FrameList
from callgate.ui.widgets.choice_box import ChoiceBox
from callgate.ui.widgets.copy_button import CopyButton
from callgate.ui.widgets.empty_state import EmptyState


class McpView(QWidget):
    def __init__(self, service: WireService, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mcpMessages")
        self._service, self._bridge = service, bridge
        self._calls: tuple[Invocation, ...] = ()
        self._wanted_frame = ""
        """To be selected as soon as it is here."""
        self._loaded, self._loading = "", ""
        self._left_out = 0
        self._meanwhile: list[FrameCaptured] = []
        self.which = ChoiceBox(theme, "Call")
        self._about = plain_label(tone="hint", wrap=True)
        self.raw = QToolButton()
        self.raw.setText("Raw")
        self.raw.setToolTip("The selected message as it was sent")
        self.raw.setCheckable(True)
        self.messages = FrameList(theme, "Messages between Callgate and the MCP server")
        self._copy = CopyButton(theme, self._text, "the message")
        self._none = EmptyState(theme, "network", "No messages")
        self._stack = QStackedWidget()
        self._build()
        self.which.currentIndexChanged.connect(lambda _: self._show())
        self.raw.toggled.connect(self.messages.set_raw)

    @property
    def call(self) -> Invocation | None:
        """The one on show."""
        return next((one for one in self._calls if one.id == self.which.currentData()), None)

    def show_calls(self, calls: Sequence[Invocation], wanted: str = "") -> None:
        """The calls of an exchange or a round that went to a server; the one that was looked at stays."""
        chosen = wanted or self.which.currentData()
        self._calls = tuple(calls)
        self.which.blockSignals(True)
        self.which.clear()
        for call in calls:
            self.which.addItem(reveal(f"{call.tool} at {call.source}"), call.id)
        self.which.choose(chosen)
        self.which.blockSignals(False)
        self.which.setVisible(len(calls) > 1)
        self._show()

    def show_message(self, invocation_id: str, frame_id: str) -> None:
        """One message of one of the calls, now or as soon as it has been read."""
        self._wanted_frame = frame_id
        self.which.choose(invocation_id)
        self._select()

    def apply(self, frames: Iterable[FrameCaptured]) -> None:
        """What passes just now."""
        fresh = list(frames)
        if self._loading:
            self._meanwhile += (frame for frame in fresh if frame.invocation_id == self._loading)
        mine = [frame for frame in fresh if frame.invocation_id == self._loaded]
        if mine and self._loaded:
            self.messages.add(mine)
            self._explain()

    def _build(self) -> None:
        for page in (self._none, self.messages):
            self._stack.addWidget(page)
        head = QHBoxLayout()
        head.setContentsMargins(M, S, M, S)
        head.setSpacing(S)
        head.addWidget(self.which)
        head.addWidget(self._about, 1)
        head.addWidget(self.raw)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)

    def _show(self) -> None:
        call = self.call
        if call is None:
            return
        if call.id not in (self._loaded, self._loading):
            self._loaded, self._left_out = "", 0
            self.messages.set_frames((), _began(call))
            QTimer.singleShot(0, self, self._start)  # the loop may not run yet while windows are built
        self._explain()

    def _start(self) -> None:
        call = self.call
        if call is not None and call.id not in (self._loaded, self._loading):
            self._loading = call.id
            self._meanwhile.clear()
            self._bridge.start(self._load(call), self, "loading messages of a call")

    async def _load(self, call: Invocation) -> None:
        held = await self._service.frames(call.id)
        if self._loading != call.id:
            return
        self._loading = ""
        if self.call is None or self.call.id != call.id:
            self._start()
            return
        self._loaded = call.id
        self.messages.set_frames(held.frames, _began(call))
        self.messages.add(self._meanwhile)
        self._meanwhile.clear()
        self._left_out = held.left_out
        self._explain()
        self._select()

    def _select(self) -> None:
        if self._wanted_frame and self._loaded and self.messages.select(self._wanted_frame):
            self._wanted_frame = ""

    def _explain(self) -> None:
        call = self.call
        if call is None:
            return
        more = f" · {self._left_out:,} messages in the middle are not shown" if self._left_out else ""
        self._about.setText(reveal(f"{call.tool} at {call.source} · call {call.call_id}{more}"))
        has_any = self.messages.model.rowCount() > 0
        self._stack.setCurrentWidget(self.messages if has_any else self._none)
        for button in (self.raw, self._copy):
            button.setVisible(has_any)
        self._none.set_texts("No messages", "Reading…" if self._loaded != call.id else _why_none(call))

    def _text(self) -> str:
        frame = self.messages.current
        return frame.text if frame is not None else ""


def _began(call: Invocation) -> float:
    return next((phase.since for phase in call.phases if phase.state == "Executing"), call.started)


def _why_none(call: Invocation) -> str:
    if not any(phase.state == "Executing" for phase in call.phases):
        return "The call was never sent to the server."
    if call.is_live:
        return "Nothing has been sent to the server yet."
    return "They are deleted with the captured bytes, after a month unless configured otherwise, or were never kept."
