"""Draws a timeline on any painter: the screen's, a picture's, an SVG's. Reads values only."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen

from callgate.core.timeline.bars import Lane, Mark, MarkKind, Span, SpanKind
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import SMALL_SIZE, XS, M, S, Theme, mix
from callgate.ui.timeline.geometry import AXIS, BAR, GUTTER, ROW, Geometry
from callgate.ui.timeline.scale import tick_step

INKS: Final[dict[SpanKind, tuple[str, float]]] = {
    "exchange": ("text3", 0.45),
    "provider": ("text3", 0.55),
    "reasoning": ("released", 0.75),
    "text": ("accent", 1.0),
    "arguments": ("accent", 0.55),
    "judging": ("text3", 0.35),
    "person": ("waiting", 1.0),
    "tool": ("executing", 1.0),
    "mcp": ("executing", 0.6),
    "rpc": ("executing", 0.35),
    "question": ("waiting", 0.6),
    "client": ("completed", 0.75),
    "gap": ("border", 1.0),
}
"""Token and how much of it: the same colours as everywhere, and never the only sign, as every bar has its words."""
MARKS: Final[dict[MarkKind, str]] = {
    "first_token": "First token",
    "decision": "Decided",
    "progress": "Progress",
    "sent": "Message to the server",
    "received": "Message from it",
    "notice": "Progress or log",
}
_SIGN_MIDDLE: Final[dict[MarkKind, float]] = {"first_token": 3.5, "progress": ROW - 4.0}
"""How far below the top of its lane a sign has its middle, where that is not the lane's own."""
Chosen = Span | Mark | None
_TICK_ROOM: Final = 90.0
_INDENT: Final = {"exchange": 0, "round": 14, "call": 28, "mcp": 42}
ALIGN: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine)


class TimelinePainter:
    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def ink(self, kind: SpanKind) -> QColor:
        name, share = INKS[kind]
        return mix(self._theme.color(name), self._theme.color("surface"), share)

    def paint(
        self, painter: QPainter, where: Geometry, size: QRectF, chosen: Chosen = None, hovered: Chosen = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(size, self._theme.color("surface"))
        self._grounds(painter, where, size, chosen)
        painter.save()
        painter.setClipRect(QRectF(GUTTER, 0, size.width() - GUTTER, size.height()))
        self._axis(painter, where, size)
        painter.setClipRect(QRectF(GUTTER, AXIS, size.width() - GUTTER, size.height() - AXIS))
        self._folds(painter, where, size)
        self._links(painter, where, size.height())
        seen = where.lanes_within(size.height())
        for span in where.timeline.spans:
            if span.lane in seen and (bar := where.bar(span)).right() >= GUTTER:
                self._bar(painter, bar, span, span is chosen, span is hovered)
        for mark in where.timeline.marks:
            if mark.lane in seen:
                self._mark(painter, where, mark, mark is chosen, mark is hovered)
        painter.restore()
        self._names(painter, where, size)

    # ---- ground ----------------------------------------------------------------------------------------------------

    def _grounds(self, painter: QPainter, where: Geometry, size: QRectF, chosen: Chosen) -> None:
        surface = self._theme.color("surface")
        for place in where.lanes_within(size.height()):
            lane = where.timeline.lanes[place]
            row = QRectF(0, where.lane_top(place), size.width(), ROW)
            if chosen is not None and chosen.lane == place:
                painter.fillRect(row, mix(self._theme.color("accent"), surface, 0.14))
            elif lane.kind == "exchange":
                painter.fillRect(row, mix(self._theme.color("text"), surface, 0.04))

    def _axis(self, painter: QPainter, where: Geometry, size: QRectF) -> None:
        painter.setFont(self._figures())
        line = QPen(self._theme.color("border"), 1)
        start = where.timeline.start
        step = tick_step(_TICK_ROOM / where.zoom)
        first = max(0.0, where.moment(GUTTER) - start)
        last = where.moment(size.width()) - start
        number = int(first // step)
        drawn_until = -1.0
        while number * step <= last:
            x = where.x(start + number * step)
            number += 1
            if x < drawn_until:
                continue  # within a fold a minute is a pixel
            painter.setPen(line)
            painter.drawLine(QPointF(x, AXIS - 5), QPointF(x, size.height()))
            painter.setPen(self._theme.color("text3"))
            words = f"+{_span_words((number - 1) * step, step)}"
            if x + XS + painter.fontMetrics().horizontalAdvance(words) <= size.width():
                painter.drawText(QRectF(x + XS, 0, _TICK_ROOM, AXIS - 2), ALIGN, words)
            drawn_until = x + _TICK_ROOM * 0.7
        painter.setPen(line)
        painter.drawLine(QPointF(GUTTER, AXIS - 0.5), QPointF(size.width(), AXIS - 0.5))

    def _folds(self, painter: QPainter, where: Geometry, size: QRectF) -> None:
        surface = self._theme.color("surface")
        for fold in where.scale.folds:
            left, right = where.x(fold.start), where.x(fold.end)
            box = QRectF(left, AXIS, max(2.0, right - left), size.height() - AXIS)
            painter.fillRect(box, mix(self._theme.color("border"), surface, 0.5))
            words = f"{figures.seconds(fold.seconds)} idle"
            painter.setFont(self._theme.ui(SMALL_SIZE - 1))
            painter.setPen(self._theme.color("text3"))
            painter.save()
            painter.translate(box.center().x(), box.top() + S)
            painter.rotate(90)
            painter.drawText(QRectF(0, -8, box.height(), 16), ALIGN, words)
            painter.restore()

    def _links(self, painter: QPainter, where: Geometry, height: float) -> None:
        painter.setPen(QPen(mix(self._theme.color("text3"), self._theme.color("surface"), 0.45), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        seen = where.lanes_within(height)
        for link in where.timeline.links:
            if link.to_lane < seen.start or link.from_lane >= seen.stop:
                continue
            x = where.x(link.start)
            top = where.lane_top(link.from_lane) + (ROW + BAR) / 2
            bottom = where.lane_top(link.to_lane) + (ROW - BAR) / 2
            if bottom > top:
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    # ---- bars ------------------------------------------------------------------------------------------------------

    def _bar(self, painter: QPainter, bar: QRectF, span: Span, chosen: bool, hovered: bool) -> None:
        ink = self.ink(span.kind)
        if span.is_bad:
            share = 0.6 if span.kind == "exchange" else 0.85
            ink = mix(self._theme.color("denied"), self._theme.color("surface"), share)
        if hovered:
            ink = mix(self._theme.color("text"), ink, 0.18)
        painter.setPen(QPen(self._theme.color("text"), 1.4) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        round_ = min(3.0, bar.width() / 2, bar.height() / 2)
        painter.drawRoundedRect(bar, round_, round_)
        if span.is_live and span.kind != "exchange":
            painter.setPen(QPen(ink, 1.2, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(bar.right() + 2, bar.center().y()), QPointF(bar.right() + 14, bar.center().y()))
        self._duration(painter, bar, span, ink)

    def _duration(self, painter: QPainter, bar: QRectF, span: Span, ink: QColor) -> None:
        """In the bar where it fits: figures beside every bar would lie over each other."""
        if bar.height() < BAR:
            return
        font = self._theme.ui(SMALL_SIZE - 2)
        words = figures.seconds(span.seconds)
        if QFontMetrics(font).horizontalAdvance(words) + S > bar.width():
            return
        dark = 0.299 * ink.redF() + 0.587 * ink.greenF() + 0.114 * ink.blueF() < 0.55
        painter.setFont(font)
        painter.setPen(QColor(Qt.GlobalColor.white if dark else Qt.GlobalColor.black))
        painter.drawText(bar, int(Qt.AlignmentFlag.AlignCenter), words)

    def _mark(self, painter: QPainter, where: Geometry, mark: Mark, chosen: bool, hovered: bool) -> None:
        x, top = where.x(mark.at), where.lane_top(mark.lane)
        if chosen or hovered:
            painter.setPen(QPen(self._theme.color("text"), 1.2) if chosen else Qt.PenStyle.NoPen)
            painter.setBrush(mix(self._theme.color("text"), self._theme.color("surface"), 0.18))
            painter.drawEllipse(QPointF(x, top + ROW / 2), 8, 8)
        self._sign(painter, mark.kind, x, top, mark.is_bad)

    def _sign(self, painter: QPainter, kind: MarkKind, x: float, top: float, is_bad: bool = False) -> None:
        middle = top + ROW / 2
        match kind:
            case "sent" | "received":
                # down to the server, up from it; the ground shows around, so that neighbours stay apart
                tip = 4.5 if kind == "sent" else -4.5
                path = QPainterPath(QPointF(x - 4, middle - tip))
                path.lineTo(x + 4, middle - tip)
                path.lineTo(x, middle + tip)
                path.closeSubpath()
                ink = "denied" if is_bad else "accent" if kind == "sent" else "completed"
                painter.setPen(QPen(self._theme.color("surface"), 1))
                painter.setBrush(self._theme.color(ink))
                painter.drawPath(path)
            case "notice":
                painter.setPen(QPen(self._theme.color("text2"), 1.2))
                painter.setBrush(self._theme.color("surface"))
                painter.drawEllipse(QPointF(x, middle), 2.4, 2.4)
            case "first_token":
                path = QPainterPath(QPointF(x - 4, top + 1))
                path.lineTo(x + 4, top + 1)
                path.lineTo(x, top + 6)
                path.closeSubpath()
                painter.fillPath(path, self._theme.color("text"))
            case "decision":
                painter.setPen(QPen(self._theme.color("text"), 1.4))
                painter.drawLine(QPointF(x, top + 3), QPointF(x, top + ROW - 3))
            case "progress":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("text"))
                painter.drawEllipse(QPointF(x, top + ROW - 4), 1.5, 1.5)

    # ---- names -----------------------------------------------------------------------------------------------------

    def _names(self, painter: QPainter, where: Geometry, size: QRectF) -> None:
        painter.save()
        painter.fillRect(QRectF(0, 0, GUTTER, AXIS), self._theme.color("surface"))
        painter.setPen(QPen(self._theme.color("border"), 1))
        painter.drawLine(QPointF(GUTTER - 0.5, 0), QPointF(GUTTER - 0.5, size.height()))
        painter.drawLine(QPointF(0, AXIS - 0.5), QPointF(GUTTER, AXIS - 0.5))
        painter.setFont(self._figures())
        painter.setPen(self._theme.color("text3"))
        if where.timeline.lanes:
            begun = figures.clock_seconds(where.timeline.start)
            painter.drawText(QRectF(M, 0, GUTTER - M, AXIS - 2), ALIGN, f"since {begun}")
        painter.setClipRect(QRectF(0, AXIS, GUTTER - 1, size.height() - AXIS))
        for place in where.lanes_within(size.height()):
            self._name(painter, QRectF(0, where.lane_top(place), GUTTER, ROW), where.timeline.lanes[place])
        painter.restore()

    def _name(self, painter: QPainter, row: QRectF, lane: Lane) -> None:
        is_top = lane.kind == "exchange"
        font = self._theme.mono(SMALL_SIZE) if lane.kind == "call" else self._theme.ui(SMALL_SIZE, is_top)
        if lane.kind == "mcp":
            font = self._theme.ui(SMALL_SIZE - 1)
        box = row.adjusted(M + _INDENT[lane.kind], 0, -S, 0)
        tone = {"live": "waiting", "failed": "denied", "denied": "denied"}.get(lane.state, "")
        if tone:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(tone if lane.state != "live" else "accent"))
            painter.drawEllipse(QPointF(box.right() - 3, box.center().y()), 3, 3)
            box = box.adjusted(0, 0, -S - 4, 0)
        metrics = QFontMetrics(font)
        title = metrics.elidedText(reveal(lane.title), Qt.TextElideMode.ElideRight, int(box.width()))
        painter.setFont(font)
        painter.setPen(self._theme.color({"exchange": "text", "mcp": "text3"}.get(lane.kind, "text2")))
        painter.drawText(box, ALIGN, title)
        rest = box.adjusted(metrics.horizontalAdvance(title) + S, 0, 0, 0)
        if rest.width() > 24 and lane.about:
            small = self._theme.ui(SMALL_SIZE - 1)
            painter.setFont(small)
            painter.setPen(self._theme.color("text3"))
            about = QFontMetrics(small).elidedText(reveal(lane.about), Qt.TextElideMode.ElideRight, int(rest.width()))
            painter.drawText(rest, _RIGHT, about)

    # ---- for whoever tells what they mean --------------------------------------------------------------------------

    def swatch(self, painter: QPainter, kind: SpanKind, box: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.ink(kind))
        painter.drawRoundedRect(box, 2, 2)

    def sign(self, painter: QPainter, kind: MarkKind, middle: QPointF) -> None:
        self._sign(painter, kind, middle.x(), middle.y() - _SIGN_MIDDLE.get(kind, ROW / 2))

    def _figures(self) -> QFont:
        font = self._theme.ui(SMALL_SIZE - 1)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font


def _span_words(seconds: float, step: float) -> str:
    """A tick's words: as many digits as its neighbours need."""
    if step >= 60:
        return figures.seconds(seconds) if seconds else "0"
    if step >= 1:
        return f"{seconds:.0f} s"
    if step >= 0.1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms"
