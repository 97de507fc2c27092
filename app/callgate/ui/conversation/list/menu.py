"""The menu on conversations: what can be done with them, with the keys that do the same. Does nothing itself."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from callgate.core.conversation import ConversationSummary
from callgate.ui.conversation.list.tags import chip_color
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import ICON, Theme

_MOST_TAGS = 12


class ConversationMenu(QMenu):
    asked = Signal(str)
    """A verb of the list."""
    tag_switched = Signal(str, bool)
    """A tag is to be put on, or taken off."""


def conversation_menu(
    parent: QWidget, theme: Theme, chosen: Sequence[ConversationSummary], tags: Sequence[str]
) -> ConversationMenu:
    menu = ConversationMenu(parent)
    menu.setObjectName("conversationMenu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    one = len(chosen) == 1
    pinned = all(summary.marks.pinned for summary in chosen)
    if one:
        _add(menu, theme, "open", "open", "Open", "Return")
        _add(menu, theme, "rename", "edit", "Rename", "F2")
    _add(menu, theme, "pin", "unpin" if pinned else "pin", "Unpin" if pinned else "Pin", "Ctrl+P")
    labels = QMenu("Tags", menu)
    labels.setIcon(theme.icon("tag"))
    menu.addMenu(labels)
    for tag in tags[:_MOST_TAGS]:
        _add_tag(menu, labels, theme, tag, all(tag in summary.marks.tags for summary in chosen))
    if one:
        labels.addSeparator()
        edit = QAction("Edit tags…", labels)
        edit.setShortcut("Ctrl+T")
        edit.triggered.connect(lambda: menu.asked.emit("tag"))
        labels.addAction(edit)
    labels.setEnabled(bool(labels.actions()))
    menu.addSeparator()
    _add(menu, theme, "export", "export", "Export…" if one else f"Export {len(chosen)}…", "Ctrl+Shift+E")
    menu.addSeparator()
    _add(menu, theme, "delete", "remove", "Delete" if one else f"Delete {len(chosen)}", "Del")
    return menu


def _add(menu: ConversationMenu, theme: Theme, verb: str, icon: str, text: str, keys: str) -> None:
    action = QAction(theme.icon(icon), text, menu)
    action.setObjectName(f"conversation_{verb}")
    action.setShortcut(keys)
    action.setShortcutVisibleInContextMenu(True)
    # the list hears its keys itself: here they are only shown
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda: menu.asked.emit(verb))
    menu.addAction(action)


def _add_tag(menu: ConversationMenu, labels: QMenu, theme: Theme, tag: str, on: bool) -> None:
    # a & in a name would be taken for a key
    action = QAction(_dot(theme.color(chip_color(tag))), reveal(tag).replace("&", "&&"), labels)
    action.setCheckable(True)
    action.setChecked(on)
    action.toggled.connect(lambda put: menu.tag_switched.emit(tag, put))
    labels.addAction(action)


def _dot(color: QColor) -> QIcon:
    picture = QPixmap(ICON, ICON)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(4, 4, 8, 8)
    painter.end()
    return QIcon(picture)
