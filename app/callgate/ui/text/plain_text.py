"""Text of strangers in Qt's widgets: always plain. Qt guesses HTML in labels and tool tips unless it is told not to."""

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QLabel, QWidget

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.widgets.breaking_label import BreakingLabel


def plain_label(text: str = "", tone: str = "", *, selectable: bool = False, wrap: bool = False) -> QLabel:
    """A label that never reads HTML; `tone` as in the style sheet. One that wraps is never cut off."""
    label = BreakingLabel(text) if wrap else QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    if tone:
        label.setProperty("tone", tone)
    if selectable:
        flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        label.setTextInteractionFlags(flags)
    return label


def keep_room(label: QLabel) -> None:
    """Its line stays free while it is hidden: words that come must not push buttons away from under the mouse."""
    policy = label.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    label.setSizePolicy(policy)


def set_plain_tip(widget: QWidget, text: str) -> None:
    widget.setToolTip(plain_tip(text))


def plain_tip(text: str) -> str:
    """For a tool tip in which nothing is markup and nothing is hidden."""
    shown = reveal(text)
    # QtGui's Qt: the one in QtCore has neither
    return Qt.convertFromPlainText(shown) if Qt.mightBeRichText(shown) else shown
