"""Draws a conversation: who and when, or how it stands; what it is about; with what and for how much; its tags, and
where a search hit.

Reads roles only. A header of a group is one quiet line.
"""

import time
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from callgate.core.conversation import ConversationSummary
from callgate.core.marks import LONGEST_NAME
from callgate.core.search.hit import SearchHit
from callgate.ui.conversation.list.groups import Header, day_words
from callgate.ui.conversation.list.model import ConversationListModel, Role, Shape, title_of
from callgate.ui.conversation.list.tags import chip_colors
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import RADIUS, SMALL_SIZE, XS, L, M, S, Theme, mix
from callgate.ui.widgets.agent_name import PROVEN_ICON, has_sign

HEIGHT: Final = 72
"""Of a row whose title is one line."""
TITLE_LINE: Final = 18
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


def _height(shape: Shape, title_lines: int) -> int:
    if Shape.HEADER in shape:
        return HEADER_HEIGHT
    more = (title_lines - 1) * TITLE_LINE + (_CHIPS if Shape.TAGS in shape else 0)
    return HEIGHT + more + (_SNIPPET_LINES * _SNIPPET_LINE + XS if Shape.SNIPPET in shape else 0)


_SIZES: Final = [[QSize(120, _height(Shape(number), lines)) for number in range(8)] for lines in (1, 2)]
"""By `Shape`, which is a number: a dictionary would hash its name, in Python, for every row."""
_SMALL_LINE: Final = 17


class ConversationDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._metrics = QFontMetrics(theme.ui())
        self._widths: dict[str, int] = {}
        """Of titles, in one line."""
        self._room = 0
        self._faint = "text3"
        """For what is read last in the row that is drawn: on the ground of a chosen one, hints are too near to it."""

    def set_width(self, width: int) -> None:
        """How wide rows are: decides which titles take two lines."""
        self._room = width - 2 * M - _EDGE

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # asked of every row whenever one has changed: not by way of roles, each of which is a call through Qt
        model, row = index.model(), index.row()
        if not isinstance(model, ConversationListModel):
            return _SIZES[0][0]
        return _SIZES[self._wraps(model.title_at(row), model.signs_at(row))][model.shape(row)]

    def _wraps(self, title: str, signs: int) -> bool:
        if not title or self._room <= 0:
            return False
        width = self._widths.get(title)
        if width is None:
            width = self._widths[title] = self._metrics.horizontalAdvance(title)
        return width > self._room - signs * (_SIGN + XS)

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
            self._faint = "text2" if state & QStyle.StateFlag.State_Selected else "text3"
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
        inside = box.adjusted(M + _EDGE + int(index.data(Role.DEPTH) or 0) * L, S + 1, -M, -S - 1)
        under_agent = bool(index.data(Role.UNDER_AGENT))
        line = QRect(inside.left(), inside.top(), inside.width(), _SMALL_LINE)
        self._who_and_when(painter, line, summary, str(index.data(Role.WHO)))
        signs = bool(summary.marks.pinned) + summary.imported
        lines = 2 if self._wraps(title_of(summary), signs) else 1
        title = QRect(inside.left(), line.bottom() + 2, inside.width(), lines * TITLE_LINE)
        self._title(painter, title, summary, hit, lines)
        line = QRect(inside.left(), title.bottom() + 2, inside.width(), _SMALL_LINE)
        self._with_what(painter, line, summary, index.data(Role.COST), under_agent)
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

    def _who_and_when(self, painter: QPainter, line: QRect, summary: ConversationSummary, who: str) -> None:
        small = self._theme.ui(SMALL_SIZE)
        words, color = _state(summary)
        if words:
            room = self._signal(painter, line, words, color, bold=bool(summary.waiting))
        else:
            words = day_words(summary.updated_at, time.time())
            room = QFontMetrics(small).horizontalAdvance(words)
            _write(painter, line, words, small, self._theme.color(self._faint), Qt.AlignmentFlag.AlignRight)
        left = line.adjusted(0, 0, -room - S, 0)
        if has_sign(summary.agent, summary.agent_proven):
            sign = QRect(left.left(), left.center().y() - _SIGN // 2 + 1, _SIGN, _SIGN)
            self._theme.icon(PROVEN_ICON, "completed").paint(painter, sign)
            left.setLeft(sign.right() + XS)
        _write(painter, left, who, small, self._theme.color("text2"))

    def _signal(self, painter: QPainter, line: QRect, words: str, color: str, *, bold: bool) -> int:
        """A state at the right, with its dot; tells how much room it took."""
        font = self._theme.ui(SMALL_SIZE, bold=bold)
        room = QFontMetrics(font).horizontalAdvance(words)
        _write(painter, line, words, font, self._theme.color(color), Qt.AlignmentFlag.AlignRight)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(color))
        painter.drawEllipse(QPoint(line.right() - room - S + 1, line.center().y() + 1), _DOT // 2, _DOT // 2)
        return room + S + _DOT

    def _title(
        self, painter: QPainter, box: QRect, summary: ConversationSummary, hit: SearchHit | None, lines: int
    ) -> None:
        left, title = 0, title_of(summary)
        for shown, icon, color in (
            (summary.marks.pinned, "pin", "accent"),
            (summary.imported, "imported", self._faint),
        ):
            if shown:
                middle = box.top() + TITLE_LINE // 2
                self._theme.icon(icon, color).paint(painter, QRect(box.left() + left, middle - 6, _SIGN, _SIGN))
                left += _SIGN + XS
        font = self._theme.ui(bold=bool(summary.waiting or summary.live))
        color = self._theme.color("text")
        hits: tuple[tuple[int, int], ...] = ()
        if hit is not None and hit.kind == "title" and hit.snippet.text.startswith(title[:20]):
            title, hits = hit.snippet.text, hit.snippet.hits
        if lines == 1 and not hits:
            _write(painter, box.adjusted(left, 0, 0, 0), title, font, color)
        else:
            self._marked(painter, box, title, hits, font, color, lines=lines, pitch=TITLE_LINE, indent=left)

    def _with_what(
        self, painter: QPainter, line: QRect, summary: ConversationSummary, cost: float | None, under_agent: bool
    ) -> None:
        small = self._theme.ui(SMALL_SIZE)
        if summary.failed and not summary.live:
            room = self._signal(painter, line, "failed", "denied", bold=False)
        else:
            spent = _spent(summary, cost)
            room = QFontMetrics(small).horizontalAdvance(spent)
            _write(painter, line, spent, small, self._theme.color(self._faint), Qt.AlignmentFlag.AlignRight)
        about = "" if under_agent else reveal(summary.model)
        _write(painter, line.adjusted(0, 0, -room - S, 0), about, small, self._theme.color(self._faint))

    def _snippet(self, painter: QPainter, box: QRect, hit: SearchHit) -> None:
        small = self._theme.ui(SMALL_SIZE)
        lead = f"{_KINDS[hit.kind]}: " if hit.kind in _KINDS else ""
        text, hits = reveal(hit.snippet.text), hit.snippet.hits
        if text != hit.snippet.text:
            hits = ()  # marks for hidden characters have moved the places
        moved = tuple((start + len(lead), end + len(lead)) for start, end in hits)
        color = self._theme.color("text2")
        self._marked(painter, box, lead + text, moved, small, color, lines=_SNIPPET_LINES, pitch=_SNIPPET_LINE)

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
        pitch: int,
        indent: int = 0,
    ) -> None:
        """Text over at most so many lines, with the hits on a ground of their own; what is left out is told by dots."""
        layout = QTextLayout(_cut(text, font, box.width(), lines, indent), font)
        _lay_out(layout, box.width(), lines, pitch, indent)
        found = QTextCharFormat()
        found.setBackground(mix(self._theme.color("waiting"), self._theme.color("surface"), 0.28))
        found.setForeground(self._theme.color("text"))
        ranges = [_range(start, end - start, found) for start, end in hits]
        painter.setPen(color)
        top = box.top() + max(0, (pitch - QFontMetrics(font).height()) // 2)
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
                    self._theme.color(self._faint),
                )
                return
            ink, ground = chip_colors(self._theme, tag)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            chip = QRect(left, box.top() + 1, width, box.height() - 2)
            painter.drawRoundedRect(chip, XS, XS)
            _write(painter, chip, text, font, ink, Qt.AlignmentFlag.AlignHCenter)
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


def _lay_out(layout: QTextLayout, width: int, lines: int, pitch: int, indent: int) -> int:
    """Where the last line ends in the text."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    end = 0
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        left = 0 if number else indent
        line.setLineWidth(width - left)
        line.setPosition(QPoint(left, number * pitch))
        end = line.textStart() + line.textLength()
    layout.endLayout()
    return end


def _cut(text: str, font: QFont, width: int, lines: int, indent: int) -> str:
    """What fits into so many lines."""
    end = _lay_out(QTextLayout(text, font), width, lines, 0, indent)
    if end >= len(text):
        return text
    before = _lay_out(QTextLayout(text, font), width, lines - 1, 0, indent) if lines > 1 else 0
    room = width - (0 if lines > 1 else indent)
    return text[:before] + QFontMetrics(font).elidedText(text[before:], Qt.TextElideMode.ElideRight, room)


def _range(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, look  # type: ignore[attr-defined]
    return found


def _spent(summary: ConversationSummary, cost: float | None) -> str:
    tokens = figures.count(summary.usage.total) if summary.usage.total else ""
    spent = " · ".join(filter(None, (tokens, figures.dollars(cost) if cost else "")))
    return figures.about(spent, bool(summary.usage.estimated))


def _state(summary: ConversationSummary) -> tuple[str, str]:
    if summary.waiting:
        return f"{len(summary.waiting)} waiting", "waiting"
    return ("running", "executing") if summary.live else ("", "text3")


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
