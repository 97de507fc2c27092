"""What went to an MCP server and came back for one call: each message with its time. Fetches nothing."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from callgate.core.invocation import Invocation
from callgate.core.mcp_join import messages_of_call, method_of
from callgate.core.sse_events import SseEvent
from callgate.engine.source_desk import WireFrame
from callgate.ui.choice_box import ChoiceBox
from callgate.ui.empty_state import EmptyState
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import M, S, Theme
from callgate.ui.traffic.event_list import EventList

FramesOf = Callable[[str], Sequence[WireFrame]]
"""What is still known of the messages of a source."""
_WAYS = {"out": "→", "in": "←"}


class McpView(QWidget):
    def __init__(self, theme: Theme, frames_of: FramesOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mcpMessages")
        self._frames_of = frames_of
        self._calls: tuple[Invocation, ...] = ()
        self.which = ChoiceBox(theme, "Call")
        self._about = plain_label(tone="hint", wrap=True)
        self.messages = EventList(theme, "Messages between Callgate and the MCP server")
        self._none = EmptyState(theme, "network", "No messages")
        self._stack = QStackedWidget()
        for page in (self._none, self.messages):
            self._stack.addWidget(page)
        head = QHBoxLayout()
        head.setContentsMargins(M, S, M, S)
        head.setSpacing(S)
        head.addWidget(self.which)
        head.addWidget(self._about, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        self.which.currentIndexChanged.connect(lambda _: self._show())

    def show_calls(self, calls: Sequence[Invocation]) -> None:
        """The calls of an exchange or a round that went to a server; the one that was looked at stays."""
        chosen = self.which.currentData()
        self._calls = tuple(calls)
        self.which.blockSignals(True)
        self.which.clear()
        for call in calls:
            self.which.addItem(reveal(f"{call.tool} at {call.source}"), call.id)
        self.which.choose(chosen)
        self.which.blockSignals(False)
        self.which.setVisible(len(calls) > 1)
        self._show()

    def _show(self) -> None:
        call = next((one for one in self._calls if one.id == self.which.currentData()), None)
        if call is None:
            return
        found = messages_of_call(self._frames_of(call.source), call)
        self._about.setText(reveal(f"{call.tool} at {call.source} · call {call.call_id}"))
        self._stack.setCurrentWidget(self.messages if found else self._none)
        self._none.set_texts("No messages", _why_none(call))
        started = next((phase.since for phase in call.phases if phase.state == "Executing"), call.started)
        self.messages.set_events(tuple(_event(one) for one in found), started)


def _event(frame: WireFrame) -> SseEvent:
    what = f"{_WAYS[frame.direction]} {method_of(frame.text) or 'message'}"
    return SseEvent(frame.at, frame.text, what, size=len(frame.text.encode("utf-8", "replace")))


def _why_none(call: Invocation) -> str:
    if not any(phase.state == "Executing" for phase in call.phases):
        return "The call was never sent to the server."
    return "Messages are kept while Callgate runs, the latest of each server; those of this call are no longer there."
