"""Changes how a widget is dressed after it was made: Qt reads a style sheet's properties again only when told to."""

from PySide6.QtWidgets import QLabel, QPushButton, QWidget


def set_tone(label: QLabel, tone: str) -> None:
    """`tone` as in the style sheet."""
    _set(label, "tone", tone)


def set_kind(button: QPushButton, kind: str) -> None:
    """`kind` as in the style sheet."""
    _set(button, "kind", kind)


def set_wrong(widget: QWidget, wrong: bool) -> None:
    """Whether what it holds is marked as wrong, by its edge."""
    _set(widget, "wrong", "true" if wrong else "")


def _set(widget: QWidget, name: str, value: str) -> None:
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
