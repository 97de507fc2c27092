"""Draws a conversation: what it is about and when; who, with what, how it stands; its tags, and where a search hit.

Reads roles only. A header of a group is one quiet line.
"""

import time
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.core.conversation import ConversationSummary
from callgate.core.marks import LONGEST_NAME
from callgate.core.search_hit import SearchHit
from callgate.ui import figures
from callgate.ui.conversation.list_groups import Header, day_words
from callgate.ui.conversation.list_model import ConversationListModel, Role, Shape, title_of
from callgate.ui.conversation.list_tags import chip_color
from callgate.ui.reveal import reveal
from callgate.ui.theme import RADIUS, SMALL_SIZE, XS, M, S, Theme, mix

HEIGHT: Final = 56
HEADER_HEIGHT: Final = 28
_CHIPS: Final = 22
"""What a line of tags adds."""
_SNIPPET_LINE: Final = 17
_SNIPPET_LINES: Final = 2
_EDGE: Final = 3
_DOT: Final = 7
_SIGN: Final = 14
_KINDS: Final = {
    "system": "System prompt",
    "user": "Asked",
    "answer": "Answer",
    "reasoning": "Reasoning",
    "call": "Tool call",
    "result": "Result",
    "error": "Error",
}
Index = QModelIndex | QPersistentModelIndex


def _height(shape: Shape) -> int:
    if Shape.HEADER in shape:
        return HEADER_HEIGHT
    tags = _CHIPS if Shape.TAGS in shape else 0
    return HEIGHT + tags + (_SNIPPET_LINES * _SNIPPET_LINE + XS if Shape.SNIPPET in shape else 0)


_SIZES: Final = [QSize(120, _height(Shape(number))) for number in range(8)]
"""By `Shape`, which is a number: a dictionary would hash its name, in Python, for every row."""


class ConversationDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # asked of every row whenever one has changed: not by way of roles, each of which is a call through Qt
        model = index.model()
        return _SIZES[model.shape(index.row()) if isinstance(model, ConversationListModel) else Shape(0)]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        header, summary, hit = index.data(Role.HEADER), index.data(Role.SUMMARY), index.data(Role.HIT)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(header, Header):
            self._header(painter, box, header, bool(state & QStyle.StateFlag.State_MouseOver))
        elif isinstance(summary, ConversationSummary):
            found = hit if isinstance(hit, SearchHit) else None
            self._ground(painter, box, state, bool(summary.waiting))
            self._conversation(painter, box, summary, index, found)
        painter.restore()

    # ---- a group ---------------------------------------------------------------------------------------------------

    def _header(self, painter: QPainter, box: QRect, header: Header, hovered: bool) -> None:
        color = "waiting" if header.key == "waiting" else "text2" if hovered else "text3"
        sign = self._theme.icon("collapsed" if header.folded else "expanded", color)
        line = box.adjusted(M - 2, S - 2, -M, 0)
        if header.key != "hits":
            sign.paint(painter, QRect(line.left(), line.center().y() - 5, 11, 11))
            line.setLeft(line.left() + 11 + XS)
        else:
            line.setLeft(box.left() + M + _EDGE)
        small = self._theme.ui(SMALL_SIZE, bold=True)
        count = f"{header.waiting} waiting" if header.waiting and header.key != "waiting" else str(header.count)
        tone = "waiting" if header.waiting else "text3"
        room = QFontMetrics(small).horizontalAdvance(count)
        _write(painter, line.adjusted(0, 0, -room - S, 0), header.label, small, self._theme.color(color))
        _write(painter, line, count, self._theme.ui(SMALL_SIZE), self._theme.color(tone), Qt.AlignmentFlag.AlignRight)

    # ---- a conversation --------------------------------------------------------------------------------------------

    def _conversation(
        self,
        painter: QPainter,
        box: QRect,
        summary: ConversationSummary,
        index: Index,
        hit: SearchHit | None,
    ) -> None:
        inside = box.adjusted(M + _EDGE, S + 1, -M, -S - 1)
        half = (HEIGHT - 2 * (S + 1)) // 2
        line = QRect(inside.left(), inside.top(), inside.width(), half)
        self._first_line(painter, line, summary, hit)
        line.translate(0, half)
        self._second_line(painter, line, summary, index.data(Role.COST), bool(index.data(Role.UNDER_AGENT)))
        top = line.bottom() + 1
        if hit is not None and hit.snippet.text and hit.kind != "title":
            height = _SNIPPET_LINES * _SNIPPET_LINE
            self._snippet(painter, QRect(inside.left(), top + XS, inside.width(), height), hit)
            top += height + XS
        if summary.marks.tags:
            self._chips(painter, QRect(inside.left(), top + XS, inside.width(), _CHIPS - XS), summary.marks.tags)

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

    def _first_line(self, painter: QPainter, line: QRect, summary: ConversationSummary, hit: SearchHit | None) -> None:
        when = day_words(summary.updated_at, time.time())
        small = self._theme.ui(SMALL_SIZE)
        room = QFontMetrics(small).horizontalAdvance(when)
        right = QRect(line.right() - room, line.top(), room + 1, line.height())
        _write(painter, right, when, small, self._theme.color("text3"), Qt.AlignmentFlag.AlignRight)
        left = QRect(line.left(), line.top(), max(0, line.width() - room - S), line.height())
        for shown, icon, color in (
            (summary.marks.pinned, "pin", "accent"),
            (summary.imported, "imported", "text3"),
        ):
            if shown:
                sign = QRect(left.left(), left.center().y() - _SIGN // 2 + 1, _SIGN, _SIGN)
                self._theme.icon(icon, color).paint(painter, sign)
                left.setLeft(left.left() + _SIGN + XS)
        bold = self._theme.ui(bold=bool(summary.waiting or summary.live))
        title = title_of(summary)
        if hit is not None and hit.kind == "title" and hit.snippet.text.startswith(title[:20]):
            self._marked(painter, left, hit.snippet.text, hit.snippet.hits, bold, self._theme.color("text"), lines=1)
        else:
            _write(painter, left, title, bold, self._theme.color("text"))

    def _second_line(
        self, painter: QPainter, line: QRect, summary: ConversationSummary, cost: float | None, under_agent: bool
    ) -> None:
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
        spent = "" if words else _spent(summary, cost)
        if spent:
            room = QFontMetrics(small).horizontalAdvance(spent)
            right = QRect(line.right() - room, line.top(), room + 1, line.height())
            _write(painter, right, spent, small, self._theme.color("text3"), Qt.AlignmentFlag.AlignRight)
        agent = "" if under_agent else reveal(summary.agent)
        about = " · ".join(filter(None, (agent, reveal(summary.model))))
        left = QRect(line.left(), line.top(), max(0, line.width() - room - S), line.height())
        _write(painter, left, about, self._theme.ui(SMALL_SIZE), self._theme.color("text2"))

    def _snippet(self, painter: QPainter, box: QRect, hit: SearchHit) -> None:
        small = self._theme.ui(SMALL_SIZE)
        lead = f"{_KINDS[hit.kind]}: " if hit.kind in _KINDS else ""
        text, hits = reveal(hit.snippet.text), hit.snippet.hits
        if text != hit.snippet.text:
            hits = ()  # marks for hidden characters have moved the places
        moved = tuple((start + len(lead), end + len(lead)) for start, end in hits)
        self._marked(painter, box, lead + text, moved, small, self._theme.color("text2"), lines=_SNIPPET_LINES)

    def _marked(
        self,
        painter: QPainter,
        box: QRect,
        text: str,
        hits: tuple[tuple[int, int], ...],
        font: QFont,
        color: QColor,
        *,
        lines: int,
    ) -> None:
        """Text over at most so many lines, with the hits on a ground of their own."""
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        for number in range(lines):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(box.width())
            line.setPosition(QPoint(0, number * (_SNIPPET_LINE if lines > 1 else 0)))
        layout.endLayout()
        found = QTextCharFormat()
        found.setBackground(mix(self._theme.color("waiting"), self._theme.color("surface"), 0.28))
        found.setForeground(self._theme.color("text"))
        ranges = [_range(start, end - start, found) for start, end in hits]
        painter.setPen(color)
        top = box.top() if lines > 1 else box.center().y() - QFontMetrics(font).height() // 2 + 1
        painter.setClipRect(box)
        layout.draw(painter, QPoint(box.left(), top), ranges)
        painter.setClipping(False)

    def _chips(self, painter: QPainter, box: QRect, tags: tuple[str, ...]) -> None:
        font = self._theme.ui(SMALL_SIZE - 1)
        metrics = QFontMetrics(font)
        left = box.left()
        for tag in tags:
            text = metrics.elidedText(reveal(tag), Qt.TextElideMode.ElideRight, box.width() - 2 * S)
            width = metrics.horizontalAdvance(text) + 2 * (S - 2)
            if left + width > box.right():
                _write(
                    painter,
                    QRect(left, box.top(), box.right() - left, box.height()),
                    "…",
                    font,
                    self._theme.color("text3"),
                )
                return
            color = self._theme.color(chip_color(tag))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mix(color, self._theme.color("surface"), 0.18))
            chip = QRect(left, box.top() + 1, width, box.height() - 2)
            painter.drawRoundedRect(chip, XS, XS)
            _write(painter, chip, text, font, color, Qt.AlignmentFlag.AlignHCenter)
            left += width + XS

    # ---- a new name ------------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = QLineEdit(parent)
        field.setObjectName("conversationName")
        field.setAccessibleName("Name of the conversation")
        field.setMaxLength(LONGEST_NAME)
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: object, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            index.model().setData(index, editor.text(), Qt.ItemDataRole.EditRole)  # type: ignore[union-attr, arg-type]

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        box: QRect = option.rect  # type: ignore[attr-defined]
        editor.setGeometry(QRect(box.left() + S, box.top() + XS, box.width() - 2 * S, 30))

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        # the window has a use for Escape too: here it only gives up the new name
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
        return super().eventFilter(editor, event)


def _range(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, look  # type: ignore[attr-defined]
    return found


def _spent(summary: ConversationSummary, cost: float | None) -> str:
    tokens = figures.count(summary.usage.total) if summary.usage.total else ""
    return " · ".join(filter(None, (tokens, figures.dollars(cost) if cost else "")))


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
