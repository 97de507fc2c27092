"""What a tool itself says of a call: its question, what will happen, and what to bear in mind.

Its words explain the arguments and never stand in for them: those are shown below, whole.
"""

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from callgate.core.invocation import Invocation
from callgate.ui.plain_text import plain_label
from callgate.ui.prose import Prose
from callgate.ui.reveal import reveal
from callgate.ui.theme import XS, Theme


class WordingBox(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approvalWording")
        self.title = plain_label("", "strong", wrap=True, selectable=True)
        self.message = Prose(theme)
        self.message.setAccessibleName("What will happen, in the tool's own words")
        self.disclaimer = plain_label("", "secondary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        for widget in (self.title, self.message, self.disclaimer):
            widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            column.addWidget(widget)
        theme.changed.connect(self._redraw)
        self._markdown = ""
        self.hide()

    def show_invocation(self, invocation: Invocation) -> None:
        """A result that waits has been explained by then."""
        said = invocation.wording
        review = invocation.state == "WaitingForPostApproval"
        self._markdown = "" if review else reveal(said.message)
        self._redraw()
        for label, text in ((self.title, said.title), (self.disclaimer, said.disclaimer)):
            shown = "" if review else reveal(text)
            label.setText(shown)
            label.setVisible(bool(shown))
        self.setVisible(not review and bool(said.title or said.message or said.disclaimer))

    def _redraw(self) -> None:
        self.message.show_markdown(self._markdown, color="text2")
        self.message.setVisible(bool(self._markdown))
