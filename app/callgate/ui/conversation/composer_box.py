"""What the composer is made of: the field, what goes along, the choices for the conversation, and the buttons."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from callgate.engine.console import Console
from callgate.ui.conversation.enclosure_row import EnclosureRow
from callgate.ui.conversation.message_edit import MessageEdit
from callgate.ui.conversation.model_picker import ModelPicker
from callgate.ui.conversation.tool_chooser import ToolChooser
from callgate.ui.plain_text import plain_label
from callgate.ui.theme import RADIUS, XS, S, Theme

_SYSTEM_HEIGHT: Final = 96


class ComposerBox(QWidget):
    """The frame around message and controls: one field to the eye."""

    def __init__(self, console: Console, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._focused = False
        self.message = MessageEdit(theme)
        self.enclosures = EnclosureRow(theme)
        self.models = ModelPicker(console, theme)
        self.chooser = ToolChooser(console, theme)
        self.system = QPlainTextEdit()
        self._system_title = plain_label("System prompt of this conversation", "strong")
        self.editing = QWidget()
        self.cancel_button = QPushButton("Cancel  Esc")
        self.attach_button = _button("attachButton", "Add files or pictures (paste and drop work too)")
        self.system_button = _button("systemButton", "System prompt of this conversation")
        self.tools_button = _button(
            "useToolsButton", "Tools that the model is offered; each call goes through the gate"
        )
        self.edit_button = _button("editLastButton", "Edit the last message and send it again (Ctrl+Up)")
        self.send_button = QPushButton("Send  Ctrl+⏎")
        self.stop_button = QPushButton("Stop")
        self._build()
        theme.changed.connect(self._draw)
        self._draw()

    def _build(self) -> None:
        for button, name, words in (
            (self.send_button, "sendButton", "Send"),
            (self.stop_button, "stopButton", "Stop the answer"),
            (self.cancel_button, "cancelEditButton", "Leave the sent message as it is"),
        ):
            button.setObjectName(name)
            button.setAccessibleName(words)
        self.send_button.setProperty("kind", "primary")
        self.stop_button.setProperty("kind", "danger")
        self.cancel_button.setProperty("kind", "quiet")
        for button in (self.system_button, self.tools_button):
            button.setCheckable(True)
        self.tools_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.system.setObjectName("systemPrompt")
        self.system.setAccessibleName("System prompt")
        self.system.setPlaceholderText("What the model should know and how it should answer…")
        self.system.setFixedHeight(_SYSTEM_HEIGHT)
        self.system.setTabChangesFocus(True)
        self.editing.setObjectName("editingNote")
        note = QHBoxLayout(self.editing)
        note.setContentsMargins(S, XS, S, 0)
        note.addWidget(
            plain_label("Editing your last message: it is sent as another try, and this one is kept.", "hint")
        )
        note.addStretch(1)
        note.addWidget(self.cancel_button)
        controls = QHBoxLayout()
        controls.setContentsMargins(S, 0, S, S)
        controls.setSpacing(XS)
        for widget in (self.attach_button, self.models, self.tools_button, self.system_button, self.edit_button):
            controls.addWidget(widget)
        controls.addStretch(1)
        controls.addWidget(self.stop_button)
        controls.addSpacing(XS)
        controls.addWidget(self.send_button)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(XS)
        system_box = QVBoxLayout()
        system_box.setContentsMargins(S, S, S, 0)
        system_box.setSpacing(XS)
        system_box.addWidget(self._system_title)
        system_box.addWidget(self.system)
        inside.addWidget(self.chooser)
        inside.addLayout(system_box)
        inside.addWidget(self.editing)
        inside.addWidget(self.enclosures)
        inside.addWidget(self.message)
        inside.addLayout(controls)
        for hidden in (self.chooser, self._system_title, self.system, self.editing):
            hidden.hide()
        self.tools_button.toggled.connect(self._show_tools)
        self.system_button.toggled.connect(self._show_system)
        self.message.focus_changed.connect(self.set_focused)

    def _show_tools(self, shown: bool) -> None:
        self.chooser.setVisible(shown)
        if shown:
            self.system_button.setChecked(False)
            self.chooser.fill()
            self.chooser.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_system(self, shown: bool) -> None:
        self._system_title.setVisible(shown)
        self.system.setVisible(shown)
        if shown:
            self.tools_button.setChecked(False)
            self.system.setFocus(Qt.FocusReason.OtherFocusReason)

    def _draw(self) -> None:
        self.attach_button.setIcon(self._theme.icon("attachment"))
        self.tools_button.setIcon(self._theme.icon("tools"))
        self.edit_button.setIcon(self._theme.icon("edit"))
        self.stop_button.setIcon(self._theme.icon("stop", "denied"))
        self.mark_system(bool(self.system.toPlainText().strip()))

    def mark_system(self, there: bool) -> None:
        """Whether there is a system prompt shows without opening it."""
        self.system_button.setIcon(self._theme.icon("system", "accent" if there else "text2"))
        self.system_button.setAccessibleName(f"System prompt, {'set' if there else 'none'}")

    def set_focused(self, focused: bool) -> None:
        self._focused = focused
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("accent" if self._focused else "border"))
        painter.setBrush(self._theme.color("canvas"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


def _button(name: str, words: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setToolTip(words)
    button.setAccessibleName(words)
    return button
