"""What a call card shows while a person must decide: all of what is decided on, what is odd about it, and the verbs."""

from typing import Final

from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.previews import previews_of
from callgate.core.calls.tool_facts import tool_of
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.call_preview import CallPreview
from callgate.ui.decision.arguments import ArgumentsView
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.definition_box import DefinitionBox
from callgate.ui.decision.draft import answered_by_person, no_record_warning
from callgate.ui.decision.on_screen import SeenReport
from callgate.ui.decision.places import DecisionPlaces, LiveRing, places_of, screen_box
from callgate.ui.decision.tool_schema import facts_about
from callgate.ui.text.embedded_text import wrapped_height
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.hint_row import HintRow, fact_hints

INITIATOR: Final = "card"
_BOUND: Final = 320
_PREVIEW_ROWS: Final = 10
_FRAME: Final = 18 + 2 * (S + 1) + 2 * 4 + 2
"""What the text's own margins and frame take from its width."""


class ApprovalCard(QWidget):
    resized = Signal()

    def __init__(self, console: Console, theme: Theme, parent: QWidget, bridge: Bridge | None = None) -> None:
        """`parent`: the card, which gets the ring."""
        super().__init__(parent)
        self.arguments = ArgumentsView(theme)
        self._console = console
        self.preview = CallPreview(theme, most_rows=_PREVIEW_ROWS)
        self.preview.resized.connect(self.resized)
        self.bar = DecisionBar(console, theme, INITIATOR, self, bridge=bridge)
        self._report = SeenReport(self.arguments, console)
        self._bridge = bridge
        self._invocation = ""
        self._places: DecisionPlaces | None = None
        self._ring = LiveRing(theme, parent)
        self.destroyed.connect(self._ring.deleteLater)  # the card stays, for other calls
        self._shown = ""
        self._changed: Invocation | None = None
        """The call whose tool is to be compared with what it was."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._look)
        self.definition = DefinitionBox(theme, unfolded=True)
        self.change = DefinitionBox(theme, unfolded=True)
        self.change.setObjectName("changeBox")
        self._no_record = ""
        self.hints = HintRow(theme)
        self.hints.setObjectName("callFacts")
        self._odd = plain_label("", "waiting", wrap=True)
        self._odd.setObjectName("oddWarning")
        self._odd.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self.hints)
        column.addWidget(self.change)
        column.addWidget(self.definition)
        column.addWidget(self.preview)
        column.addWidget(self.arguments)
        column.addWidget(self._odd)
        column.addWidget(self.bar)
        self.arguments.seen.connect(lambda: self.bar.set_seen(True))
        self.arguments.suspects_changed.connect(self._warn)
        self.arguments.text.document().contentsChanged.connect(self.resized)
        self.bar.show_requested.connect(self.arguments.show_end)
        self.bar.editing.connect(self._make_room)
        self.bar.wanted_here.connect(self._take)

    # ---- one place of several ----------------------------------------------------------------------------------------

    def set_live(self, live: bool, where: str) -> None:
        self.bar.set_live(live, where)
        self._ring.set_live(live)
        self.resized.emit()

    def on_screen(self) -> QRect:
        card = self.parentWidget()
        return screen_box(self if card is None else card)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._attach()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leave()

    def leave(self) -> None:
        """It is off the screen or will be gone."""
        self._ring.hide()
        if self._places is not None:
            self._places.cards.detach(self)
            self._places = None

    def _attach(self) -> None:
        if self._places is None:
            self._places = places_of(self)
        if self._places is not None and self._invocation and self.isVisible():
            self._places.cards.attach(self._invocation, self)

    def _take(self, invocation_id: str) -> None:
        if self._places is not None:
            self._places.take("card", invocation_id)

    # ---- what is asked -----------------------------------------------------------------------------------------------

    def show_invocation(self, invocation: Invocation) -> None:
        self._invocation = invocation.id
        review = invocation.state == "WaitingForPostApproval"
        if review:
            self.arguments.title.setText("Result")
            result = invocation.ran_result
            self.arguments.show_arguments("" if result is None else result.text, "custom")
        else:
            self.arguments.title.setText("Arguments")
            self.arguments.show_arguments(invocation.effective_arguments, invocation.variant)
        self.change.show_binding(None if review else invocation.change)
        known = facts_about(self._console, invocation)
        self.hints.show_hints(() if review or answered_by_person(invocation) else fact_hints(known))
        tool = tool_of(invocation, self._console.tools())
        self.preview.show_previews(previews_of(invocation, tool))
        self.bar.set_seen(self.arguments.is_seen)
        self.bar.show_invocation(invocation)
        self._report.show_invocation(invocation)
        self._no_record = no_record_warning(invocation)
        self._attach()
        self._warn()
        self._compare(invocation)

    def fit(self, width: int) -> None:
        """Gives the text the height it needs, up to a bound; past that it scrolls."""
        self.preview.fit(width)
        self.definition.diff.fit(width)
        self.change.diff.fit(width)
        text = self.arguments.text
        inner = wrapped_height(text, max(40, width - _FRAME), _BOUND)
        height = min(_BOUND, inner + 2 * S + 4)
        if text.height() != height or text.minimumHeight() != height:
            text.setFixedHeight(height)

    def _compare(self, invocation: Invocation) -> None:
        """Shows how the tool differs from what was allowed, where a grant does not count because of that."""
        about = f"{invocation.id} {invocation.fingerprint}"
        if about == self._shown:
            return
        self._shown = about
        self.definition.show_change(None)
        told = invocation.change is not None and bool(invocation.change.definition)
        suspends = invocation.verdict is not None and invocation.verdict.suspends and not told
        self._changed = invocation if suspends else None
        self._pause.start()

    def _look(self) -> None:
        if self._changed is not None and self._bridge is not None and self._bridge.can_start:
            self._bridge.start(self._load_change(self._changed), self, "looking at past definitions")

    async def _load_change(self, invocation: Invocation) -> None:
        change = (await self._console.rule_service.background(invocation)).change
        if f"{invocation.id} {invocation.fingerprint}" == self._shown:
            self.definition.show_change(change)
            self.resized.emit()

    def _make_room(self, editing: bool) -> None:
        self.arguments.setVisible(not editing)
        self.preview.setVisible(not editing and bool(self.preview.sections))
        self.resized.emit()

    def _warn(self) -> None:
        found = self.arguments.suspects
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        lines = [f"{self._no_record}."] if self._no_record else []
        lines += [f"{found[0].what} {found[0].why}.{more}"] if found else []
        self._odd.setText("\n".join(lines))
        self._odd.setVisible(bool(lines))
        self.resized.emit()
