"""A tool call as a card: what it is, how it stands, what it was given, what came back, and who let it through."""

import time
from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QApplication, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.asking import Asking
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, CallBlock
from callgate.ui.conversation.call_words import (
    arguments_text,
    clock_words,
    decided,
    look,
    result_text,
    timings,
)
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.conversation.progress_line import ProgressLine
from callgate.ui.conversation.rows import icon_label, row
from callgate.ui.plain_text import plain_label, set_plain_tip
from callgate.ui.reveal import reveal
from callgate.ui.theme import ICON, RADIUS, SMALL_SIZE, M, S, Theme, mix

_LINES: Final = 8
"""Lines of arguments or result that are shown at once; more scrolls inside, or is unfolded."""
_UNFOLDED_LINES: Final = 40
_EDGE: Final = 3


class CallCard(BlockWidget):
    reusable = False

    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, bridge: Bridge | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._console, self._bridge = console, bridge
        self._block: CallBlock | None = None
        self._unfolded = False
        self._asking: Asking | None = None
        self._width = 0
        self._icon = icon_label(theme, "tool", "text2")
        self._tool = plain_label(selectable=True)
        self._from = plain_label(tone="hint")
        self._from.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._state = plain_label()
        self._clock = plain_label(tone="hint")
        self._arguments = MonoText(theme, wrap=True)
        self._arguments.setAccessibleName("Arguments")
        self._progress = ProgressLine(theme)
        self._result_head = plain_label(tone="hint")
        self._result = MonoText(theme, wrap=True)
        self._result.setAccessibleName("Result")
        self._foot = plain_label(tone="hint", wrap=True, selectable=True)
        self._more = QPushButton()
        self._more.setProperty("kind", "quiet")
        self._more.clicked.connect(self._turn)
        self._arrange()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        head = row(self._icon, self._tool)
        head.addWidget(self._from, 1)
        head.addWidget(self._state)
        head.addWidget(self._clock)
        foot = row()
        foot.addWidget(self._foot, 1)
        foot.addWidget(self._more, 0, Qt.AlignmentFlag.AlignBottom)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(M + _EDGE, M - 2, M, M - 2)
        self._column.setSpacing(S)
        self._column.addLayout(head)
        self._column.addWidget(self._arguments)
        self._column.addWidget(self._progress)
        self._column.addWidget(self._result_head)
        self._column.addWidget(self._result)
        self._column.addLayout(foot)

    # ---- showing -----------------------------------------------------------------------------------------------------

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, CallBlock)
        self._block, self._unfolded = block, unfolded
        shown = look(block)
        self._icon.setPixmap(self.theme.icon(shown.icon, shown.color).pixmap(ICON, ICON))
        bold = self.theme.mono(SMALL_SIZE)
        bold.setBold(True)
        self._tool.setFont(bold)
        self._tool.setText(reveal(block.tool))
        self._state.setText(shown.word)
        self._state.setStyleSheet(f"color: {self.theme.color(shown.color).name()}; font-weight: 600;")
        invocation = block.invocation
        origin = "" if invocation is None else " · ".join(filter(None, (invocation.source, invocation.agent)))
        self._from.setText(reveal(origin))
        set_plain_tip(self._from, origin)
        self._show_arguments(block)
        self._show_result(block)
        foot = "" if invocation is None else " · ".join(filter(None, (timings(invocation), decided(invocation))))
        self._foot.setText(reveal(foot))
        self._show_asking(block)
        self.tick(time.time())
        self.setAccessibleName(f"Call of {block.tool}, {shown.word}")
        self.update()

    def _show_arguments(self, block: CallBlock) -> None:
        text, is_json = arguments_text(block)
        self._arguments.set_bound(self._bound(self._unfolded))
        self._arguments.show_text(text, "json" if is_json else "", growing=block.forming)
        self._arguments.setVisible(bool(text) and not block.waits)

    def _show_result(self, block: CallBlock) -> None:
        running = block.invocation is not None and block.invocation.state == "Executing"
        self._progress.setVisible(running and block.progress is not None and bool(block.total))
        if block.progress is not None and block.total:
            self._progress.set_share(block.progress / block.total)
        result = block.result
        if result is not None:
            text, is_json = result_text(result)
            refused = block.invocation is not None and block.invocation.refused
            error = result.is_error and not refused
            head = "The model was told" if refused else "Error" if error else "Result"
            if result is block.returned:
                head = f"{head}, given by the client"
            if not text:
                head = f"{head}: empty"
            color = "denied" if error else "text"
            self._result.show_text(text, "json" if is_json and not error else "", color=color)
        else:
            text, head = block.output, "Output so far"
            self._result.show_text(reveal(text), growing=True, color="text2")
        self._result_head.setText(head)
        self._result_head.setVisible(result is not None or bool(text))
        self._result.set_bound(self._bound(self._unfolded))
        self._result.setVisible(bool(text))

    def _bound(self, unfolded: bool) -> int:
        return self._arguments.height_of(_UNFOLDED_LINES if unfolded else _LINES)

    def _show_asking(self, block: CallBlock) -> None:
        if block.waits and block.invocation is not None:
            if self._asking is None:
                self._asking = Asking(self._console, self.theme, self, self._bridge)
                self._asking.resized.connect(self._fit)
                self._column.insertWidget(1, self._asking)
            self._asking.show_invocation(block.invocation)
            self._asking.bar.installEventFilter(self)
        elif self._asking is not None:
            focused, around = QApplication.focusWidget(), self.parentWidget()
            if focused is not None and around is not None and self._asking.isAncestorOf(focused):
                around.setFocus()  # else Qt hands the keyboard to some button nearby
            self._asking.hide()
            self._asking.deleteLater()
            self._asking = None

    def tick(self, now: float) -> None:
        invocation = None if self._block is None else self._block.invocation
        self._clock.setText("" if invocation is None else clock_words(invocation, now))
        self._clock.setVisible(bool(self._clock.text()))

    # ---- size --------------------------------------------------------------------------------------------------------

    def height_at(self, width: int) -> int:
        self._width = width
        inner = width - self._column.contentsMargins().left() - self._column.contentsMargins().right()
        if self._asking is not None:
            self._asking.fit(inner)
        over = any(
            text.isVisibleTo(self) and text.overflows(inner, self._bound(unfolded=False))
            for text in (self._arguments, self._result)
        )
        self._more.setVisible(over)
        self._more.setText("Show less" if self._unfolded else "Show all")
        self._foot.setVisible(bool(self._foot.text()) or over)
        return super().height_at(width)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """The verbs open panels of their own accord; the card grows with them."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return False

    def _fit(self) -> None:
        if self._width and self.height_at(self._width) != self.height():
            self.resized.emit()

    # ---- the person --------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        if self._asking is not None:
            self._asking.bar.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self._more.isVisible():
            self._turn()

    @property
    def busy(self) -> bool:
        if self._asking is None:
            return False
        focused = self._asking.focusWidget()
        return self._asking.bar.mode != "verbs" or (focused is not None and focused.hasFocus())

    def _turn(self) -> None:
        if self._block is not None:
            self.toggled.emit(self._block.id, not self._unfolded)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().adjusted(0, 0, -1, -1).toRectF().translated(0.5, 0.5)
        waits = self._block is not None and self._block.waits
        amber = self.theme.color("waiting")
        shape = QPainterPath()
        shape.addRoundedRect(box, RADIUS, RADIUS)
        painter.fillPath(shape, self.theme.color("raised"))
        if waits:
            painter.save()
            painter.setClipPath(shape)
            painter.fillRect(0, 0, _EDGE + 1, self.height(), amber)
            painter.restore()
        painter.setPen(mix(amber, self.theme.color("border"), 0.55) if waits else self.theme.color("border"))
        painter.drawPath(shape)
