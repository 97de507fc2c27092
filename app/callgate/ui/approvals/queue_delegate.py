"""How a waiting call looks in the queue: two lines, and an amber edge. Draws roles; fetches nothing."""

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.ui.approvals.queue_model import Role
from callgate.ui.theme.theme import BODY_SIZE, ICON, SMALL_SIZE, S, Theme, mix
from callgate.ui.widgets.agent_name import PROVEN_ICON

_EDGE: Final = 3
_LINE: Final = 18
_HEADING: Final = 24
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class QueueDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(160, 2 * _LINE + 2 * S + (_HEADING if index.data(Role.HEADING) else 0))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        place = QRect(option.rect)
        heading = str(index.data(Role.HEADING) or "")
        if heading:
            self._heading(painter, QRect(place.left(), place.top(), place.width(), _HEADING), heading)
            place.setTop(place.top() + _HEADING)
        self._ground(painter, option, place, bool(index.data(Role.SNOOZED)))
        box = place.adjusted(_EDGE + S, S, -S, -S)
        upper = QRect(box.left(), box.top(), box.width(), _LINE)
        lower = QRect(box.left(), box.top() + _LINE, box.width(), _LINE)
        self._upper(painter, upper, index)
        painter.setFont(self._theme.mono(SMALL_SIZE))
        painter.setPen(self._theme.color("text2"))
        self._text(painter, lower.adjusted(ICON + S, 0, 0, 0), str(index.data(Role.SUMMARY)))
        painter.restore()

    def _heading(self, painter: QPainter, box: QRect, words: str) -> None:
        painter.fillRect(box, self._theme.color("raised"))
        painter.setFont(self._theme.ui(SMALL_SIZE, bold=True))
        painter.setPen(self._theme.color("text2"))
        self._text(painter, box.adjusted(S, 0, -S, 0), words)

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, place: QRect, snoozed: bool) -> None:
        surface = self._theme.color("surface")
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, mix(self._theme.color("accent"), surface, 0.18))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(place, mix(self._theme.color("text"), surface, 0.05))
        edge = QRect(place.left(), place.top(), _EDGE, place.height() - 1)
        painter.fillRect(edge, self._theme.color("border" if snoozed else "waiting"))
        painter.fillRect(place.adjusted(0, place.height() - 1, 0, 0), self._theme.color("border"))

    def _upper(self, painter: QPainter, box: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        snoozed, review = bool(index.data(Role.SNOOZED)), bool(index.data(Role.REVIEW))
        icon = "time" if snoozed else "review" if review else "waiting"
        mark = self._theme.icon(icon, "text3" if snoozed else "waiting")
        mark.paint(painter, QRect(box.left(), box.top() + 1, ICON, ICON))
        painter.setFont(self._theme.ui(SMALL_SIZE))
        room = box.adjusted(ICON + S, 0, -self._times(painter, box, index) - S, 0)
        font = self._theme.ui(BODY_SIZE, bold=True)
        painter.setFont(font)
        painter.setPen(self._theme.color("text2" if snoozed else "text"))
        tool = str(index.data(Role.TOOL))
        self._text(painter, room, tool)
        room.adjust(QFontMetrics(font).horizontalAdvance(tool) + S, 0, 0, 0)
        painter.setFont(self._theme.ui(BODY_SIZE))
        painter.setPen(self._theme.color("text2"))
        if index.data(Role.PROVEN):
            self._theme.icon(PROVEN_ICON, "completed").paint(painter, QRect(room.left(), box.top() + 1, ICON, ICON))
            room.adjust(ICON + S, 0, 0, 0)
        more = str(index.data(Role.MORE) or "")
        words = [
            str(index.data(Role.CHANGED) or ""),
            more,
            str(index.data(Role.AGENT)),
            "not now" if snoozed else "review the result" if review else "",
        ]
        self._text(painter, room, "  ·  ".join(word for word in words if word))

    def _times(self, painter: QPainter, box: QRect, index: QModelIndex | QPersistentModelIndex) -> int:
        """What stands at the right, and how wide it is."""
        left = str(index.data(Role.LEFT) or "")
        said = "shown  ·  " if index.data(Role.SEEN) else ""
        words = f"{said}{left or index.data(Role.AGE)}"
        width = painter.fontMetrics().horizontalAdvance(words)
        painter.setPen(self._theme.color("denied" if index.data(Role.URGENT) else "text3"))
        painter.drawText(box, _RIGHT, words)
        return width

    def _text(self, painter: QPainter, box: QRect, text: str) -> None:
        if box.width() > 0:
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, _LEFT | int(Qt.TextFlag.TextSingleLine), shown)
