"""Scroll areas that a screen reader can walk through while they change.

Qt's own description of a scroll area counts its scroll bars only while they show, and does not check the index that it
is asked for (`QAccessibleAbstractScrollArea::child`, seen in Qt 6.11). A screen reader asks for the count first and for
the children after; an area that was hidden in between ended the whole program. The description of a plain widget lists
the same children, all of them at any time, and checks the index.
"""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget

_DESCRIBED = frozenset({"QScrollArea", "QAbstractScrollArea"})
"""By the name of the C++ class; texts, lists, trees and tables have descriptions of their own, which check."""


def install() -> None:
    """For the whole process; after the application was made."""
    QAccessible.installFactory(_describe)


def _describe(class_name: str, described: QObject) -> QAccessibleInterface | None:
    if class_name in _DESCRIBED and isinstance(described, QAbstractScrollArea):
        return QAccessibleWidget(described, QAccessible.Role.Client)
    return None
