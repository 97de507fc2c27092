"""Approve or deny everything that has been shown: two presses each, and never a call that nobody has looked at.

Calls that need more than a click are left out of approving: each of them has to be approved by itself.
"""

from collections.abc import Sequence
from typing import Final, Literal

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from callgate.core.calls.invocation import Decision, Invocation, Verb, shown_hash
from callgate.core.calls.risk import high_risk
from callgate.core.calls.tool_facts import tool_of
from callgate.engine.console.console import Console
from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.decision.draft import asked
from callgate.ui.theme.theme import S

Which = Literal["", "approve", "deny"]
_CONFIRM_MS: Final = 4000
"""A first press that is not followed by a second within this time was a slip."""


class BulkBar(QWidget):
    failed = Signal(int)
    """So many of the calls had been decided already."""

    def __init__(
        self, console: Console, initiator: str, parent: QWidget | None = None, *, arm_ms: int = ARM_MS
    ) -> None:
        super().__init__(parent)
        self._console = console
        self._initiator = initiator
        self._calls: tuple[Invocation, ...] = ()
        self._risky: dict[tuple[str, str], bool] = {}
        self._pressed: Which = ""
        self._guard = ClickGuard(self, arm_ms)
        self.approve = self._button("approveAllButton", lambda: self._press("approve"))
        self.deny = self._button("denyAllButton", lambda: self._press("deny"))
        self.deny.setProperty("kind", "danger")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self.approve)
        row.addWidget(self.deny)
        row.addStretch(1)
        self._slip = QTimer(self)
        self._slip.setSingleShot(True)
        self._slip.setInterval(_CONFIRM_MS)
        self._slip.timeout.connect(self._forget)
        self._guard.armed_changed.connect(lambda _: self._refresh())
        self._refresh()

    def set_calls(self, shown: Sequence[Invocation]) -> None:
        """The calls that wait and have been shown in full; another set is another question."""
        calls = tuple(shown)
        if [asked(call) for call in calls] != [asked(call) for call in self._calls]:
            self._calls = calls
            self._guard.rearm()
            self._forget()

    def _button(self, name: str, pressed: object) -> GuardedButton:
        button = GuardedButton("", self._guard)
        button.setObjectName(name)
        button.clicked.connect(pressed)
        return button

    def _press(self, which: Which) -> None:
        if self._pressed == which:
            self._decide(which)
        else:
            self._pressed = which
            self._slip.start()
            self._refresh()

    def _forget(self) -> None:
        self._slip.stop()
        self._pressed = ""
        self._refresh()

    def _refresh(self) -> None:
        safe = self._safe()
        for which, button, calls in (("approve", self.approve, safe), ("deny", self.deny, self._calls)):
            count = len(calls)
            ready = count > 0 and self._guard.armed
            word = which.capitalize()
            pressed = self._pressed == which
            words = f"{word} {count}: click again" if pressed else f"{word} reviewed ({count})"
            button.setText(words)
            button.setAccessibleName(words)
            button.setEnabled(ready)
            left_out = len(self._calls) - count
            tip = "" if ready else "Read a call to the end first: only calls that you have seen are included"
            button.setToolTip(f"{left_out} risky or changed: approve each on its own" if left_out else tip)

    def _safe(self) -> tuple[Invocation, ...]:
        """What a call would do does not change while it waits, so each is weighed once."""
        fresh = [call for call in self._calls if asked(call) not in self._risky]
        tools = self._console.tools() if fresh else ()
        self._risky.update(
            {asked(call): call.change is not None or bool(high_risk(call, tool_of(call, tools))) for call in fresh}
        )
        self._risky = {asked(call): self._risky[asked(call)] for call in self._calls}
        return tuple(call for call in self._calls if not self._risky[asked(call)])

    def _decide(self, which: Which) -> None:
        calls = self._safe() if which == "approve" else self._calls
        self._calls = ()
        self._forget()
        late = 0
        for call in calls:
            decision = Decision(_verb(which, call), shown=shown_hash(call))
            late += not self._console.decide(call.id, decision, self._initiator)
        if late:
            self.failed.emit(late)


def _verb(which: Which, call: Invocation) -> Verb:
    if call.state == "WaitingForPostApproval":
        return "accept" if which == "approve" else "withhold"
    return "approve" if which == "approve" else "deny"
