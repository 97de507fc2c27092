"""Where the person writes to a model: the message, the model, whether tools go along, send and stop."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from callgate.core.errors import CallgateError
from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.message_edit import MessageEdit
from callgate.ui.conversation.model_picker import ModelPicker
from callgate.ui.conversation.spacing import CARD_PADDING, COLUMN_WIDTH
from callgate.ui.flow_layout import FlowLayout
from callgate.ui.plain_text import plain_label
from callgate.ui.reveal import reveal
from callgate.ui.theme import RADIUS, XS, L, M, S, Theme

_NO_MODEL: Final = "There is no model to talk to. Add an endpoint to the configuration."
_RUNNING: Final = "Wait for the answer, or stop it"
_NOTHING: Final = "Write a message first"
SUGGESTIONS: Final = (
    "What tools can you use?",
    "List the files of this workspace",
    "Run the tests and explain what fails",
)


class Composer(QWidget):
    sending = Signal(str)
    """A message is on its way; if it starts a conversation, its first event will say which."""
    stop_requested = Signal()

    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setAccessibleName("Message to a model")
        self._console, self._bridge, self._theme = console, bridge, theme
        self._conversation = ""
        self._running = False
        self._sending: object | None = None
        """What was sent last, until it is seen to run or has ended."""
        self._sent: list[str] = []
        self._recalled = 0
        self._draft = ""
        self.message = MessageEdit(theme)
        self.models = ModelPicker(console, theme)
        self.tools_button = QToolButton()
        self.send_button = QPushButton("Send  Ctrl+⏎")
        self.stop_button = QPushButton("Stop")
        self.error = plain_label("", "danger", selectable=True, wrap=True)
        self._suggestions = QWidget()
        self._build()
        self._connect()
        self._draw()
        self.refresh_models()

    # ---- what it is about ------------------------------------------------------------------------------------------

    def set_conversation(self, conversation_id: str, *, empty: bool) -> None:
        """Where the next message goes; empty id = it starts a conversation. `empty`: nothing has been said yet."""
        if conversation_id != self._conversation:
            self._say("")
            self._sending = None
        self._conversation = conversation_id
        self._suggestions.setVisible(empty)
        self._update_buttons()

    def set_running(self, running: bool) -> None:
        if running:
            self._sending = None
        if running != self._running:
            self._running = running
            self._update_buttons()

    def refresh_models(self) -> None:
        self.models.refresh()
        self._update_buttons()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        for button, name, words in (
            (self.send_button, "sendButton", "Send"),
            (self.stop_button, "stopButton", "Stop the answer"),
        ):
            button.setObjectName(name)
            button.setAccessibleName(words)
        self.send_button.setProperty("kind", "primary")
        self.stop_button.setProperty("kind", "danger")
        self.tools_button.setObjectName("useToolsButton")
        self.tools_button.setText("Tools")
        self.tools_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.tools_button.setCheckable(True)
        self.tools_button.setChecked(True)
        self.tools_button.setAccessibleName("Offer the tools of the catalog")
        self.tools_button.setToolTip("Offer the enabled tools to the model; each call still goes through the gate")
        self.error.setObjectName("composerError")
        self.error.hide()
        flow = FlowLayout(S, self._suggestions)
        for words in SUGGESTIONS:
            chip = QPushButton(words)
            chip.clicked.connect(lambda _=False, text=words: self._suggest(text))
            flow.addWidget(chip)
        controls = QHBoxLayout()
        controls.setContentsMargins(S, 0, S, S)
        controls.setSpacing(S)
        controls.addWidget(self.models)
        controls.addWidget(self.tools_button)
        controls.addStretch(1)
        controls.addWidget(self.stop_button)
        controls.addWidget(self.send_button)
        self._box = _Box(self._theme)
        page = QWidget()
        page.setMaximumWidth(COLUMN_WIDTH + 2 * CARD_PADDING)
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(XS)
        inside.addWidget(self.message)
        inside.addLayout(controls)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self._suggestions)
        column.addWidget(self.error)
        column.addWidget(self._box)
        middle = QHBoxLayout(self)
        middle.setContentsMargins(L, S, L, M)
        middle.addWidget(page)
        self.setFocusProxy(self.message)

    def _connect(self) -> None:
        self.message.textChanged.connect(self._update_buttons)
        self.message.send_pressed.connect(self.send)
        self.message.recall_pressed.connect(self._recall)
        self.message.focus_changed.connect(self._box.set_focused)
        self.send_button.clicked.connect(self.send)
        self.stop_button.clicked.connect(self.stop_requested)
        self._theme.changed.connect(self._draw)

    def _draw(self) -> None:
        self.tools_button.setIcon(self._theme.icon("tools"))
        self.stop_button.setIcon(self._theme.icon("stop", "denied"))

    # ---- sending ---------------------------------------------------------------------------------------------------

    def send(self) -> None:
        text, model = self.message.toPlainText().strip(), self.models.chosen
        if self._obstacle():
            return
        self._sent.append(text)
        self._recalled, self._draft = len(self._sent), ""
        self.message.clear()
        self._say("")
        self.sending.emit(text)
        work = self._send(text, model, self._conversation, self.tools_button.isChecked())
        self._bridge.start(work, self, "sending a message")

    async def _send(self, text: str, model: str, conversation_id: str, use_tools: bool) -> None:
        sending = self._sending = object()
        self._update_buttons()
        try:
            await self._console.send(text, model=model, conversation_id=conversation_id, use_tools=use_tools)
        except CallgateError as fault:
            self._say(str(fault))
            if not self.message.toPlainText():
                self.message.setPlainText(text)
        finally:
            if self._sending is sending:
                self._sending = None
            self._update_buttons()

    def _obstacle(self) -> str:
        """Why nothing can be sent now, in words; empty = nothing is in the way."""
        if not self.models.chosen:
            return _NO_MODEL
        if self._running or self._sending is not None:
            return _RUNNING
        return "" if self.message.toPlainText().strip() else _NOTHING

    def _update_buttons(self) -> None:
        obstacle = self._obstacle()
        running = self._running or self._sending is not None
        self.send_button.setEnabled(not obstacle)
        self.send_button.setToolTip(obstacle or "Send the message (Ctrl+Enter)")
        self.stop_button.setVisible(running)
        self.stop_button.setEnabled(bool(self._conversation))
        self.models.setEnabled(bool(self.models.chosen))
        placeholder = _NO_MODEL if obstacle == _NO_MODEL else "Message the model…"
        if self.message.placeholderText() != placeholder:
            self.message.setPlaceholderText(placeholder)

    def _say(self, words: str) -> None:
        self.error.setText(reveal(words))
        self.error.setVisible(bool(words))

    # ---- earlier messages ------------------------------------------------------------------------------------------

    def _recall(self, by: int) -> None:
        """Alt+Up and Alt+Down: through what was sent, and back to what was being written."""
        target = self._recalled + by
        if not 0 <= target <= len(self._sent):
            return
        if self._recalled == len(self._sent):
            self._draft = self.message.toPlainText()
        self._recalled = target
        self.message.set_text(self._draft if target == len(self._sent) else self._sent[target])

    def _suggest(self, text: str) -> None:
        self.message.set_text(text)
        self.message.setFocus(Qt.FocusReason.OtherFocusReason)


class _Box(QWidget):
    """The frame around message and controls: one field to the eye."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._focused = False
        theme.changed.connect(self.update)

    def set_focused(self, focused: bool) -> None:
        self._focused = focused
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("accent" if self._focused else "border"))
        painter.setBrush(self._theme.color("canvas"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
