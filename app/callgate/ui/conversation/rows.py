"""Blocks of one line or a few: who speaks, what Callgate did, what a round cost, what is attached, what went wrong."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from callgate.core.catalog.prices import PriceTable
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import (
    Block,
    ErrorBlock,
    NoteBlock,
    NoteKind,
    ReasoningBlock,
    SpeakerBlock,
    TextBlock,
    UsageBlock,
)
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import ICON, RADIUS, XS, M, S, Theme, mix

_DETAIL_BOUND: Final = 320
_NOTE_ICONS: Final[dict[NoteKind, tuple[str, str]]] = {
    "system": ("system", "text3"),
    "tools": ("tools", "text3"),
    "denied": ("denied", "denied"),
    "answered": ("answered", "completed"),
    "edited": ("edit", "accent"),
    "reviewed": ("hidden", "accent"),
    "trimmed": ("edit", "text2"),
    "repaired": ("gate", "text3"),
    "stopped": ("stop", "cancelled"),
    "cut": ("warning", "text2"),
    "other": ("info", "text3"),
}


_PIXMAPS: dict[tuple[str, str, float], QPixmap] = {}
"""Icons as they were drawn last: drawing one takes as long as filling a row."""


def pixmap(theme: Theme, name: str, color: str, label: QLabel) -> QPixmap:
    key = (name, theme.color(color).name(), label.devicePixelRatioF())
    if key not in _PIXMAPS:
        _PIXMAPS[key] = theme.icon(name, color).pixmap(QSize(ICON, ICON), key[2])
    return _PIXMAPS[key]


def icon_label(theme: Theme, name: str, color: str) -> QLabel:
    label = QLabel()
    label.setFixedSize(ICON, ICON)
    label.setPixmap(pixmap(theme, name, color, label))
    return label


def row(*widgets: QWidget, spacing: int = S) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(spacing)
    for widget in widgets:
        line.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    return line


class SpeakerRow(BlockWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._icon = icon_label(theme, "person", "text2")
        self._who = plain_label(tone="strong")
        self._about = plain_label(tone="hint")
        self._about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._at = plain_label(tone="hint")
        line = row(self._icon, self._who)
        line.addWidget(self._about, 1)
        line.addWidget(self._at)
        self.setLayout(line)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, SpeakerBlock)
        name, color = ("assistant", "accent") if block.role == "assistant" else ("person", "text2")
        self._icon.setPixmap(pixmap(self.theme, name, color, self._icon))
        about = [reveal(block.model), reveal(block.via)]
        if block.round > 1:
            about.append(f"round {block.round}")
        self._who.setText(reveal(block.who))
        self._about.setText(" · ".join(filter(None, about)))
        self._at.setText(figures.clock(block.at))
        self._at.setToolTip(figures.moment(block.at))
        said = " · ".join(filter(None, (block.who, *about, figures.clock(block.at))))
        self.setAccessibleName(said)


class TextPiece(BlockWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._prose = Prose(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._prose)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, TextBlock)
        color = "denied" if block.tone == "refusal" else "text"
        self._prose.show_markdown(block.text, color=color, breaks=block.role != "assistant")
        self.setAccessibleName("Text")
        self._prose.setAccessibleName(f"{block.role} text")

    def height_at(self, width: int) -> int:
        return self._prose.heightForWidth(width)


class UsageRow(BlockWidget):
    def __init__(
        self, theme: Theme, parent: QWidget | None = None, prices: Callable[[], PriceTable] = PriceTable
    ) -> None:
        """`prices`: asked whenever a block is shown."""
        super().__init__(theme, parent)
        self._prices = prices
        self._label = plain_label(tone="hint", selectable=True)
        line = row(self._label)
        line.addStretch(1)
        self.setLayout(line)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, UsageBlock)
        said: list[str] = []
        if block.usage is not None:
            counted = f"{figures.count(block.usage.input)} → {figures.count(block.usage.output)} tokens"
            said.append(figures.about(counted, bool(block.usage.estimated)))
            if block.usage.cached:
                said.append(f"{figures.count(block.usage.cached)} cached")
            if block.usage.reasoning:
                said.append(f"{figures.count(block.usage.reasoning)} reasoning")
            if cost := self._prices().cost(block.model, block.usage):
                said.append(figures.about(figures.dollars(cost), bool(block.usage.estimated)))
        said.append(figures.seconds(block.seconds))
        if block.first_token is not None:
            said.append(f"first token {figures.seconds(block.first_token)}")
        text = " · ".join(said)
        self._label.setText(text)
        self._label.setToolTip("The provider did not count the tokens: ≈ is an estimate" if "≈" in text else "")
        self.setAccessibleName(f"Round {block.round}: {text}")


class ErrorRow(BlockWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._title = plain_label(tone="strong", wrap=True)
        self._message = plain_label(selectable=True, wrap=True)
        self._advice = plain_label(tone="secondary", selectable=True, wrap=True)
        column = QVBoxLayout()
        column.setSpacing(XS)
        column.addWidget(self._title)
        column.addWidget(self._message)
        column.addWidget(self._advice)
        line = QHBoxLayout(self)
        line.setContentsMargins(M, M, M, M)
        line.setSpacing(S)
        line.addWidget(icon_label(theme, "error", "denied"), 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(column, 1)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, ErrorBlock)
        self._title.setText(block.title)
        self._message.setText(reveal(block.message))
        self._message.setVisible(bool(block.message))
        self._advice.setText(block.advice)
        self._advice.setVisible(bool(block.advice))
        self.setAccessibleName(f"Error: {block.title}. {block.message}")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        red, ground = self.theme.color("denied"), self.theme.color("surface")
        painter.setPen(mix(red, ground, 0.45))
        painter.setBrush(mix(red, ground, 0.08))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), RADIUS, RADIUS)


class FoldRow(BlockWidget):
    """A line that unfolds into more: notes and reasoning."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._id = ""
        self._unfolded = False
        self._icon = icon_label(theme, "info", "text3")
        self._label = plain_label(tone="hint", wrap=True)
        self._folds = False
        self._detail = MonoText(theme, wrap=True, bound=_DETAIL_BOUND)
        self._detail.setAccessibleName("Details")
        self._prose = Prose(theme)
        self._prose.setAccessibleName("Reasoning")
        head = row()
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._label, 1)
        inner = QVBoxLayout()
        inner.setContentsMargins(ICON + S, XS, 0, XS)
        inner.addWidget(self._detail)
        inner.addWidget(self._prose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(inner)

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, NoteBlock | ReasoningBlock)
        self._id, self._unfolded = block.id, unfolded
        match block:
            case NoteBlock():
                name, color = _NOTE_ICONS[block.note]
                text, detail, mono = reveal(block.text), block.detail, True
            case ReasoningBlock():
                name, color = "reasoning", "text3"
                text, detail, mono = _thought(block), block.text, False
        self._icon.setPixmap(pixmap(self.theme, name, color, self._icon))
        self._folds = bool(detail)
        self._label.setText(f"{text}  {'▾' if unfolded else '▸'}" if detail else text)
        self._detail.setVisible(bool(detail) and unfolded and mono)
        self._prose.setVisible(bool(detail) and unfolded and not mono)
        if detail and unfolded and mono:
            self._detail.show_text(reveal(detail), color="text2")
        elif detail and unfolded:
            self._prose.show_markdown(detail, color="text2", breaks=True)
        self.setCursor(Qt.CursorShape.PointingHandCursor if detail else Qt.CursorShape.ArrowCursor)
        self.setAccessibleName(f"{text}, {'unfolded' if unfolded else 'folded'}" if detail else text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._folds and event.position().y() <= self._label.geometry().bottom():
            self._turn()
        else:
            super().mousePressEvent(event)

    def enter(self) -> None:
        if self._folds:
            self._turn()

    def _turn(self) -> None:
        self.toggled.emit(self._id, not self._unfolded)


def _thought(block: ReasoningBlock) -> str:
    if block.redacted:
        return "Reasoning that only the provider can read"
    words = len(block.text.split())
    if block.growing:
        return f"Reasoning… {words} words"
    return f"Reasoning · {words} {'word' if words == 1 else 'words'}"
