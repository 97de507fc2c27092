"""How a row of the tool tree is drawn, and where its check box is. Reads roles only; fetches nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap, QPolygonF, QRegion, QStaticText, QTransform
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from callgate.core.tool import Tool
from callgate.ui.text.format import count
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import ICON, SMALL_SIZE, XS, M, S, Theme, mix
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Group
from callgate.ui.tools.model import ToolRole
from callgate.ui.tools.query import Query, excerpt, finds_tag, highlights, words_in

Index = QModelIndex | QPersistentModelIndex
_Find = Callable[[str, Query], list[tuple[int, int]]]

ROW_HEIGHT: Final = 42
"""Of every row: only rows of one height can be laid out by the thousand."""
_BOX: Final = 14
_TEXT_LEFT: Final = S + ICON + XS + _BOX + S
_LINE: Final = 18
_NAME_SHARE: Final = 0.55
"""Badges and chips may not push a name below this share of the row."""
_MOST_LINES: Final = 4000
_MOST_PICTURES: Final = 2000
"""Tags come from strangers, and so does their number."""
_ANY_WIDTH: Final = 1_000_000
_PLAIN, _BOLD, _SMALL = range(3)
"""The fonts of a row."""
_STATE_COLORS: Final = {
    "failed": "denied",
    "starting": "text3",
    "restarting": "waiting",
    "stopped": "text3",
    "off": "text3",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """One row being drawn."""

    painter: QPainter
    rect: QRect
    selected: bool


@dataclass(frozen=True, slots=True)
class _Badge:
    """A sign at the right end of a row: an icon, and a number where it is more than one."""

    icon: str
    color: str
    number: int = 1


class ToolDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, facts: Facts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts = facts
        self._query = Query()
        self._pictures: dict[tuple[str, str, float], QPixmap] = {}
        """Icons, boxes and chips as they were last drawn: drawing them anew costs as much as all the rest of a row."""
        self._lines: dict[tuple[str, int, int], tuple[QStaticText, int]] = {}
        """Texts as they were last laid out: the same ones come again with nearly every keystroke."""
        self._fonts = (theme.ui(), theme.ui(bold=True), theme.ui(SMALL_SIZE))
        self._metrics = tuple(QFontMetrics(font) for font in self._fonts)
        theme.changed.connect(self._pictures.clear)

    def set_query(self, query: Query) -> None:
        self._query = query

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(_TEXT_LEFT + 120, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = _Row(painter, option.rect, bool(option.state & QStyle.StateFlag.State_Selected))
        self._ground(row, bool(option.state & QStyle.StateFlag.State_MouseOver))
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is not None:
            self._check_box(row, Qt.CheckState(state))
        tool = index.data(ToolRole.TOOL)
        if isinstance(tool, Tool):
            self._tool(row, tool, state is None or Qt.CheckState(state) == Qt.CheckState.Checked)
        else:
            self._group(row, index, bool(option.state & QStyle.StateFlag.State_Open))
        painter.restore()

    def box_rect(self, row: QRect) -> QRect:
        """Where the check box of a row is."""
        return QRect(row.left() + S + ICON + XS, row.top() + XS + 2, _BOX, _BOX)

    def box_at(self, row: QRect, place: QPoint) -> bool:
        """Whether somebody who points there means the box: a little beside it is near enough."""
        return self.box_rect(row).adjusted(-XS, -XS, XS, XS).contains(place)

    # ---- drawing ------------------------------------------------------------------------------------------------

    def _ground(self, row: _Row, hovered: bool) -> None:
        surface = self._theme.color("surface")
        ground = surface
        if row.selected:
            ground = mix(self._theme.color("accent"), surface, 0.18)
        elif hovered:
            ground = mix(self._theme.color("text"), surface, 0.05)
        row.painter.fillRect(row.rect, ground)

    def _check_box(self, row: _Row, state: Qt.CheckState) -> None:
        ratio = _ratio(row.painter)
        key = (f"box {state.name}", "", ratio)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._pictures[key] = self._drawn_box(state, ratio)
        row.painter.drawPixmap(self.box_rect(row.rect), picture)

    def _drawn_box(self, state: Qt.CheckState, ratio: float) -> QPixmap:
        picture = _blank(_BOX, _BOX, ratio)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        off = state == Qt.CheckState.Unchecked
        accent, ground = self._theme.color("accent"), self._theme.color("surface")
        painter.setPen(QPen(self._theme.color("text3") if off else accent, 1))
        painter.setBrush(ground if off else accent)
        painter.drawRoundedRect(QRectF(0.5, 0.5, _BOX - 1, _BOX - 1), 3, 3)
        if not off:
            round_cap, round_join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
            painter.setPen(QPen(ground, 1.8, Qt.PenStyle.SolidLine, round_cap, round_join))
            points = [QPointF(4, 7), QPointF(10, 7)]
            if state == Qt.CheckState.Checked:
                points = [QPointF(3.5, 7.2), QPointF(6, 9.8), QPointF(10.5, 4.6)]
            painter.drawPolyline(QPolygonF(points))
        painter.end()
        return picture

    def _group(self, row: _Row, index: Index, is_open: bool) -> None:
        group = index.data(ToolRole.GROUP)
        assert isinstance(group, Group)
        caret = QRect(row.rect.left() + S, row.rect.top() + XS + 1, ICON, ICON)
        held = index.model().rowCount(index)
        many = f"{held:,}"
        if held:
            self._icon(row, "expanded" if is_open else "collapsed", "text3", caret)
        line = self._line(row, group.switchable)
        right = self._badges(row, self._group_badges(group), line)
        self._text(row, many, line.adjusted(0, 0, right - line.right(), 0), "text3", _SMALL, right=True)
        room = line.adjusted(0, 0, right - line.right() - S - self._width(many), 0)
        self._text(row, reveal(group.title), room, "text", _BOLD)
        words, color = self._about_group(index, group)
        self._text(row, words, line.translated(0, _LINE), color, _SMALL)

    def _about_group(self, index: Index, group: Group) -> tuple[str, str]:
        """The second line, and its colour."""
        source = self._facts.sources.get(group.source) if group.kind == "source" else None
        if source is not None and source.state in _STATE_COLORS:
            why = f": {reveal(source.reason)}" if source.reason else ""
            return f"{source.state}{why}", _STATE_COLORS[source.state]
        if not group.switchable:
            return "brought along by agents", "text3"
        on, tokens = int(index.data(ToolRole.ENABLED_COUNT)), int(index.data(ToolRole.TOKENS))
        cost = f" · about {count(tokens)} tokens" if tokens else ""
        return f"{on:,} on{cost}", "text3"

    def _group_badges(self, group: Group) -> list[_Badge]:
        source = self._facts.sources.get(group.source) if group.kind == "source" else None
        if source is None:
            return []
        badges = [_Badge("failed", "denied")] if source.state == "failed" else []
        return [*badges, _Badge("warning", "waiting", len(source.problems))] if source.problems else badges

    def _tool(self, row: _Row, tool: Tool, is_on: bool) -> None:
        line = self._line(row, switchable=True)
        right = self._badges(row, self._tool_badges(tool), line)
        line_left = line.adjusted(0, 0, right - line.right(), 0)
        free = self._chips(row, tool, line_left)
        self._name(row, tool, line.adjusted(0, 0, free - line.right(), 0), is_on)
        about, below = self._second_line(tool), line.translated(0, _LINE)
        self._marked(row, about, below, "text3", _SMALL, words_in)

    def _second_line(self, tool: Tool) -> str:
        """What it is; or, where that is why it was found, the sentence with the word in it."""
        if not self._query.words:
            return _first_line(tool)
        texts = (tool.title, tool.user_description, tool.description)
        return reveal(excerpt(tool.name, texts, self._query)) or _first_line(tool)

    def _tool_badges(self, tool: Tool) -> list[_Badge]:
        """The most urgent first, which stands furthest to the right."""
        badges: list[_Badge] = []
        if waiting := self._facts.waiting.get((tool.source, tool.name)):
            badges.append(_Badge("waiting", "waiting", waiting))
        if self._facts.is_changed(tool):
            badges.append(_Badge("forming", "accent"))
        if tool.unavailable:
            badges.append(_Badge("denied", "text3"))
        if doubts := self._facts.doubts(tool.name):
            grave = any(finding.severity == "error" for finding in self._facts.lint(tool.name))
            badges.append(_Badge("warning", "denied" if grave else "text3", doubts))
        return badges

    def _line(self, row: _Row, switchable: bool) -> QRect:
        """The first line of a row, beside caret and box."""
        left = _TEXT_LEFT if switchable else S + ICON + XS
        return QRect(row.rect.left() + left, row.rect.top() + XS, row.rect.width() - left - M, _LINE)

    def _badges(self, row: _Row, badges: list[_Badge], line: QRect) -> int:
        """Draws them from the right; returns where the room beside them ends."""
        right = line.right()
        for badge in badges:
            if badge.number > 1:
                number = str(badge.number)
                place = line.adjusted(0, 0, right - line.right(), 0)
                self._text(row, number, place, badge.color, _SMALL, right=True)
                right -= self._width(number) + 2
            box = QRect(right - ICON + 1, line.top() + 1, ICON, ICON)
            self._icon(row, badge.icon, badge.color, box)
            right -= ICON + XS
        return right

    def _icon(self, row: _Row, name: str, color: str, box: QRect) -> None:
        key = (name, color, _ratio(row.painter))
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._pictures[key] = self._theme.icon(name, color).pixmap(box.size(), key[2])
        row.painter.drawPixmap(box, picture)

    def _width(self, text: str) -> int:
        return self._metrics[_SMALL].horizontalAdvance(text)

    def _text(self, row: _Row, text: str, place: QRect, color: str, font: int = _PLAIN, *, right: bool = False) -> None:
        line, width = self._laid_out(text, font, place.width())
        row.painter.setFont(self._fonts[font])
        row.painter.setPen(self._theme.color(color))
        left = place.right() - width + 1 if right else place.left()
        row.painter.drawStaticText(left, place.top() + (place.height() - self._metrics[font].height()) // 2, line)

    def _laid_out(self, text: str, font: int, room: int) -> tuple[QStaticText, int]:
        """A text cut to the room that it has, and how wide it is then; shaping letters is the dearest part of a row."""
        key = (text, font, room)
        held = self._lines.get(key)
        if held is None:
            if len(self._lines) > _MOST_LINES:
                self._lines.clear()
            metrics = self._metrics[font]
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            line = QStaticText(shown)
            line.setTextFormat(Qt.TextFormat.PlainText)
            line.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            line.prepare(QTransform(), self._fonts[font])
            held = self._lines[key] = (line, metrics.horizontalAdvance(shown))
        return held

    def _name(self, row: _Row, tool: Tool, place: QRect, is_on: bool) -> None:
        self._marked(row, tool.name, place, "text" if is_on else "text3", _PLAIN, highlights)

    def _marked(self, row: _Row, text: str, place: QRect, color: str, font: int, find: _Find) -> None:
        """A text with what was typed marked in it; there it is not grey, as grey could not be read on the ground."""
        marks = QRegion() if self._query.is_empty else self._marks(row, text, place, font, find)
        self._text(row, text, place, color, font)
        if color != "text" and not marks.isEmpty():
            row.painter.save()
            row.painter.setClipRegion(marks, Qt.ClipOperation.IntersectClip)
            self._text(row, text, place, "text", font)
            row.painter.restore()

    def _marks(self, row: _Row, text: str, place: QRect, font: int, find: _Find) -> QRegion:
        """The ground behind what was typed, as far as the text is shown."""
        marks = QRegion()
        metrics = self._metrics[font]
        shown = self._laid_out(text, font, place.width())[0].text()
        tint = mix(self._theme.color("accent"), self._theme.color("surface"), 0.38)
        for start, length in find(shown, self._query):
            left = place.left() + metrics.horizontalAdvance(shown[:start])
            width = metrics.horizontalAdvance(shown[: start + length]) + place.left() - left
            row.painter.setPen(Qt.PenStyle.NoPen)
            row.painter.setBrush(tint)
            row.painter.drawRoundedRect(QRect(left - 1, place.top() + 1, width + 2, place.height() - 2), 3, 3)
            marks += QRect(left, place.top(), width, place.height())
        return marks

    def _chips(self, row: _Row, tool: Tool, line: QRect) -> int:
        """Draws as many tags as fit, from the right; returns where the room for the name ends."""
        metrics = self._metrics[_SMALL]
        _, name_width = self._laid_out(tool.name, _PLAIN, _ANY_WIDTH)
        limit = line.left() + max(min(name_width, line.width()), int(line.width() * _NAME_SHARE)) + S
        right = line.right()
        for tag in reversed(tool.tags):
            width = metrics.horizontalAdvance(tag) + 2 * S - XS
            if right - width < limit:
                break
            chip = QRect(right - width, line.top(), width, _LINE)
            row.painter.drawPixmap(chip, self._chip(tag, width, _ratio(row.painter)))
            right -= width + XS
        return right

    def _chip(self, tag: str, width: int, ratio: float) -> QPixmap:
        edge = "accent" if finds_tag(tag, self._query) else "border"
        key = (f"chip {tag}", edge, ratio)
        picture = self._pictures.get(key)
        if picture is None:
            if len(self._pictures) > _MOST_PICTURES:
                self._pictures.clear()
            picture = self._pictures[key] = _blank(width, _LINE, ratio)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color(edge), 1))
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, _LINE - 1), 4, 4)
            painter.setFont(self._fonts[_SMALL])
            painter.setPen(self._theme.color("text2"))
            painter.drawText(QRect(0, 0, width, _LINE), Qt.AlignmentFlag.AlignCenter, tag)
            painter.end()
        return picture


def _blank(width: int, height: int, ratio: float) -> QPixmap:
    picture = QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _ratio(painter: QPainter) -> float:
    device = painter.device()
    return device.devicePixelRatioF() if device is not None else 1.0


def _first_line(tool: Tool) -> str:
    """A title that only repeats the name would say nothing."""
    repeats = _plain(tool.title) == _plain(tool.name)
    about = ("" if repeats else tool.title) or tool.user_description or tool.description or tool.title
    return reveal(about.strip().partition("\n")[0]) or "no description"
