"""The verbs on one waiting call, the same wherever it is shown: dialog, queue and conversation.

The bar shows an invocation and sends what the person decides; it holds no truth of its own. What it sends is bound to
the text that was shown, and a decision that comes too late harms nothing. It does not show the arguments: what embeds
it does. Where the call is up for decision elsewhere, it stands parked: one line that says where, and takes it over.
"""

from collections.abc import Callable
from typing import Final, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Decision, Invocation, Verb
from callgate.core.errors import UserFault
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS, HOLD_MS, STRAY, ClickGuard, GuardedButton
from callgate.ui.decision.draft import LASTING, answered_by_person, asked, drafted
from callgate.ui.decision.edit_panel import EditPanel
from callgate.ui.decision.like_calls import LikeCalls
from callgate.ui.decision.more_verbs import MoreVerbs
from callgate.ui.decision.panels import DENY_REASONS, WITHHOLD_REASONS, AnswerPanel, Panel, ReasonPanel
from callgate.ui.decision.patience_line import PatienceLine
from callgate.ui.decision.remember_row import RememberRow
from callgate.ui.decision.risk_row import RiskRow
from callgate.ui.decision.scope_box import ScopeBox
from callgate.ui.decision.tool_schema import schema_of
from callgate.ui.decision.verb_keys import CONFIRM, DENY, EDIT, REFUSE, Keys, shown_keys
from callgate.ui.decision.wall_line import WallLine
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_kind, set_tone
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.held_focus import hold_focus
from callgate.ui.widgets.wrapping_row import WrappingRow


# What stands on the buttons of a decision, and the keys beside it. Pure.
def approve_words(*, review: bool, hold: bool, edited: bool, seen: bool) -> tuple[str, Keys]:
    """`hold`: it wants a long press; `seen`: all of the call has been on the screen."""
    if hold:
        return ("Hold to approve edited" if edited else "Hold to approve"), ()
    if edited:
        return ("Accept edited" if review else "Approve edited"), CONFIRM
    if not seen:
        return "Show the rest", CONFIRM
    return ("Accept" if review else "Approve"), CONFIRM


def deny_words(*, review: bool, asked: bool) -> tuple[str, Keys]:
    """`asked`: the reason is being written, so the next press denies."""
    word = "Withhold" if review else "Deny"
    return (word, DENY) if asked else (f"{word}…", REFUSE)


Mode = Literal["verbs", "deny", "answer", "edit"]
_PARKED: Final = {"dialog": "In the dialog", "card": "On its card", "queue": "In the queue", "": "Waiting"}


class DecisionBar(QWidget):
    decided = Signal(str, str)
    """A decision was taken by the engine: invocation id, verb."""
    denied_at_once = Signal(object)
    """It was a denial without a reason, which may still be given: `Invocation`."""
    snoozed = Signal(str)
    """Not now: nothing is decided; invocation id."""
    show_requested = Signal()
    """Approve was pressed before everything had been shown: bring the rest into view."""
    wanted_here = Signal(str)
    """It is parked, and the person wants to decide here; invocation id."""
    editing = Signal(bool)
    """The editor is open; it holds the arguments, so a read-only view of them may step aside."""

    def __init__(
        self,
        console: Console,
        theme: Theme,
        initiator: str,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        bridge: Bridge | None = None,
    ) -> None:
        """`bridge`: without it, a rule to be saved is not tried on past calls."""
        super().__init__(parent)
        self._console, self._bridge, self._theme = console, bridge, theme
        self._initiator, self._arm_ms = initiator, arm_ms
        self._invocation: Invocation | None = None
        self._mode: Mode = "verbs"
        self._sent = False
        self._seen = True
        self._live = True
        self.guard = ClickGuard(self, arm_ms)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._build_verbs()
        self._build_panels()
        self._arrange()
        self.guard.armed_changed.connect(lambda _: self._refresh())
        self.guard.absorbed.connect(self._say)
        self.guard.foreground.strayed.connect(self._strayed)
        for field in (self._reason_panel.field, self._answer_panel.field, self._edit_panel.field, self._risk_row.field):
            self.guard.watch_field(field)
        theme.changed.connect(self._draw)
        self._draw()

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def invocation(self) -> Invocation | None:
        return self._invocation

    @property
    def mode(self) -> Mode:
        return self._mode

    def show_invocation(self, invocation: Invocation | None) -> None:
        """The call to decide. Text that the person has begun to write stays while the call stays the same."""
        before, self._invocation = self._invocation, invocation
        if before is None or invocation is None or asked(before) != asked(invocation):
            self._start_over()
        self._like.show_invocation(invocation)
        self._patience.show_invocation(invocation)
        self._wall.show_invocation(invocation)
        self._refresh()

    def set_seen(self, seen: bool) -> None:
        """Whether all of the call has been on the screen; until then the first press of Approve only shows the rest."""
        if seen != self._seen:
            self._seen = seen
            self._refresh()

    @property
    def live(self) -> bool:
        return self._live

    def set_live(self, live: bool, where: str = "") -> None:
        """Whether the call is decided here; else `where` it is: "dialog", "card", "queue", or "" while its turn has
        not come. What was being written stays."""
        self._parked_words.setText(_PARKED[where])
        if live == self._live:
            return
        self._live = live
        hold_focus(self)  # what has the focus may be hidden now
        self._body.setVisible(live)
        self._parked.setVisible(not live)
        if self._mode == "edit":
            self.editing.emit(live)
        self.guard.rearm()
        self._refresh()

    def add_menu(self, menu: QMenu) -> None:
        """Something else to choose, behind the three dots."""
        self._more.verbs.addSeparator()
        self._more.verbs.addMenu(menu)

    def _strayed(self) -> None:
        """Letters that no field took were not meant for this call."""
        if self._live and self._invocation is not None and self.isVisible():
            self.guard.rearm()
            self._say(STRAY)

    def _start_over(self) -> None:
        self._sent = False
        self._more.verbs.close()  # it was opened for another call
        hold_focus(self)
        self._scope.reset()
        self._scope.show_turn(self._invocation is not None and bool(self._invocation.turn))
        self._remember.forget()
        self._risk_row.weigh(self._invocation)
        self._say("")
        self._open("verbs")
        self.guard.rearm()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build_verbs(self) -> None:
        self._approve = self._button("approveButton", "primary", self._approve_pressed)
        self._edit = self._button("editButton", "", self._edit_pressed)
        self._deny = self._button("denyButton", "danger", self._deny_pressed)
        self._answer = self._button("answerButton", "", self._answer_pressed)
        self._approve.let_go.connect(lambda: self._say("Press and hold."))
        self._more = MoreVerbs(self._theme)
        self._more.skip_chosen.connect(lambda: self._decide("skip"))
        self._more.snooze_chosen.connect(self._snooze)
        self._more.stop_chosen.connect(self._stop)
        self._scope = ScopeBox(self._theme)
        self._scope.currentIndexChanged.connect(lambda _: self._refresh())
        self._risk_row = RiskRow(self._console, self._theme)
        self._risk_row.changed.connect(lambda: self._refresh())
        self._risk_row.confirmed.connect(lambda: self._entered(self._approve_pressed))

    def _build_panels(self) -> None:
        self._reason_panel = ReasonPanel(self._theme)
        self._answer_panel = AnswerPanel(self._theme)
        self._edit_panel = EditPanel(self._theme)
        self._panels: dict[Mode, Panel] = {
            "deny": self._reason_panel,
            "answer": self._answer_panel,
            "edit": self._edit_panel,
        }
        for panel in self._panels.values():
            panel.hide()
            panel.dismissed.connect(self._dismiss)
        self._reason_panel.confirmed.connect(lambda: self._entered(self._deny_now))
        self._reason_panel.field.textChanged.connect(lambda _: self._preview())
        self._remember = RememberRow(self._console, self._theme, self._bridge)
        self._remember.expression.changed.connect(lambda: self._enable())
        self._answer_panel.field.textChanged.connect(self._refresh)
        self._edit_panel.checked.connect(self._refresh)
        self._like = LikeCalls(self._console, self._theme, self._initiator, self._bridge, arm_ms=self._arm_ms)
        self._like.approved.connect(self._approved_like)
        self._patience = PatienceLine(self._theme)
        self._wall = WallLine(self._theme)
        self.status = plain_label("", "hint", wrap=True)
        self.status.setObjectName("decisionStatus")

    def _arrange(self) -> None:
        verbs = WrappingRow(S)
        for control in (self._approve, self._edit, self._deny, self._answer, self._more, self._scope):
            verbs.add(control)
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        for panel in self._panels.values():
            column.addWidget(panel)
        for part in (self._wall, self._risk_row, verbs, self._remember, self._like, self._patience, self.status):
            column.addWidget(part)
        self._parked = QWidget()
        self._parked.setObjectName("parkedLine")
        row = QHBoxLayout(self._parked)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        self._parked_words = plain_label("", "secondary")
        self._parked_words.setObjectName("parkedWords")
        self._take_over = QPushButton("Decide here")
        self._take_over.setObjectName("decideHere")
        self._take_over.setAutoDefault(False)
        self._take_over.clicked.connect(self._want)
        row.addWidget(self._parked_words)
        row.addWidget(self._take_over)
        row.addStretch(1)
        self._parked.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._parked)
        whole.addWidget(self._body)

    def _button(self, name: str, kind: str, pressed: object) -> GuardedButton:
        button = GuardedButton("", self.guard)
        button.setObjectName(name)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(pressed)
        return button

    # ---- drawing ---------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._edit.setIcon(self._theme.icon("edit"))
        self._refresh()

    def _refresh(self) -> None:
        """Texts and states of everything, from the call, the mode and the arming: the one place that sets them."""
        review = self._is_review
        if not self._ready and self._mode == "verbs":
            hold_focus(self)
        hold, seen = self._must_hold, self._seen or self._mode != "verbs"
        # as wide as before the call was seen whole: else the row wraps anew, and the buttons move under the pointer
        self._label(self._approve, *approve_words(review=review, hold=hold, edited=self._is_edited, seen=False))
        self._approve.setMinimumWidth(self._approve.sizeHint().width())
        self._label(self._approve, *approve_words(review=review, hold=hold, edited=self._is_edited, seen=seen))
        self._label(self._deny, *deny_words(review=review, asked=self._mode == "deny"))
        self._label(self._edit, "Edit result" if review else "Edit", ())
        self._edit.setToolTip(f"Change it before it goes on ({shown_keys(EDIT[0])})")
        self._label(self._answer, "Send answer" if self._mode == "answer" else "Answer…", ())
        runs = not answered_by_person(self._invocation) and not self._is_gone
        self._approve.setVisible(runs and self._mode in ("verbs", "edit"))
        self._edit.setVisible(runs and self._mode == "verbs")
        set_kind(self._answer, "primary" if answered_by_person(self._invocation) else "")
        self._answer.setIcon(self._theme.icon("answer") if runs else QIcon())
        self._deny.setVisible(self._mode in ("verbs", "deny"))
        self._answer.setVisible(not review and self._mode in ("verbs", "answer"))
        self._more.setVisible(self._mode == "verbs")
        self._more.offer_skip(not review)
        self._scope.setVisible(not review and self._mode != "answer" and (runs or self._mode == "deny"))
        self._risk_row.setVisible(bool(self._risk_row.risk) and self._mode in ("verbs", "edit"))
        self._approve.set_hold(HOLD_MS if hold else 0)
        self._approve.set_decides(hold or seen)
        self._edit.set_decides(False)
        self._deny.set_decides(self._mode == "deny", shifted=True)
        self._deny.setToolTip(_deny_tip(self._mode == "deny"))
        self._answer.set_decides(self._mode == "answer")
        set_kind(self._approve, "hold" if hold else "primary")
        self._preview()
        self._enable()

    def _enable(self) -> None:
        """What decides waits until it is armed; what only opens something does not."""
        opens, ready = self._opens, self._ready
        saves = not (self._lasting and bool(self._remember.problem))
        self._approve.setEnabled(ready and saves and not (self._mode == "edit" and bool(self._edit_panel.problem)))
        self._deny.setEnabled(opens if self._mode == "verbs" else ready and saves)
        for control in (self._edit, self._more):
            control.setEnabled(opens)
        self._scope.offer(opens, grantable=self._grantable)
        self._like.set_ready(ready and self._seen, offered=self._live and self._mode == "verbs" and not self._lasting)
        answered = ready and bool(self._answer_panel.text.strip())
        self._answer.setEnabled(answered if self._mode == "answer" else opens)

    @property
    def _opens(self) -> bool:
        """Whether the verbs are offered at all."""
        return self._live and self._invocation is not None and self._invocation.is_waiting and not self._sent

    @property
    def _ready(self) -> bool:
        """Whether something may be decided now."""
        return self._opens and self.guard.armed

    @property
    def _grantable(self) -> bool:
        """A denial can always be remembered; some calls no rule can allow."""
        verdict = self._invocation.verdict if self._invocation is not None else None
        return verdict is None or verdict.grantable or self._mode == "deny"

    @property
    def _lasting(self) -> bool:
        may = self._invocation is not None and self._grantable
        return may and self._scope.isVisibleTo(self) and self._scope.scope != "once"

    @property
    def _is_edited(self) -> bool:
        return self._mode == "edit" and self._edit_panel.edited

    @property
    def _must_hold(self) -> bool:
        return bool(self._risk_row.risk) and (self._seen or self._mode == "edit") and not self._risk_row.fits

    def _label(self, button: GuardedButton, words: str, keys: Keys) -> None:
        button.setText(f"{words}  {shown_keys(keys[0])}" if keys else words)
        button.setAccessibleName(words)

    def _preview(self) -> None:
        self._remember.setVisible(self._lasting)
        if self._lasting and self._invocation is not None:
            decision = self._decision("deny" if self._mode == "deny" else "approve")
            edited = self._is_edited and not self._edit_panel.problem
            arguments = self._edit_panel.text if edited else self._invocation.effective_arguments
            self._remember.show_decision(self._invocation, arguments, decision)

    def _want(self) -> None:
        if self._invocation is not None:
            self.wanted_here.emit(self._invocation.id)

    def _say(self, words: str, tone: str = "hint") -> None:
        self.status.setText(words)
        self.status.setVisible(bool(words))
        set_tone(self.status, tone)

    # ---- verbs -----------------------------------------------------------------------------------------------------

    def confirm(self) -> None:
        """Ctrl+Enter: approves what is shown, or sends what was written. Nothing in a denial."""
        match self._mode:
            case "deny":
                self._say("Ctrl+Enter does nothing in a denial. Enter denies.")
            case "verbs" if not self._opens:
                pass
            case "verbs" if answered_by_person(self._invocation) or self._is_gone:
                self._answer_pressed()
            case "verbs" if not self._seen:
                self._approve_pressed()
            case "answer" if self.guard.accepts_chord():
                self._answer_pressed()
            case "verbs" | "edit" if self.guard.accepts_chord():
                self._approve_pressed()
            case _:
                pass

    def refuse(self) -> None:
        """Ctrl+Backspace: denies; where a rule would be saved with it, the rule is shown first."""
        if self._mode not in ("verbs", "deny") or not self._opens or not self.guard.accepts_chord():
            return
        if self._mode == "verbs" and self._lasting:
            self._open_denial()
        else:
            self._deny_now()

    def edit(self) -> None:
        """Ctrl+E."""
        if self._opens:
            self._edit_pressed()

    def _entered(self, run: Callable[[], None]) -> None:
        """Enter in a field of the bar."""
        written = bool(self._reason_panel.reason if self._mode == "deny" else self._risk_row.field.text())
        if self.guard.accepts_field_key(written=written):
            run()

    def _approve_pressed(self) -> None:
        if not self._seen and self._mode == "verbs":
            self.show_requested.emit()
            self.guard.rearm()
        elif self._mode == "edit" and self._edit_panel.problem:
            self._refresh()
        elif self._is_review:
            self._decide("edit_result" if self._is_edited else "accept")
        elif self._must_hold and not self._approve.held:
            self._risk_row.ask()
        else:
            self._decide("approve")

    def _edit_pressed(self) -> None:
        if self._mode != "verbs" or self._invocation is None:
            return
        if not answered_by_person(self._invocation) and not self._is_gone:
            self._open("edit")
            self._edit_panel.open(self._invocation, schema_of(self._console, self._invocation))

    def _deny_pressed(self) -> None:
        if self._mode == "deny" or (self._mode == "verbs" and self._deny.shifted and not self._lasting):
            self._deny_now()
        elif self._mode == "verbs":
            self._open_denial()

    def _deny_now(self) -> None:
        self._decide("withhold" if self._is_review else "deny")

    def _open_denial(self) -> None:
        self._open("deny")
        if self._is_review:
            self._reason_panel.open("Why withhold it? Sent to the model (optional)", WITHHOLD_REASONS)
        else:
            self._reason_panel.open("Why not? Sent to the model (optional)", DENY_REASONS)

    def _answer_pressed(self) -> None:
        if self._mode == "verbs":
            self._open("answer")
            self._answer_panel.open()
        elif self._mode == "answer" and self._answer_panel.text.strip():
            self._decide("answer")

    def _snooze(self) -> None:
        if self._invocation is not None:
            self.snoozed.emit(self._invocation.id)

    def _stop(self) -> None:
        """Ends the exchange that the call belongs to, with everything that waits or runs in it."""
        if self._invocation is not None and self._ready:
            self._console.stop(self._invocation.conversation_id)

    @property
    def _is_gone(self) -> bool:
        """Its tool was removed meanwhile: nothing is left that could run."""
        return self._invocation is not None and self._invocation.is_gone

    @property
    def _is_review(self) -> bool:
        return self._invocation is not None and self._invocation.state == "WaitingForPostApproval"

    def _dismiss(self) -> None:
        self._open("verbs")
        self.guard.rearm()

    def _open(self, mode: Mode) -> None:
        before, self._mode = self._mode, mode
        if before != mode and self.isAncestorOf(QApplication.focusWidget() or self):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        for name, panel in self._panels.items():
            panel.setVisible(name == mode)
        if "edit" in (before, mode) and before != mode:
            self.editing.emit(mode == "edit")
        if mode != "verbs":
            self._say("")
        self._refresh()

    # ---- sending ---------------------------------------------------------------------------------------------------

    def _decision(self, verb: Verb) -> Decision:
        lasting = self._lasting and verb in LASTING
        decision = drafted(
            verb,
            self._invocation,
            edited=self._edit_panel.text if self._is_edited else None,
            reason=self._reason_panel.reason if self._mode == "deny" else "",
            answer=self._answer_panel.text,
            result=self._edit_panel.text,
            scope=self._scope.scope if lasting else "once",
            at_once=self._mode == "verbs",
        )
        return self._remember.complete(decision) if lasting else decision

    def _decide(self, verb: Verb) -> None:
        invocation = self._invocation
        if invocation is None or not self._ready:
            return
        if self._lasting and verb in LASTING and self._remember.problem:
            return
        decision = self._decision(verb)
        try:
            taken = self._console.decide(invocation.id, decision, self._initiator)
        except UserFault as fault:
            self._say(reveal(str(fault)), "danger")
            return
        if taken:
            self._sent = True
            self._refresh()
            self.decided.emit(invocation.id, verb)
            if decision.reason_later:
                self.denied_at_once.emit(invocation)
        else:
            self._too_late(invocation)

    def _approved_like(self, count: int, late: int) -> None:
        """Several at once: each by a decision of its own."""
        invocation = self._invocation
        missed = f" {late} not approved: decided already, or changed since." if late else ""
        self._say(f"Approved {count}.{missed}", "danger" if late else "hint")
        if invocation is not None and all(call.id != invocation.id for call in self._console.waiting()):
            self._sent = True
            self._refresh()
            self.decided.emit(invocation.id, "approve")

    def _too_late(self, invocation: Invocation) -> None:
        """Somebody else was faster, or the call is not what was shown; the second must be looked at again."""
        now = next((other for other in self._console.waiting() if other.id == invocation.id), None)
        if now is not None and asked(now) != asked(invocation):
            self.show_invocation(now)
            self._start_over()
            self._say("The call has changed since it was shown. Nothing was decided; look again.", "danger")
            return
        self._sent = True
        self._open("verbs")
        self._say("Already decided")


def _deny_tip(asked: bool) -> str:
    if asked:
        return "Deny with this reason (Enter)"
    return f"Deny and say why. {shown_keys(REFUSE[0])} or Shift+click denies at once; the reason can follow"
