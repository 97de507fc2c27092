"""An engine's console without an engine: a real bus, lists to fill, and a record of what the person did."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tests.fakes.agent_service import FakeAgentService
from tests.fakes.archive import FakeArchive
from tests.fakes.conversation_service import FakeConversationService
from tests.fakes.endpoint_service import FakeEndpointService
from tests.fakes.rule_service import FakeRuleService
from tests.fakes.samples import (
    NOON,
    answered,
    cancelled,
    completed,
    denied,
    released,
    reviewing,
    running,
    sample_conversation,
    sample_invocation,
    sample_tools,
    skipped,
    timed_out,
    waiting,
)
from tests.fakes.source_service import FakeSourceService
from tests.fakes.statistics_service import FakeStatisticsService
from tests.fakes.tool_service import FakeToolService
from tests.fakes.try_service import FakeTryService
from tests.fakes.wire_service import FakeWireService

from callgate.core.calls.invocation import (
    Allow,
    Decision,
    Invocation,
    Return,
    Review,
    Scope,
    Settle,
    Step,
    advance,
    denied_text,
    shown_hash,
    skipped_text,
)
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.errors import UserFault
from callgate.core.events import (
    Event,
    ExchangeEnded,
    ExchangeStarted,
    GateChanged,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    RulesChanged,
    ToolsChanged,
    WireCaptured,
    conversation_of,
)
from callgate.core.gate_mode import GateMode
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.audit import AuditEntry
from callgate.core.rules.backtest import BackTest, back_test
from callgate.core.rules.grant import grant
from callgate.core.rules.match import ExpressionError, parse
from callgate.core.rules.policy import Rule
from callgate.core.tool import Tool
from callgate.core.toolset import Toolset
from callgate.engine.bus import Bus
from callgate.engine.console.console import ModelChoice
from callgate.engine.console.conversation_service import Setup, Turn
from callgate.engine.gate.late_reasons import LateReasons
from callgate.engine.offer.client_tools import ClientTool
from callgate.engine.sources.questions import Questions

__all__ = [
    "NOON",
    "FakeConsole",
    "answered",
    "cancelled",
    "completed",
    "denied",
    "released",
    "reviewing",
    "running",
    "sample_conversation",
    "sample_invocation",
    "sample_tools",
    "skipped",
    "timed_out",
    "waiting",
]


@dataclass(eq=False)
class FakeConsole:
    """Implements `engine.console.Console`. `play` makes events happen: journal, summaries, waiting and bus agree."""

    tool_list: list[Tool] = field(default_factory=list)
    toolset_list: list[Toolset] = field(default_factory=list)
    client_tool_list: list[ClientTool] = field(default_factory=list)
    agent_switches: dict[str, bool | None] = field(default_factory=dict)
    model_list: list[ModelChoice] = field(default_factory=lambda: [ModelChoice("demo", "demo")])
    summaries: dict[str, ConversationSummary] = field(default_factory=dict)
    journal: dict[str, list[Event]] = field(default_factory=dict)
    waiting_calls: dict[str, Invocation] = field(default_factory=dict)
    decisions: list[tuple[str, Decision, str]] = field(default_factory=list)
    seen_ids: list[str] = field(default_factory=list)
    screen_locked: bool = False
    """Every `decide` call: invocation id, decision, initiator."""
    conversation_service: FakeConversationService = field(default_factory=FakeConversationService)
    rule_service: FakeRuleService = field(default_factory=FakeRuleService)
    stopped: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    enabled: list[tuple[str, bool]] = field(default_factory=list)
    rule_list: list[Rule] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    past: list[Invocation] = field(default_factory=list)
    """Calls that are over, newest first."""
    audited: list[AuditEntry] = field(default_factory=list)
    """Decisions, the newest first."""
    mode: GateMode = GateMode()
    back_tested: list[Rule] = field(default_factory=list)
    sub_agents: bool = False
    """Whether agents have shown sub-agents."""
    too_late: bool = False
    """True: every decision is refused."""
    unstarted: tuple[str, ...] = ()
    """Calls that wait again when a rule is taken back."""
    now: float = NOON + 100
    bus: Bus = field(default_factory=Bus)
    questions: Questions = field(init=False)
    late_reasons: LateReasons = field(init=False)
    tool_service: FakeToolService = field(default_factory=FakeToolService)
    sources: FakeSourceService = field(default_factory=FakeSourceService)
    endpoints: FakeEndpointService = field(default_factory=FakeEndpointService)
    agents: FakeAgentService = field(default_factory=FakeAgentService)
    tries: FakeTryService = field(default_factory=FakeTryService)
    _numbered: int = 0
    archive: FakeArchive = field(init=False)

    def __post_init__(self) -> None:
        self.conversation_service.journal = self.journal
        self.archive = FakeArchive(self.play, self._drop, self.now)
        self.questions = Questions(self.bus)
        self.late_reasons = LateReasons(lambda call, _, initiator: self.change(call, initiator), lambda: self.now)
        service = self.tool_service
        service.tools, service.rules, service.for_all = self.tools, self.rules, self._switch
        service.told = lambda: self.play([ToolsChanged(tuple(self.tool_list), self.now)])

    def _switch(self, names: Collection[str], enabled: bool) -> None:
        for name in names:
            self.enable_tool(name, enabled)

    def play(self, events: Iterable[Event]) -> None:
        for event in events:
            conversation = conversation_of(event)
            if conversation:
                self.journal.setdefault(conversation, []).append(event)
                summary = summarize(self.summaries.get(conversation), event)
                if summary is not None:
                    self.summaries[conversation] = summary
            if isinstance(event, InvocationChanged):
                self.waiting_calls.pop(event.invocation.id, None)
                if event.invocation.is_waiting:
                    self.waiting_calls[event.invocation.id] = event.invocation
            self.bus.publish(event)

    def change(self, invocation: Invocation, initiator: str = "engine") -> None:
        self.play([InvocationChanged(invocation, self.now, initiator)])

    def tools(self) -> tuple[Tool, ...]:
        return tuple(self.tool_list)

    def enable_source(self, source: str, enabled: bool, agent: str = "") -> None:
        for tool in [tool for tool in self.tool_list if tool.source == source]:
            self.enable_tool(tool.name, enabled, agent)

    def enable_agent(self, agent: str, enabled: bool | None) -> None:
        self.agent_switches[agent] = enabled

    def toolsets(self) -> tuple[Toolset, ...]:
        return tuple(self.toolset_list)

    def client_tools(self) -> tuple[ClientTool, ...]:
        return tuple(self.client_tool_list)

    def enable_tool(self, name: str, enabled: bool, agent: str = "") -> None:
        self.enabled.append((name, enabled))
        self.tool_list = [replace(t, enabled=enabled) if t.name == name else t for t in self.tool_list]
        self.play([ToolsChanged(tuple(self.tool_list), self.now)])

    def models(self) -> tuple[ModelChoice, ...]:
        return tuple(self.model_list)

    async def conversations(self) -> Sequence[ConversationSummary]:
        return sorted(self.summaries.values(), key=lambda summary: -summary.updated_at)

    async def events(self, conversation_id: str) -> Sequence[Event]:
        return tuple(self.journal.get(conversation_id, ()))

    async def recent_exchanges(self, limit: int, before: float | None = None) -> Sequence[Event]:
        everything = [event for events in self.journal.values() for event in events]
        starts = [event for event in everything if isinstance(event, ExchangeStarted)]
        page = [event for event in starts if before is None or event.at < before]
        latest = sorted(page, key=lambda event: event.at)[-limit:]
        return [
            event
            for start in latest
            for event in everything
            if isinstance(event, _TRAFFIC) and _exchange_of(event) == start.exchange_id
        ]

    def waiting(self) -> tuple[Invocation, ...]:
        return tuple(sorted(self.waiting_calls.values(), key=lambda invocation: invocation.started))

    def has_sub_agents(self, invocation: Invocation) -> bool:
        return self.sub_agents and not invocation.sub_agent

    def seen(self, invocation_id: str) -> None:
        self.seen_ids.append(invocation_id)

    def set_screen_locked(self, locked: bool) -> None:
        self.screen_locked = locked

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        self.decisions.append((invocation_id, decision, initiator))
        invocation = self.waiting_calls.get(invocation_id)
        if self.too_late or invocation is None:
            return False
        if decision.shown and decision.shown != shown_hash(invocation):
            return False
        self.change(advance(invocation, _step(invocation, decision), self.now), initiator)
        if decision.scope != "once" and decision.verb in ("approve", "deny"):
            self.add_rule(grant(invocation, decision), decision.scope)
        return True

    @property
    def gate_mode(self) -> GateMode:
        return self.mode.at(self.now)

    def set_gate_mode(self, mode: GateMode) -> None:
        self.mode = mode
        self.play([GateChanged(mode, self.now)])

    def rules(self) -> tuple[Rule, ...]:
        return tuple(self.rule_list)

    def rule_faults(self) -> tuple[str, ...]:
        return tuple(self.faults)

    def add_rule(self, rule: Rule, scope: Scope) -> Rule:
        try:
            parse(rule.when)
        except ExpressionError as bad:
            raise UserFault(bad.pointed()) from bad
        self._numbered += 1
        fresh = replace(rule, id=f"rule_{self._numbered}", origin=scope)
        self._set_rules([*self.rule_list, fresh])
        return fresh

    def remove_rule(self, rule_id: str) -> bool:
        found = [rule for rule in self.rule_list if rule.id == rule_id]
        if found and found[0].origin == "config":
            raise UserFault(f"The rule “{found[0]}” is part of the configuration file: remove it there.")
        self._set_rules([rule for rule in self.rule_list if rule.id != rule_id])
        return bool(found)

    def covers(self, rule: Rule, invocation_id: str) -> bool:
        one = self.waiting_calls.get(invocation_id)
        return one is not None and back_test(rule, [one], self.now).matched == (one,)

    def take_back(self, rule_id: str) -> tuple[str, ...]:
        self.remove_rule(rule_id)
        return self.unstarted

    def reset_rules(self) -> None:
        self._set_rules([rule for rule in self.rule_list if rule.origin == "config"])

    def _set_rules(self, rules: list[Rule]) -> None:
        self.rule_list = rules
        self.play([RulesChanged(tuple(rules), self.now)])

    async def past_invocations(self, limit: int = 1000) -> Sequence[Invocation]:
        return tuple(self.past[:limit])

    async def back_test(self, rule: Rule) -> BackTest:
        self.back_tested.append(rule)
        return back_test(rule, self.past, self.now)

    async def audit(self, limit: int = 500, before: int | None = None) -> Sequence[AuditEntry]:
        older = [entry for entry in self.audited if before is None or entry.sequence < before]
        return tuple(older[:limit])

    @property
    def statistics(self) -> FakeStatisticsService:
        return FakeStatisticsService(self.journal)

    @property
    def wire_service(self) -> FakeWireService:
        return FakeWireService(self.journal)

    async def wire(self, exchange_id: str) -> Sequence[WireCaptured]:
        captured = (event for events in self.journal.values() for event in events if isinstance(event, WireCaptured))
        return tuple(event for event in captured if event.exchange_id == exchange_id)

    def rule_preview(self, invocation_id: str, decision: Decision) -> str:
        invocation = self.waiting_calls.get(invocation_id)
        return "" if decision.scope == "once" or invocation is None else str(grant(invocation, decision))

    async def send(self, text: str, *, model: str, conversation_id: str = "", use_tools: bool = True) -> None:
        await self.conversation_service.send(Turn(text, Setup(model, use_tools=use_tools), conversation_id))

    @property
    def sent(self) -> list[tuple[str, str, str, bool]]:
        """Everything that was said: text, model, conversation id, use_tools."""
        return self.conversation_service.sent

    def stop(self, conversation_id: str) -> None:
        self.stopped.append(conversation_id)

    async def forget(self, conversation_id: str) -> None:
        self._drop(conversation_id)

    def _drop(self, conversation_id: str) -> None:
        self.forgotten.append(conversation_id)
        self.summaries.pop(conversation_id, None)
        self.journal.pop(conversation_id, None)


_TRAFFIC = (ExchangeStarted, RoundStarted, RoundEnded, ExchangeEnded, InvocationChanged)


def _exchange_of(event: ExchangeStarted | RoundStarted | RoundEnded | ExchangeEnded | InvocationChanged) -> str:
    return event.invocation.exchange_id if isinstance(event, InvocationChanged) else event.exchange_id


def _step(invocation: Invocation, decision: Decision) -> Step:
    def told(text: str, error: bool = False) -> ToolResult:
        return ToolResult(invocation.call_id, (Text(text),), is_error=error)

    if invocation.state == "WaitingForPostApproval":
        kept = invocation.ran_result or told("")
        return Review(kept if decision.verb == "accept" else told(decision.result or "withheld"), decision.reason)
    match decision.verb:
        case "approve":
            return Allow(
                "UserAction",
                decision.by,
                arguments=decision.arguments,
                explanation=decision.reason,
                scope=decision.scope,
            )
        case "deny":
            text = denied_text(invocation.tool, decision.reason, "the user")
            return Settle(told(text, error=True), "Denied", decision.by, explanation=decision.reason)
        case "answer":
            return Settle(told(decision.result), "UserAction", decision.by)
        case "skip":
            return Settle(told(skipped_text(invocation.tool)), "Skipped", decision.by)
        case _:
            return Return(told(decision.result))
