"""A tool call as a card: what it is, how it stands, what it was given, what came back, and who let it through."""

import time
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.history_repair import NO_RESULT
from callgate.core.text.terminal import lines_of
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.approval_card import INITIATOR, ApprovalCard
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, CallBlock
from callgate.ui.conversation.call_arguments import CallArguments
from callgate.ui.conversation.call_words import clock_words, decided, foresight_words, look, timings, tool_words
from callgate.ui.conversation.rows import icon_label, pixmap, row
from callgate.ui.decision.denial_line import DenialLine
from callgate.ui.result_view.styled_text import StyledText
from callgate.ui.result_view.view import ResultView
from callgate.ui.text.hidden_characters import reveal, reveal_name
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import RADIUS, SMALL_SIZE, XS, M, S, Theme, mix


class ProgressLine(QWidget):
    """How far a running tool is: a thin line."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 0.0
        self.setFixedHeight(XS)

    def set_share(self, share: float) -> None:
        self._share = min(1.0, max(0.0, share))
        self.setAccessibleName(f"{self._share:.0%} done")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("border"))
        painter.setBrush(self._theme.color("border"))
        box = QRectF(self.rect()).adjusted(0.5, 1, -0.5, -1)
        painter.drawRoundedRect(box, 1, 1)
        painter.setPen(self._theme.color("executing"))
        painter.setBrush(self._theme.color("executing"))
        box.setWidth(box.width() * self._share)
        painter.drawRoundedRect(box, 1, 1)


_LINES: Final = 8
"""Lines of arguments or result that are shown at once; more scrolls inside, or is unfolded."""
_NEARLY: Final = 12
"""So many are shown whole: a bar to scroll a line or two costs more room than the lines."""
_UNFOLDED_LINES: Final = 40
_EDGE: Final = 3
_UNFIT: Final = "the arguments do not fit the tool's schema"
"""How the gate explains that it did not even ask."""


class CallCard(BlockWidget):
    def __init__(
        self, console: Console, theme: Theme, parent: QWidget | None = None, bridge: Bridge | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._console, self._bridge = console, bridge
        self._block: CallBlock | None = None
        self._unfolded = False
        self._asking: ApprovalCard | None = None
        self._denial: DenialLine | None = None
        """Made with the first denial on this card that gave no reason."""
        self._width = 0
        self._icon = icon_label(theme, "tool", "text2")
        self._tool = plain_label(selectable=True)
        self._from = plain_label(tone="hint")
        self._from.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._state = plain_label()
        self._clock = plain_label(tone="hint")
        self._early = plain_label(tone="hint", wrap=True)
        self._early.setObjectName("earlyVerdict")
        self._arguments = CallArguments(theme)
        self._arguments.resized.connect(self._fit)
        self._progress = ProgressLine(theme)
        self._output_head = plain_label("Output so far", tone="hint")
        self._output: StyledText | None = None
        self._result: ResultView | None = None
        """These two are made when they are needed: most cards never have an output, and many no result yet."""
        self._foot = plain_label(tone="hint", wrap=True, selectable=True)
        self._raw = QToolButton()
        self._raw.setObjectName("rawArguments")
        self._raw.setIcon(theme.icon("code", "text3"))
        self._raw.setCheckable(True)
        self._raw.setToolTip("The arguments as text")
        self._raw.setAccessibleName("Show the arguments as text")
        self._raw.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._raw.toggled.connect(self._show_raw)
        self._more = QPushButton()
        self._more.setProperty("kind", "quiet")
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(self._turn)
        self._arrange()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        head = row(self._icon, self._tool)
        head.addWidget(self._from, 1)
        head.addWidget(self._raw)
        head.addWidget(self._state)
        head.addWidget(self._clock)
        foot = row()
        foot.addWidget(self._foot, 1)
        foot.addWidget(self._more, 0, Qt.AlignmentFlag.AlignBottom)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(M + _EDGE, M - 2, M, M - 2)
        self._column.setSpacing(S)
        self._column.addLayout(head)
        self._column.addWidget(self._early)
        self._column.addWidget(self._arguments)
        self._column.addWidget(self._progress)
        self._column.addWidget(self._output_head)
        self._column.addLayout(foot)

    # ---- showing -----------------------------------------------------------------------------------------------------

    def show_block(self, block: Block, unfolded: bool) -> None:
        assert isinstance(block, CallBlock)
        if self._block is None or self._block.id != block.id:
            if self._denial is not None:
                self._denial.leave()
            self._raw.blockSignals(True)
            self._raw.setChecked(False)
            self._raw.blockSignals(False)
        self._block, self._unfolded = block, unfolded
        shown = look(block)
        self._icon.setPixmap(pixmap(self.theme, shown.icon, shown.color, self._icon))
        bold = self.theme.mono(SMALL_SIZE)
        bold.setBold(True)
        self._tool.setFont(bold)
        self._tool.setText(reveal_name(block.tool))
        self._state.setText(shown.word)
        _dye(self._state, f"color: {self.theme.color(shown.color).name()}; font-weight: 600;")
        invocation = block.invocation
        parts = () if invocation is None else (tool_words(invocation), invocation.source, invocation.agent)
        origin = " · ".join(filter(None, parts))
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
        text, arguments = block.arguments, self._arguments
        arguments.set_lines(self._shown_lines)
        arguments.show_text(text, growing=block.forming, raw=self._raw.isChecked())
        self._raw.setVisible(arguments.sketch is not None and not block.forming and not block.waits)
        invocation, sketch = block.invocation, arguments.sketch
        live = block.forming or (invocation is not None and invocation.is_live)
        unfit = invocation is not None and invocation.explanation == _UNFIT
        service = self._console.conversation_service
        checked = (live or unfit) and invocation is not None and sketch is not None
        arguments.show_complaints(service.complaints(invocation, sketch) if checked and invocation and sketch else ())
        arguments.setVisible(not arguments.is_empty and not block.waits)
        if block.forming and invocation is not None and invocation.state == "Streaming":
            words, color = foresight_words(service.foresee(invocation, sketch))
            self._early.setText(reveal(words))
            _dye(self._early, f"color: {self.theme.color(color).name()};")
            self._early.show()
        else:
            self._early.hide()

    def _show_raw(self) -> None:
        if self._block is not None:
            self._show_arguments(self._block)
            self._fit()

    def _show_result(self, block: CallBlock) -> None:
        running = block.invocation is not None and block.invocation.state == "Executing"
        self._progress.setVisible(running and block.progress is not None and bool(block.total))
        if block.progress is not None and block.total:
            self._progress.set_share(block.progress / block.total)
        result = block.result
        self._show_output("" if result is not None else block.output)
        if result is None:
            if self._result is not None:
                self._result.hide()
            return
        if self._result is None:
            self._result = ResultView(self.theme)
            self._result.resized.connect(self._fit)
            self._column.insertWidget(self._column.count() - 1, self._result)
        refused = block.invocation is not None and block.invocation.refused
        error = result.is_error and not refused
        title = "What the model is told" if refused else "Error" if error else "Result"
        giver = "put in for a missing result" if result.text == NO_RESULT else "given by the client"
        self._result.set_title(f"{title}, {giver}" if result is block.returned else title)
        self._result.set_lines(self._shown_lines)
        self._result.show_result(result.parts, error)
        self._result.show()

    def _show_output(self, text: str) -> None:
        self._output_head.setVisible(bool(text))
        if text and self._output is None:
            self._output = StyledText(self.theme, "Output so far")
            self._column.insertWidget(self._column.indexOf(self._output_head) + 1, self._output)
        if self._output is None:
            return
        self._output.setVisible(bool(text))
        if text:
            # the last lines say how far it is; what came before is in the result once it is there
            self._output.set_bound(self._output.height_of(self._shown_lines))
            self._output.show_lines(lines_of("\n".join(text.rstrip("\n").split("\n")[-self._shown_lines :]), reveal))

    @property
    def _shown_lines(self) -> int:
        return _UNFOLDED_LINES if self._unfolded else _LINES

    def _show_asking(self, block: CallBlock) -> None:
        if block.waits and block.invocation is not None:
            if self._asking is None:
                self._asking = ApprovalCard(self._console, self.theme, self, self._bridge)
                self._asking.resized.connect(self._fit)
                self._asking.bar.denied_at_once.connect(self._ask_for_reason)
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

    def _ask_for_reason(self, denied: Invocation) -> None:
        if self._denial is None:
            self._denial = DenialLine(self._console, self.theme, INITIATOR, self)
            self._denial.began.connect(self._fit)
            self._denial.ended.connect(self._fit)
            self._column.insertWidget(1, self._denial)
        self._denial.show_denial(denied)

    def rest(self) -> None:
        """Off screen: nobody decides here now."""
        if self._denial is not None:
            self._denial.leave()
        if self._asking is not None:
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
        parts = (self._arguments,) if self._result is None else (self._arguments, self._result)
        over = False
        for part in parts:
            if not part.isHidden():
                long = part.overflows(inner, _NEARLY)
                part.set_lines(self._shown_lines if long or self._unfolded else _NEARLY)
                over = over or long
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
        if self._denial is not None and self._denial.is_open:
            return True
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


def _dye(label: QLabel, style: str) -> None:
    """Only if it changes: a style sheet is read anew each time it is set."""
    if label.styleSheet() != style:
        label.setStyleSheet(style)
