"""Keeps the keyboard where it is when buttons come and go: Qt hands it on to the next one as if by Tab."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

_TEXTS: Final = (QLineEdit, QPlainTextEdit)


def hold_focus(bar: QWidget) -> None:
    """The bar itself takes the focus of a button in it: a key meant for this call must not find the button of
    another. Texts in the making keep theirs."""
    focused = QApplication.focusWidget()
    if focused is not None and bar.isAncestorOf(focused) and not isinstance(focused, _TEXTS):
        bar.setFocus(Qt.FocusReason.OtherFocusReason)
