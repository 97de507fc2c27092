"""One waiting call, told in full: who wants what, why it is asked about, and the whole text to be decided on.

Shows; decides nothing. The dialog and the queue put a decision bar under it.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, Preview
from callgate.core.calls.previews import previews_of
from callgate.core.calls.tool_facts import tool_of
from callgate.engine.console.console import Console
from callgate.ui.approvals.arrangement import sibling_words
from callgate.ui.approvals.background_box import BackgroundBox
from callgate.ui.approvals.suspect_box import SuspectBox
from callgate.ui.approvals.words import SOON, facts, headline, hints, late_words, proof, trace, why
from callgate.ui.bridge import Bridge
from callgate.ui.call_preview import CallPreview
from callgate.ui.call_preview.command_rows import CommandRows
from callgate.ui.call_preview.preview import MOST_ROWS
from callgate.ui.decision.arguments import ArgumentsView
from callgate.ui.decision.deadline_words import deadline_words
from callgate.ui.decision.definition_box import DefinitionBox
from callgate.ui.decision.on_screen import SeenReport
from callgate.ui.decision.tool_schema import facts_about
from callgate.ui.text.hidden_characters import Suspect, reveal, suspects
from callgate.ui.text.plain_text import plain_label
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import ICON, SMALL_SIZE, XS, S, Theme
from callgate.ui.widgets.hint_row import HintRow


class WordingBox(QWidget):
    """What a tool itself says of a call: its question, what will happen, and what to bear in mind.

    Its words explain the arguments and never stand in for them: those are shown below, whole.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approvalWording")
        self.title = plain_label("", "strong", wrap=True, selectable=True)
        self.message = Prose(theme)
        self.message.setAccessibleName("What will happen, in the tool's own words")
        self.disclaimer = plain_label("", "secondary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        for widget in (self.title, self.message, self.disclaimer):
            widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            column.addWidget(widget)
        theme.changed.connect(self._redraw)
        self._markdown = ""
        self.hide()

    def show_invocation(self, invocation: Invocation) -> None:
        """A result that waits has been explained by then."""
        said = invocation.wording
        review = invocation.state == "WaitingForPostApproval"
        self._markdown = "" if review else reveal(said.message)
        self._redraw()
        for label, text in ((self.title, said.title), (self.disclaimer, said.disclaimer)):
            shown = "" if review else reveal(text)
            label.setText(shown)
            label.setVisible(bool(shown))
        self.setVisible(not review and bool(said.title or said.message or said.disclaimer))

    def _redraw(self) -> None:
        self.message.show_markdown(self._markdown, color="text2")
        self.message.setVisible(bool(self._markdown))


_TICK_MS: Final = 1000
_ROWS_COMPACT: Final = 6
"""Rows of a preview where the sheet stands beside a list."""
_LONG_NAME: Final = 32
"""Letters of a name past which the row of a list cuts it off."""


class CallSheet(QWidget):
    seen = Signal()
    """All of what is to be decided on has been on the screen."""

    def __init__(
        self,
        console: Console,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        compact: bool = False,
        now: Callable[[], float] = time.time,
        bridge: Bridge | None = None,
    ) -> None:
        """`compact`: without what the row of a list says already. `bridge`: without it, past calls are not told of."""
        super().__init__(parent)
        self._console = console
        self._theme = theme
        self._compact = compact
        self._now = now
        self._invocation: Invocation | None = None
        self._name_suspects: tuple[Suspect, ...] = ()
        self._build(bridge)
        self._arrange()
        self._report = SeenReport(self, console)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._count)
        for view in (self.arguments, self.result):
            view.seen.connect(self._saw)
            view.suspects_changed.connect(self._warn)
        theme.changed.connect(self._draw)
        self._draw()

    @property
    def is_seen(self) -> bool:
        return self._main.is_seen

    def show_invocation(self, invocation: Invocation, sibling: tuple[int, int] = (1, 1), alike: int = 1) -> None:
        """`sibling`: which of how many calls of one turn. `alike`: how many that are letter for letter the same stand
        behind it; each is decided by itself."""
        before, self._invocation = self._invocation, invocation
        self._report.show_invocation(invocation)
        review = invocation.state == "WaitingForPostApproval"
        tool = tool_of(invocation, self._console.tools())
        self._headline.setText(headline(invocation, self._console.agents.is_registered(invocation.agent)))
        self._headline.setVisible(not self._compact or max(len(invocation.tool), len(invocation.agent)) > _LONG_NAME)
        self._wording.show_invocation(invocation)
        self._tell_facts(invocation, f"call {turn}" if (turn := sibling_words(sibling)) else "", alike)
        self._why.setText(why(invocation))
        self._trace.setText(trace(invocation))
        self._more.setVisible(bool(self._trace.text()) and not review and not self._compact)
        if before is None or before.id != invocation.id:
            self._more.setChecked(False)
        self._name_suspects = _in_names(invocation)
        self.change.show_binding(None if review else invocation.change)
        self.background.show_invocation(invocation)
        self.preview.show_previews(self._telling(previews_of(invocation, tool)))
        self.arguments.show_arguments(invocation.effective_arguments, invocation.variant)
        if review and invocation.ran_result is not None:
            self.result.show_arguments(invocation.ran_result.text, "custom")
        self.result.setVisible(review)
        self.arguments.setVisible(not review or not self._compact)
        self._warn()
        self._count()

    def _tell_facts(self, invocation: Invocation, turn: str, alike: int) -> None:
        """Where there is little room, what a tool says of itself goes into the same line, unless it is a warning."""
        told = hints(invocation, facts_about(self._console, invocation))
        signs = tuple(hint for hint in told if not self._compact or hint.weight == "danger")
        same = f"the first of {alike} identical calls, decided by itself" if alike > 1 else ""
        # in the queue the row above it says so
        proven = "" if self._compact else proof(invocation)
        words = (facts(invocation), proven, turn, same, *(hint.words for hint in told if hint not in signs))
        self._facts.setText("  ·  ".join(word for word in words if word))
        self._hints.show_hints(signs)

    def _telling(self, previews: tuple[Preview, ...]) -> tuple[Preview, ...]:
        """Where there is little room, without those that say no more than the arguments."""
        if not self._compact:
            return previews
        return tuple(one for one in previews if not isinstance(one, CommandPreview) or CommandRows(one).is_telling)

    def show_end(self) -> None:
        self._main.show_end()

    def set_editing(self, editing: bool) -> None:
        """The editor holds the text now; a preview of the text as it was would only mislead."""
        self._main.setVisible(not editing)
        self.preview.setVisible(not editing and bool(self.preview.sections))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @property
    def _main(self) -> ArgumentsView:
        """The text that is to be decided on."""
        review = self._invocation is not None and self._invocation.state == "WaitingForPostApproval"
        return self.result if review else self.arguments

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self, bridge: Bridge | None) -> None:
        self._headline = plain_label("", "heading", selectable=True, wrap=True)
        self._headline.setObjectName("approvalHeadline")
        self._wording = WordingBox(self._theme)
        self._facts = plain_label("", "secondary", wrap=True)
        self._facts.setObjectName("approvalFacts")
        self._hints = HintRow(self._theme)
        self._why = plain_label("", "secondary", wrap=True)
        self._why.setObjectName("approvalWhy")
        self._more = QToolButton()
        self._more.setObjectName("traceToggle")
        self._more.setText("Rule trace")
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setCheckable(True)
        self._more.toggled.connect(self._unfold)
        self._trace = plain_label("", "secondary", selectable=True, wrap=True)
        self._trace.setObjectName("approvalTrace")
        self._trace.hide()
        self._left_icon = QLabel()
        self._left = plain_label("", "secondary")
        self._left.setObjectName("approvalCountdown")
        self._suspects = SuspectBox(self._theme)
        self.change = DefinitionBox(self._theme, unfolded=True)
        self.change.setObjectName("changeBox")
        self.background = BackgroundBox(self._console, self._theme, bridge, now=self._now)
        self.preview = CallPreview(self._theme, most_rows=_ROWS_COMPACT if self._compact else MOST_ROWS)
        self.arguments = ArgumentsView(self._theme)
        self.result = ArgumentsView(self._theme, title="Result")
        self.result.hide()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        first = QHBoxLayout()
        first.setSpacing(XS)
        first.addWidget(self._facts, 1)
        first.addWidget(self._left_icon)
        first.addWidget(self._left)
        reasons = QHBoxLayout()
        reasons.setSpacing(S)
        reasons.addWidget(self._why, 1)
        reasons.addWidget(self._more)
        column.addWidget(self._headline)
        column.addWidget(self._wording)
        column.addLayout(first)
        column.addWidget(self._hints)
        column.addLayout(reasons)
        column.addWidget(self._trace)
        column.addWidget(self._suspects)
        column.addWidget(self.change)
        column.addWidget(self.background)
        column.addWidget(self.preview)
        column.addWidget(self.arguments, 2)
        column.addWidget(self.result, 3)
        self._why.setVisible(not self._compact)
        for label in (self._facts, self._why, self._headline, self._trace):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _draw(self) -> None:
        self._trace.setFont(self._theme.mono(SMALL_SIZE))
        self._unfold(self._more.isChecked())
        self._left_icon.setPixmap(self._theme.icon("time").pixmap(ICON, ICON))

    def _unfold(self, unfolded: bool) -> None:
        self._more.setIcon(self._theme.icon("expanded" if unfolded else "collapsed"))
        self._trace.setVisible(unfolded and bool(self._trace.text()))

    # ---- what changes while it is shown ----------------------------------------------------------------------------

    def _saw(self) -> None:
        if self.is_seen:
            self.seen.emit()

    def _warn(self) -> None:
        self._suspects.show_suspects((*self._name_suspects, *self._main.suspects))

    def _count(self) -> None:
        invocation, now = self._invocation, self._now()
        words = "" if invocation is None or self._compact else deadline_words(invocation, now)
        self._left.setVisible(bool(words))
        self._left_icon.setVisible(bool(words))
        if invocation is None or invocation.deadline is None or not words:
            return
        seconds = invocation.deadline - now
        self._left.setText(words)
        self._left.setToolTip(
            f"{late_words(invocation)} {time.strftime('%H:%M:%S', time.localtime(invocation.deadline))}"
        )
        tone = "danger" if seconds <= SOON else "secondary"
        if self._left.property("tone") != tone:
            self._left.setProperty("tone", tone)
            self._left.style().polish(self._left)


def _in_names(invocation: Invocation) -> tuple[Suspect, ...]:
    return tuple(
        replace(suspect, what=f"{suspect.what} in the name of the {thing}")
        for thing, name in (("tool", invocation.tool), ("agent", invocation.agent), ("source", invocation.source))
        for suspect in suspects(name)
    )
