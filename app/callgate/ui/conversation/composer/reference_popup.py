"""The list that opens behind a `#`: tools and toolsets that fit the letters, chosen without leaving the keyboard."""

from typing import Final

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from callgate.engine.console.console import Console
from callgate.ui.conversation.composer.message_edit import MessageEdit
from callgate.ui.conversation.composer.references import Reference, begun, matching, references_of
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import ICON, RADIUS, SMALL_SIZE, M, S, Theme

_ROW: Final = 30
_SHOWN: Final = 8
_WIDTH: Final = 460
_NO_PARENT: Final = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: tuple[Reference, ...] = ()

    def show(self, found: tuple[Reference, ...]) -> None:
        self.beginResetModel()
        self.found = found
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        one = self.found[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"#{one.name}"
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{one.name}, {f'toolset of {one.count}' if one.is_set else 'tool'}: {one.about}"
            case _:
                return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, _Model)
        one = model.found[index.row()]
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        box = option.rect.adjusted(S, 0, -S, 0)
        icon = QRect(box.left(), box.center().y() - ICON // 2 + 1, ICON, ICON)
        self._theme.icon("tools" if one.is_set else "tool", "accent" if one.is_set else "text2").paint(painter, icon)
        box.setLeft(icon.right() + S)
        place = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        painter.setFont(self._theme.mono(SMALL_SIZE))
        painter.setPen(self._theme.color("text"))
        metrics = painter.fontMetrics()
        name = metrics.elidedText(reveal(one.name), Qt.TextElideMode.ElideRight, box.width() * 3 // 5)
        painter.drawText(box, place, name)
        box.setLeft(box.left() + metrics.horizontalAdvance(name) + M)
        painter.setFont(self._theme.ui(SMALL_SIZE))
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(self._theme.color("text2" if chosen else "text3"))
        about = f"{one.count} tools · {one.about}" if one.is_set else one.about
        shown = painter.fontMetrics().elidedText(reveal(about), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, place, shown)
        painter.restore()


class ReferencePopup(QFrame):
    """Stands over the window's own widgets, so that it never takes the keyboard away from the message."""

    def __init__(self, console: Console, theme: Theme, edit: MessageEdit) -> None:
        super().__init__(edit.window())
        self._console, self._edit, self._theme = console, edit, theme
        self._closed_for: str | None = None
        """Letters for which the person has closed it."""
        self.setObjectName("referencePopup")
        self.setAccessibleName("Tools and toolsets")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._model = _Model(self)
        self.list = QListView()
        self.list.setObjectName("referenceList")
        self.list.setAccessibleName("Tools and toolsets")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Delegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.clicked.connect(lambda _: self._choose())
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(self.list)
        self.hide()
        edit.textChanged.connect(self._follow)
        edit.cursorPositionChanged.connect(self._follow)
        edit.installEventFilter(self)
        theme.changed.connect(self._draw)
        self._draw()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self._model.found)

    def _draw(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#referencePopup {{ background: {tokens.raised}; border: 1px solid {tokens.border};"
            f" border-radius: {RADIUS}px; }} QListView {{ background: transparent; }}"
        )

    def _letters(self) -> str | None:
        cursor = self._edit.textCursor()
        if cursor.hasSelection() or not self._edit.hasFocus():
            return None
        return begun(cursor.block().text()[: cursor.positionInBlock()])

    def _follow(self) -> None:
        letters = self._letters()
        if letters is None:
            self._closed_for = None
        if letters is None or letters == self._closed_for:
            self.hide()
            return
        found = matching(references_of(self._console.tools(), self._console.toolsets()), letters)
        if not found or (len(found) == 1 and found[0].name == letters):
            self.hide()
            return
        self._model.show(found)
        self.list.setCurrentIndex(self._model.index(0))
        self._place(len(found))

    def _place(self, count: int) -> None:
        window = self._edit.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        width = min(_WIDTH, window.width() - 2 * M)
        height = min(count, _SHOWN) * _ROW + 2
        corner = self._edit.cursorRect().topLeft()
        at = self._edit.viewport().mapTo(window, corner)
        left = max(M, min(at.x(), window.width() - width - M))
        top = at.y() - height - M
        below = at.y() + self._edit.fontMetrics().lineSpacing() + S
        self.setGeometry(left, top if top >= 0 else below, width, height)
        self.show()
        self.raise_()

    def _choose(self) -> None:
        index = self.list.currentIndex()
        letters = self._letters()
        if not index.isValid() or letters is None:
            return
        cursor = self._edit.textCursor()
        cursor.movePosition(cursor.MoveOperation.Left, cursor.MoveMode.KeepAnchor, len(letters))
        cursor.insertText(f"{self._model.found[index.row()].name} ")
        self._edit.setTextCursor(cursor)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if event.type() != QEvent.Type.KeyPress or not self.isVisible() or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                row = (self.list.currentIndex().row() + step) % self._model.rowCount()
                self.list.setCurrentIndex(self._model.index(row))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Tab:
                self._choose()
            case Qt.Key.Key_Escape:
                self._closed_for = self._letters()
                self.hide()
            case _:
                return False
        return True
