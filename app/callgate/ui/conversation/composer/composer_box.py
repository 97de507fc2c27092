"""What the composer is made of: the field, what goes along, the choices for the conversation, and the buttons."""

from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from callgate.engine.console.console import Console
from callgate.ui.conversation.composer.enclosure_row import EnclosureRow
from callgate.ui.conversation.composer.message_edit import MessageEdit
from callgate.ui.conversation.composer.tool_chooser import ToolChooser
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, RADIUS, XS, S, Theme

_WIDEST: Final = 260


class ModelPicker(QComboBox):
    """The choice of a model. Asks the console for them whenever it opens."""

    def __init__(self, console: Console, theme: Theme) -> None:
        super().__init__()
        self._console, self._theme = console, theme
        self.setObjectName("modelPicker")
        self.setAccessibleName("Model")
        self.setToolTip("The model that answers")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaximumWidth(_WIDEST)

    @property
    def chosen(self) -> str:
        return self.currentData() or ""

    def choose(self, model: str) -> None:
        """Chooses a model where it is there; else the choice stays."""
        at = self.findData(model)
        if at >= 0:
            self.setCurrentIndex(at)

    def refresh(self) -> None:
        """Asks for the models again; the choice stays if it is still there."""
        before = self.chosen
        models = self._console.models()
        ids = [model.id for model in models]
        self.blockSignals(True)
        self.clear()
        for model in models:
            twice = ids.count(model.id) > 1
            self.addItem(reveal(f"{model.id} ({model.endpoint})" if twice else model.id), model.id)
            self.setItemData(self.count() - 1, f"Endpoint: {model.endpoint}", Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(max(0, self.findData(before)) if models else -1)
        self.blockSignals(False)

    def showPopup(self) -> None:
        self.refresh()
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        """With the caret that the style sheet cannot draw: it would need an image file for each theme."""
        super().paintEvent(event)
        painter = QPainter(self)
        box = QRect(self.width() - ICON - S // 2, (self.height() - ICON) // 2, ICON, ICON)
        self._theme.icon("expanded", "text2" if self.isEnabled() else "border").paint(painter, box)


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
