"""Draws a conversation in two lines: what it is about and when; who, with what, how it stands. Reads roles only."""

import time
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.core.conversation import ConversationSummary
from callgate.ui import figures
from callgate.ui.conversation.list_model import Role, title_of
from callgate.ui.reveal import reveal
from callgate.ui.theme import RADIUS, SMALL_SIZE, XS, M, S, Theme, mix

HEIGHT: Final = 56
_EDGE: Final = 3
_DOT: Final = 7


class ConversationDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QStyledItemDelegate | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        summary = index.data(Role.SUMMARY)
        if not isinstance(summary, ConversationSummary):
            return
        box: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, box, state, bool(summary.waiting))
        inside = box.adjusted(M + _EDGE, S + 1, -M, -S - 1)
        half = inside.height() // 2
        self._first_line(painter, QRect(inside.left(), inside.top(), inside.width(), half), summary)
        self._second_line(
            painter, QRect(inside.left(), inside.top() + half, inside.width(), inside.height() - half), summary
        )
        painter.restore()

    def _ground(self, painter: QPainter, box: QRect, state: QStyle.StateFlag, waits: bool) -> None:
        surface = self._theme.color("surface")
        card = box.adjusted(XS, 1, -XS, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(mix(self._theme.color("accent"), surface, 0.18))
            painter.drawRoundedRect(card, RADIUS, RADIUS)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(mix(self._theme.color("text"), surface, 0.05))
            painter.drawRoundedRect(card, RADIUS, RADIUS)
        if waits:
            painter.setBrush(self._theme.color("waiting"))
            painter.drawRoundedRect(QRect(card.left(), card.top() + S, _EDGE, card.height() - 2 * S), 1, 1)

    def _first_line(self, painter: QPainter, line: QRect, summary: ConversationSummary) -> None:
        when = figures.ago(summary.updated_at, time.time())
        small = self._theme.ui(SMALL_SIZE)
        room = QFontMetrics(small).horizontalAdvance(when)
        right = QRect(line.right() - room, line.top(), room + 1, line.height())
        _write(painter, right, when, small, self._theme.color("text3"), Qt.AlignmentFlag.AlignRight)
        left = QRect(line.left(), line.top(), max(0, line.width() - room - S), line.height())
        bold = self._theme.ui(bold=bool(summary.waiting or summary.live))
        _write(painter, left, title_of(summary), bold, self._theme.color("text"))

    def _second_line(self, painter: QPainter, line: QRect, summary: ConversationSummary) -> None:
        words, color = _state(summary)
        small = self._theme.ui(SMALL_SIZE, bold=bool(summary.waiting))
        room = QFontMetrics(small).horizontalAdvance(words) if words else 0
        if words:
            right = QRect(line.right() - room, line.top(), room + 1, line.height())
            _write(painter, right, words, small, self._theme.color(color), Qt.AlignmentFlag.AlignRight)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(color))
            dot = QPoint(right.left() - S + 1, line.center().y() + 1)
            painter.drawEllipse(dot, _DOT // 2, _DOT // 2)
            room += S + _DOT
        tokens = f"{figures.count(summary.usage.total)} tokens" if summary.usage.total else ""
        about = " · ".join(filter(None, (reveal(summary.agent), reveal(summary.model), tokens)))
        left = QRect(line.left(), line.top(), max(0, line.width() - room - S), line.height())
        _write(painter, left, about, self._theme.ui(SMALL_SIZE), self._theme.color("text2"))


def _state(summary: ConversationSummary) -> tuple[str, str]:
    if summary.waiting:
        return f"{len(summary.waiting)} waiting", "waiting"
    if summary.live:
        return "running", "executing"
    if summary.failed:
        return "failed", "denied"
    return "", "text3"


def _write(
    painter: QPainter,
    box: QRect,
    text: str,
    font: QFont,
    color: QColor,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    painter.setFont(font)
    painter.setPen(color)
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
