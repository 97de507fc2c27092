"""Marks a widget as a pane: the ground that lists and texts lie on."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def as_pane(widget: QWidget) -> None:
    """Plain widgets draw no ground of a style sheet unless they are told to."""
    widget.setProperty("pane", True)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
