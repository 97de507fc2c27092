"""The rules: what is allowed, asked about and denied, why that holds, and what came of it.

Shows the engine's rules and sends it what the person changes; holds no rules of its own.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QTabWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import GRANT_SCOPES, Invocation, Scope
from callgate.core.errors import UserFault
from callgate.core.events import Event, GateChanged, InvocationChanged, RulesChanged, ToolsChanged
from callgate.core.rules.audit import AuditEntry
from callgate.core.rules.policy import Rule
from callgate.core.rules.rule_words import is_grant, rule_words
from callgate.engine.console.console import Console
from callgate.engine.console.rule_service import SuspendedGrant
from callgate.ui.bridge import Bridge
from callgate.ui.decision.click_guard import ARM_MS
from callgate.ui.settings.audit_panel import AuditPanel
from callgate.ui.settings.call_tester import CallTester
from callgate.ui.settings.denied_panel import DeniedPanel
from callgate.ui.settings.import_panel import ImportPanel
from callgate.ui.settings.reset_row import ResetRow
from callgate.ui.settings.rule_editor import RuleEditor
from callgate.ui.settings.rule_exchange import RuleExchange, RuleMenu
from callgate.ui.settings.rule_list import RuleList
from callgate.ui.settings.rule_model import Use, rule_rows, uses_of
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.undo_line import UndoLine

ORDER: Final = (
    "Deny beats ask, and ask beats allow, however specific a rule is: that is why their order does not matter. "
    "A call that no rule covers asks."
)
AUDIT_PAGE: Final = 500
_TICK_MS: Final = 30_000
"""How often the times that are left are said anew."""
_PAUSE_MS: Final = 500
"""Calls end in bursts, and past ones are read from disk."""


class RulesPage(QWidget):
    closed = Signal()
    """The person is done here."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        arm_ms: int = ARM_MS,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("rulesPage")
        self.setAccessibleName("Rules")
        as_pane(self)
        self._console, self._bridge, self._theme, self._now = console, bridge, theme, now
        self._edited: Rule | None = None
        """The rule that the one in the editor will take the place of."""
        self._uses: dict[str, Use] = {}
        self._entries: tuple[AuditEntry, ...] = ()
        self._suspended: tuple[SuspendedGrant, ...] = ()
        self._build(arm_ms)
        self._arrange()
        self._connect()
        self._draw()
        self._show_rules()

    # ---- what is shown ---------------------------------------------------------------------------------------------

    def apply(self, batch: tuple[Event, ...]) -> None:
        for event in batch:
            match event:
                case RulesChanged() | ToolsChanged():
                    self._show_rules()
                    if self.isVisible():
                        self._pause.start()
                case GateChanged():
                    self.tester.judge()
                case InvocationChanged() if not event.invocation.is_live and self.isVisible():
                    self._pause.start()
                case _:
                    pass

    def show_rule(self, rule_id: str) -> None:
        """Brings a rule into view."""
        self.filter.clear()
        self.tabs.setCurrentWidget(self._first)
        self.list.choose(rule_id)
        self.list.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_rules()
        self._load()
        self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tick.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.filter.text():
                self.filter.clear()
            else:
                self.closed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self, arm_ms: int) -> None:
        console, bridge, theme = self._console, self._bridge, self._theme
        self.filter = QLineEdit()
        self.filter.setObjectName("ruleFilter")
        self.filter.setAccessibleName("Filter rules")
        self.filter.setPlaceholderText("Filter rules…")
        self.filter.setClearButtonEnabled(True)
        self.add = QPushButton("Add rule")
        self.add.setObjectName("addRule")
        self.reset = QPushButton("Reset all grants…")
        self.reset.setObjectName("resetRules")
        self.more = RuleMenu(theme)
        self._close = QToolButton()
        self._close.setObjectName("closeRules")
        self._close.setToolTip("Back to the conversation (Esc)")
        self._close.setAccessibleName("Close rules")
        self._close.setIconSize(theme.icon_size)
        self._faults = plain_label("", "danger", wrap=True, selectable=True)
        self._faults.setObjectName("ruleFaults")
        self._fault_icon = QLabel()
        self.list = RuleList(theme, arm_ms=arm_ms)
        self.importing = ImportPanel(console.rule_service.read_import, theme)
        self.editor = RuleEditor(console, bridge, theme, now=self._now)
        self.editor.hide()
        self.denied = DeniedPanel(console, theme)
        self.tester = CallTester(console, theme, now=self._now)
        self.audit = AuditPanel(theme)
        self.undo = UndoLine(theme)
        self.reset_row = ResetRow(theme, arm_ms=arm_ms)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("ruleTabs")
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(L, M, M, 0)
        head.setSpacing(S)
        head.addWidget(plain_label("Rules", "heading"))
        head.addWidget(self.filter, 1)
        for widget in (self.add, self.more, self.reset, self._close):
            head.addWidget(widget)
        order = plain_label(ORDER, "secondary", wrap=True)
        order.setContentsMargins(L, 0, L, 0)
        faults = QHBoxLayout()
        faults.setContentsMargins(L, 0, L, 0)
        faults.setSpacing(S)
        faults.addWidget(self._fault_icon, 0, Qt.AlignmentFlag.AlignTop)
        faults.addWidget(self._faults, 1)
        self._first = QWidget()
        first = QVBoxLayout(self._first)
        first.setContentsMargins(0, 0, 0, 0)
        first.setSpacing(0)
        first.addWidget(self.list, 1)
        held = QVBoxLayout()
        held.setContentsMargins(M, 0, M, M)
        held.addWidget(self.editor)
        held.addWidget(self.importing)
        first.addLayout(held)
        self.tabs.addTab(self._first, "Rules")
        self.tabs.addTab(self.denied, "Recently denied")
        self.tabs.addTab(self.tester, "Try a call")
        self.tabs.addTab(self.audit, "Audit")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addLayout(head)
        column.addWidget(order)
        column.addLayout(faults)
        column.addWidget(self.reset_row)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.undo)
        self.setFocusProxy(self.list.view)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self.list.set_filter)
        self.add.clicked.connect(self._add)
        self.reset.clicked.connect(self._ask_reset)
        self._close.clicked.connect(self.closed)
        self.list.edit_requested.connect(self._edit)
        self.list.remove_requested.connect(self._remove)
        self.editor.saved.connect(self._save)
        self.editor.cancelled.connect(self._leave_editor)
        self.denied.allow_requested.connect(self._allow_next)
        self.denied.retry_requested.connect(self._retry)
        self.list.suspended.accepted.connect(self._reaccept)
        RuleExchange(self, self._console, self.importing, self.more, self.undo.tell).opened.connect(self._make_room)
        self.denied.rule_requested.connect(self.show_rule)
        self.audit.older_requested.connect(self._load_older)
        self.tabs.currentChanged.connect(lambda tab: self.filter.setEnabled(tab == 0))
        self.reset_row.confirmed.connect(self._reset)
        self._tick.timeout.connect(self._show_rules)
        self._pause.timeout.connect(self._load)
        self._theme.changed.connect(self._draw)
        self._bridge.batch.connect(self.apply)

    def _draw(self) -> None:
        self.add.setIcon(self._theme.icon("add"))
        self._close.setIcon(self._theme.icon("close"))
        self._fault_icon.setPixmap(self._theme.icon("error", "denied").pixmap(self._theme.icon_size))

    # ---- keeping up ------------------------------------------------------------------------------------------------

    def _show_rules(self) -> None:
        rules = self._console.rules()
        suspended = {grant.rule.id for grant in self._suspended}
        self.list.set_rows(rule_rows(rules, self._console.tools(), self._uses, self._now(), suspended))
        faults = self._console.rule_faults()
        self._faults.setText("\n".join(reveal(fault) for fault in faults))
        for widget in (self._faults, self._fault_icon):
            widget.setVisible(bool(faults))
        self.reset.setEnabled(any(is_grant(rule) for rule in rules))
        self.tabs.setTabText(0, f"Rules ({len(rules)})" if rules else "Rules")
        self.tester.judge()

    def _load(self) -> None:
        self._bridge.start(self._load_past(), self, "reading past calls")

    async def _load_past(self) -> None:
        past = await self._console.past_invocations()
        self._uses = uses_of(past)
        self.denied.set_calls(past, self._now())
        count = self.denied.count
        self.tabs.setTabText(1, f"Recently denied ({count})" if count else "Recently denied")
        self._suspended = tuple(await self._console.rule_service.suspended())
        self.list.set_suspended(self._suspended)
        self._show_rules()
        self._show_audit(await self._console.audit(max(AUDIT_PAGE, self.audit.entries)))

    def _load_older(self, before: int) -> None:
        self._bridge.start(self._load_more(before), self, "reading the audit")

    async def _load_more(self, before: int) -> None:
        older = await self._console.audit(AUDIT_PAGE, before)
        self._show_audit((*self._entries, *older))

    def _show_audit(self, entries: Sequence[AuditEntry]) -> None:
        self._entries = tuple(entries)
        self.audit.set_entries(entries, self._now(), more=bool(entries) and entries[-1].sequence > 1)

    # ---- what the person does --------------------------------------------------------------------------------------

    def _add(self) -> None:
        self._edited = None
        self.importing.hide()
        self.tabs.setCurrentWidget(self._first)
        self.list.set_editing(True)
        self.editor.open()

    def _edit(self, rule: Rule) -> None:
        self._edited = rule
        self.list.set_editing(True)
        self.editor.open(rule, new=False)

    def _leave_editor(self) -> None:
        self._edited = None
        self.editor.hide()
        self.list.set_editing(False)
        self.list.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self, rule: Rule, scope: Scope) -> None:
        """The new one first: if it can't be taken, the old one still holds."""
        try:
            saved = self._console.add_rule(rule, scope)
            if self._edited is not None:
                self._console.remove_rule(self._edited.id)
        except UserFault as fault:
            self.editor.tell(str(fault))
            return
        self._leave_editor()
        self._show_rules()
        self.list.choose(saved.id)

    def _remove(self, rule: Rule) -> None:
        try:
            self._console.remove_rule(rule.id)
        except UserFault as fault:
            self.undo.tell(str(fault))
            return
        self.undo.tell(f"Removed: {rule_words(rule)}", lambda: self._bring_back(rule))

    def _bring_back(self, rule: Rule) -> None:
        origins: dict[str, Scope] = {scope: scope for scope in GRANT_SCOPES}
        self._console.add_rule(replace(rule, id=""), origins.get(rule.origin, "session"))

    def _allow_next(self, rule: Rule) -> None:
        try:
            self._console.add_rule(rule, "session")
        except UserFault as fault:
            self.undo.tell(str(fault))

    def _retry(self, call: Invocation) -> None:
        """It asks like any other call; what comes of it is seen in a conversation of its own."""
        self._bridge.start(self._run_again(call), self, f"retrying {call.tool}")
        self.undo.tell(f"{call.tool} was called again, by you.")

    async def _run_again(self, call: Invocation) -> None:
        try:
            await self._console.rule_service.retry(call)
        except UserFault as fault:
            self.undo.tell(str(fault))

    def _reaccept(self, rule_id: str, fingerprint: str) -> None:
        try:
            self._console.rule_service.reaccept(rule_id, fingerprint)
        except UserFault as fault:
            self.undo.tell(str(fault))
            return
        self._suspended = tuple(grant for grant in self._suspended if grant.rule.id != rule_id)
        self.list.set_suspended(self._suspended)
        self._show_rules()
        self.undo.tell("The grant counts again, for the tool as it is defined now.")

    def _make_room(self, opened: bool) -> None:
        """The list's verbs step aside while rules are brought in."""
        if opened:
            self.editor.hide()
            self.tabs.setCurrentWidget(self._first)
        self.list.set_editing(opened)

    def _ask_reset(self) -> None:
        self.reset_row.ask(sum(is_grant(rule) for rule in self._console.rules()))

    def _reset(self) -> None:
        try:
            self._console.reset_rules()
        except UserFault as fault:
            self.undo.tell(str(fault))
