"""Approving several waiting calls in one step: the call that is up, and those that are like it.

The first press decides nothing: it lists exactly which calls, what tells each from the others, and the hash that its
decision is bound to. The second approves those and no others, each by a decision of its own. A call that came after
the list was opened is not among them; one that was decided or has changed meanwhile is left out and counted.
"""

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Decision, Invocation, shown_hash
from callgate.core.calls.like_calls import MOST, like, rule_like, told_apart
from callgate.core.calls.risk import high_risk
from callgate.core.errors import UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.rules.policy import Rule
from callgate.core.rules.rule_words import rule_words
from callgate.core.tool import Tool
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.decision.draft import asked
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, M, S, Theme

_HASH: Final = 8
"""Hex digits of a hash that are shown; all of them are in the tooltip."""
_TALLEST: Final = 180
"""Pixels of the list; past it, it scrolls, and has to be scrolled to its end."""


class LikeCalls(QWidget):
    approved = Signal(int, int)
    """So many were approved, and so many could not be: decided already, or not as they were shown any more."""
    opened = Signal(bool)

    def __init__(
        self,
        console: Console,
        theme: Theme,
        initiator: str,
        bridge: Bridge | None = None,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
    ) -> None:
        """`bridge`: without it, calls that come or go are noticed only when another call is shown."""
        super().__init__(parent)
        self.setObjectName("likeCalls")
        self._console, self._theme, self._initiator = console, theme, initiator
        self._shown: Invocation | None = None
        self._rule: Rule | None = None
        self._weighed: dict[tuple[str, str], tuple[bool, bool]] = {}
        """Of calls as they were asked: whether the rule covers them, and whether they may do harm."""
        self._like: tuple[Invocation, ...] = ()
        self._listed: tuple[Invocation, ...] = ()
        """The calls in the open list, as they were when it was opened or last changed; empty = it is closed."""
        self._ready, self._offered = False, True
        self._read = False
        """The end of the list has been on the screen."""
        self._guard = ClickGuard(self, arm_ms)
        self._build()
        self._guard.armed_changed.connect(lambda _: self._refresh())
        if bridge is not None:
            bridge.batch.connect(self.apply)
        theme.changed.connect(self._draw)
        self._draw()
        self._refresh()

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def listed(self) -> tuple[Invocation, ...]:
        return self._listed

    def show_invocation(self, invocation: Invocation | None) -> None:
        """The call that is up; another one closes the list."""
        before, self._shown = self._shown, invocation
        if before is None or invocation is None or asked(before) != asked(invocation):
            self._weighed.clear()
            self._rule = None
            self._listed = ()
        self._find()

    def set_ready(self, ready: bool, *, offered: bool = True) -> None:
        """Whether the call can be decided here and now, and all of it has been on the screen.

        `offered`: False while the person does something else with the call."""
        if (ready, offered) != (self._ready, self._offered):
            self._ready, self._offered = ready, offered
            self._refresh()

    def apply(self, batch: tuple[Event, ...]) -> None:
        shown = self._shown
        if shown is not None and any(
            isinstance(event, InvocationChanged) and event.invocation.tool == shown.tool for event in batch
        ):
            self._find()

    def close_list(self) -> None:
        self._set_listed(())

    def _find(self) -> None:
        shown = self._shown
        waiting = () if shown is None else self._console.waiting()
        now = next((call for call in waiting if shown is not None and call.id == shown.id), None)
        is_same = now is not None and shown is not None and asked(now) == asked(shown)
        self._like = like(now, waiting, self._is_covered, self._is_risky) if now is not None and is_same else ()
        if self._listed:
            still = {asked(call) for call in self._like}
            left = tuple(call for call in self._listed if asked(call) in still)
            if left != self._listed:
                self._set_listed(left if len(left) > 1 else ())
        self._refresh()

    def _weigh(self, call: Invocation) -> tuple[bool, bool]:
        """What a call would do does not change while it waits, so each is weighed once."""
        known = self._weighed.get(asked(call))
        if known is None:
            tool = self._tool(call)
            if self._rule is None and self._shown is not None:
                self._rule = rule_like(self._shown, self._tool(self._shown))
            covered = self._rule is not None and self._console.covers(self._rule, call.id)
            known = self._weighed[asked(call)] = (covered, bool(high_risk(call, tool)))
        return known

    def _is_covered(self, call: Invocation) -> bool:
        return self._weigh(call)[0]

    def _is_risky(self, call: Invocation) -> bool:
        return self._weigh(call)[1]

    def _tool(self, call: Invocation) -> Tool | None:
        """The tool that will run: an agent's own tool may have the name of another."""
        if call.owner != "gate":
            return None
        tools = (tool for tool in self._console.tools() if tool.source == call.source)
        return next((tool for tool in tools if tool.name == call.tool), None)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.open_button = QPushButton()
        self.open_button.setObjectName("likeCallsButton")
        self.open_button.setAutoDefault(False)
        self.open_button.setIconSize(self._theme.icon_size)
        self.open_button.clicked.connect(self._open)
        self.panel = QFrame()
        self.panel.setObjectName("likeCallsPanel")
        self.panel.setProperty("card", True)
        self._title = plain_label("", wrap=True)
        self._title.setObjectName("likeCallsTitle")
        self.rule_line = plain_label("", "hint", selectable=True, wrap=True)
        self.rule_line.setObjectName("likeCallsRule")
        self.scroll_area = QScrollArea()
        self.scroll_area.setObjectName("likeCallsList")
        self.scroll_area.setAccessibleName("The calls that will be approved")
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        bar = self.scroll_area.verticalScrollBar()
        bar.valueChanged.connect(lambda _: self._note_read())
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(0)
        self._settle.timeout.connect(self._settled)
        bar.rangeChanged.connect(lambda _low, high: self._range_changed(high))
        self.approve = GuardedButton("", self._guard)
        self.approve.setObjectName("approveLikeButton")
        self.approve.setProperty("kind", "primary")
        self.approve.clicked.connect(self._approve_pressed)
        self.cancel = QPushButton("Cancel")
        self.cancel.setObjectName("closeLikeButton")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.close_list)
        verbs = QHBoxLayout()
        verbs.setSpacing(S)
        verbs.addWidget(self.approve)
        verbs.addWidget(self.cancel)
        verbs.addStretch(1)
        column = QVBoxLayout(self.panel)
        column.setContentsMargins(M, S, M, M)
        column.setSpacing(S)
        for widget in (self._title, self.scroll_area, self.rule_line):
            column.addWidget(widget)
        column.addLayout(verbs)
        first = QHBoxLayout()
        first.addWidget(self.open_button)
        first.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(S)
        whole.addLayout(first)
        whole.addWidget(self.panel)

    def _fill(self) -> None:
        """One row for each listed call."""
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(S, XS, S, XS)
        column.setSpacing(XS)
        for number, (call, part) in enumerate(zip(self._listed, told_apart(self._listed), strict=True), 1):
            column.addWidget(self._row(number, call, part))
        column.addStretch(1)
        self.scroll_area.setWidget(rows)
        self._read = False
        self._settle.start()

    def _row(self, number: int, call: Invocation, part: str) -> QWidget:
        digest = shown_hash(call)
        words = part or "the same arguments"
        text = plain_label(reveal(words), "" if part else "secondary", selectable=True, wrap=True)
        if part:
            text.setFont(self._theme.mono())
        if self._shown is not None and call.id == self._shown.id:
            text.setText(f"{reveal(words)}\n(the call shown above)" if part else "the call shown above")
        mark = plain_label(digest[:_HASH], "hint", selectable=True)
        mark.setFont(self._theme.mono())
        set_plain_tip(mark, f"The approval is bound to what was shown of this call: {digest}")
        row = QWidget()
        row.setObjectName(f"likeCall:{call.id}")
        row.setAccessibleName(f"Call {number} of {len(self._listed)}: {reveal(words)}, bound to {digest[:_HASH]}")
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(S)
        place = plain_label(f"{number}", "hint")
        place.setFixedWidth(self.fontMetrics().horizontalAdvance(f"{MOST}"))  # so that all rows begin at one line
        line.addWidget(place, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(text, 1)
        line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _draw(self) -> None:
        self.open_button.setIcon(self._theme.icon("approve"))
        if self._listed:
            self._fill()

    def _refresh(self) -> None:
        """Texts and states of everything: the one place that sets them."""
        count, listed = len(self._like), len(self._listed)
        self.setVisible(count > 1 and self._offered)
        self.open_button.setVisible(not listed)
        self.open_button.setText(f"Approve {count} like this…")
        self.open_button.setAccessibleName(f"List the {count} calls that are like this one, to approve them together")
        self.open_button.setEnabled(self._ready)
        self.open_button.setToolTip("" if self._ready else "Read this call to the end first")
        self.panel.setVisible(bool(listed))
        later = count - listed if listed else 0
        more = "" if not later else f" {later} more came since and {'is' if later == 1 else 'are'} not included."
        self._title.setText(f"Approves these {listed} calls once each. Nothing is remembered.{more}")
        self.approve.setText(f"Approve {listed}" if self._read else "Show the rest")
        self.approve.setAccessibleName(self.approve.text())
        self.approve.setEnabled(self._ready and self._guard.armed and bool(listed))

    # ---- what the person does --------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self._ready and len(self._like) > 1:
            self._set_listed(self._like)

    def _set_listed(self, calls: tuple[Invocation, ...]) -> None:
        """Another list is another question."""
        was_open, self._listed = bool(self._listed), calls
        if calls:
            rule = "" if self._rule is None else rule_words(self._rule)
            limit = f" At most {MOST} in one step." if len(calls) == MOST else ""
            self.rule_line.setText(f"The rule would be: {reveal(rule)}.{limit}")
            self._refresh()
            self._fill()
        self._guard.rearm()
        self._refresh()
        if was_open != bool(calls):
            self.opened.emit(bool(calls))

    def _settled(self) -> None:
        """The rows have their width: the list gets the height that they need, and may show all of them."""
        rows = self.scroll_area.widget()
        if not self._listed or rows is None:
            return
        wanted = min(_TALLEST, rows.heightForWidth(self.scroll_area.viewport().width()))
        if self.scroll_area.height() != wanted:
            self.scroll_area.setFixedHeight(wanted)
            self._settle.start()  # the height is applied first
        else:
            self._note_read()

    def _range_changed(self, maximum: int) -> None:
        """More rows than were seen: a narrower window wraps them anew."""
        if self.scroll_area.verticalScrollBar().value() < maximum and self._read:
            self._read = False
            self._refresh()
        self._settle.start()

    def _note_read(self) -> None:
        bar, rows = self.scroll_area.verticalScrollBar(), self.scroll_area.widget()
        if rows is None or self._settle.isActive() or self._read or not self.panel.isVisible():
            return
        # by the rows themselves: the bar's range is that of the layout before
        if bar.value() + self.scroll_area.viewport().height() >= rows.heightForWidth(
            self.scroll_area.viewport().width()
        ):
            self._read = True
            self._guard.rearm()
            self._refresh()

    def _approve_pressed(self) -> None:
        if not self._ready or not self._listed:
            return
        if not self._read:
            bar = self.scroll_area.verticalScrollBar()
            bar.setValue(min(bar.maximum(), bar.value() + bar.pageStep()))
            return
        calls, self._listed = self._listed, ()
        late = 0
        for call in calls:
            try:
                late += not self._console.decide(call.id, Decision("approve", shown=shown_hash(call)), self._initiator)
            except UserFault:
                late += 1  # its tool has gone, or it may not be approved any more: it goes on waiting and says why
        self.opened.emit(False)
        self._find()
        self.approved.emit(len(calls) - late, late)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settle.start()
