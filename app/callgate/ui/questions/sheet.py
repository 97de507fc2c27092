"""What the part of the dialog that shows one question can do, whatever its kind."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from callgate.core.question import Answer
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.long_text import LongText
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import S, Theme

_LONG = 600
"""Letters; more are no line to be read at a glance."""
_BOX_HEIGHT = 160


class Sheet(QWidget):
    changed = Signal()
    """Whether it can be accepted may be otherwise now."""
    accept_words = "Send"
    accept_tip = ""
    decline_words = "Decline"
    decline_tip = "The server gets your refusal"

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(S)

    def answer(self) -> Answer | None:
        """What accepting it would say; None = it can't be accepted as it stands."""
        raise NotImplementedError

    def accepted(self) -> str:
        """Called once it was accepted in time; returns what the person should be told, if anything."""
        return ""

    def first(self) -> QWidget | None:
        """Where typing begins."""
        return None

    def quote(self, text: str, theme: Theme, title: str) -> None:
        """The server's own words: as a label, or where they are long in a box that scrolls and never stalls."""
        if len(text) <= _LONG:
            self.say(text)
            return
        box = LongText(theme, title)
        box.show_text(text)
        box.setMaximumHeight(_BOX_HEIGHT)
        self.column.addWidget(box)

    def say(self, text: str, tone: str = "") -> QLabel:
        """A line of the server's words or ours: plain, selectable, hidden signs shown."""
        label = plain_label(reveal(text), tone, selectable=True, wrap=True)
        self.column.addWidget(label)
        return label
