"""The console of a running engine."""

import time
from collections.abc import Sequence

from callgate.core.calls.invocation import Decision, Invocation, Scope
from callgate.core.conversation import ConversationSummary
from callgate.core.errors import UserFault
from callgate.core.events import Event, WireCaptured
from callgate.core.gate_mode import GateMode
from callgate.core.rules.audit import AuditEntry
from callgate.core.rules.backtest import BackTest, back_test
from callgate.core.rules.match import ExpressionError, parse
from callgate.core.rules.policy import Rule
from callgate.core.tool import Tool
from callgate.core.toolset import Toolset
from callgate.engine.bus import Bus
from callgate.engine.console.agent_service import AgentService
from callgate.engine.console.archive import Archive
from callgate.engine.console.console import ModelChoice
from callgate.engine.console.conversation_service import Setup, Turn
from callgate.engine.console.conversation_setups import ConversationSetups
from callgate.engine.console.live_conversation_service import LiveConversationService
from callgate.engine.console.rule_service import RuleService
from callgate.engine.console.statistics_service import StatisticsService
from callgate.engine.console.wire_service import LiveWireService, WireService
from callgate.engine.endpoints.endpoint_service import EndpointService
from callgate.engine.endpoints.model_list import ModelList
from callgate.engine.exchange.direct_call import DirectCalls
from callgate.engine.exchange.exchanges import Exchanges
from callgate.engine.exchange.history import History
from callgate.engine.exchange.replies import Replies
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.late_reasons import LateReasons
from callgate.engine.gate.sub_agents import SubAgents
from callgate.engine.offer.client_tools import ClientTool, ClientTools
from callgate.engine.offer.offering import Offering
from callgate.engine.offer.tool_service import ToolService
from callgate.engine.offer.trial_service import TryService
from callgate.engine.sources.questions import Questions, QuestionService
from callgate.engine.sources.source_service import SourceService
from callgate.store.journal import Journal
from callgate.store.rulebook import Rulebook
from callgate.tools.catalog import Catalog
from callgate.tools.memory import Forgetful, Memory
from callgate.wire.registry import CODECS

BACK_TESTED = 5000
"""How many past calls a rule is tried on; the latest say most."""


class LiveConsole:
    def __init__(
        self,
        bus: Bus,
        gate: Gate,
        catalog: Catalog,
        exchanges: Exchanges,
        direct: DirectCalls,
        history: History,
        replies: Replies,
        journal: Journal,
        rulebook: Rulebook,
        models: ModelList,
        offering: Offering,
        client_tools: ClientTools,
        rule_service: RuleService,
        tool_service: ToolService,
        sources: SourceService,
        endpoints: EndpointService,
        tries: TryService,
        setups: Memory | None = None,
        questions: Questions | None = None,
        *,
        agents: AgentService,
    ) -> None:
        self.bus = bus
        self.rule_service = rule_service
        self.tool_service = tool_service
        self.sources = sources
        self.endpoints = endpoints
        self.tries = tries
        self.agents = agents
        self.questions: QuestionService = questions or Questions(bus)
        self.archive = Archive(journal.shelf, bus, self.forget)
        self._sub_agents = SubAgents(bus)
        self._gate = gate
        self._screen_locked = False
        self._catalog = catalog
        self._exchanges = exchanges
        self._direct = direct
        self._history = history
        self._replies = replies
        self._journal = journal
        self._rulebook = rulebook
        self._models = models
        self._offering = offering
        self._client_tools = client_tools
        self.conversation_service = LiveConversationService(
            gate,
            catalog,
            client_tools,
            exchanges,
            journal,
            rulebook,
            offering,
            ConversationSetups(setups or Forgetful()),
        )
        self.wire_service: WireService = LiveWireService(CODECS, journal, catalog)
        self.statistics: StatisticsService = journal.statistics

    def tools(self) -> tuple[Tool, ...]:
        return self._catalog.tools()

    def enable_tool(self, name: str, enabled: bool, agent: str = "") -> None:
        self._catalog.enable(name, enabled, agent)

    def enable_source(self, source: str, enabled: bool, agent: str = "") -> None:
        self._catalog.enable_source(source, enabled, agent)

    def enable_agent(self, agent: str, enabled: bool | None) -> None:
        self._catalog.enable_agent(agent, enabled)

    def toolsets(self) -> tuple[Toolset, ...]:
        return self._offering.toolsets()

    def client_tools(self) -> tuple[ClientTool, ...]:
        return self._client_tools.tools()

    def models(self) -> tuple[ModelChoice, ...]:
        return tuple(ModelChoice(entry.id, entry.endpoint) for entry in self._models.known())

    async def conversations(self) -> Sequence[ConversationSummary]:
        leaving = self.archive.leaving
        return [summary for summary in await self._journal.conversations() if summary.id not in leaving]

    async def events(self, conversation_id: str) -> Sequence[Event]:
        return await self._journal.events(conversation_id)

    async def recent_exchanges(self, limit: int, before: float | None = None) -> Sequence[Event]:
        return await self._journal.recent_exchanges(limit, before)

    def waiting(self) -> tuple[Invocation, ...]:
        return self._gate.waiting()

    def seen(self, invocation_id: str) -> None:
        if not self._screen_locked:
            self._gate.seen(invocation_id)

    def set_screen_locked(self, locked: bool) -> None:
        self._screen_locked = locked

    @property
    def late_reasons(self) -> LateReasons:
        return self._gate.late_reasons

    def has_sub_agents(self, invocation: Invocation) -> bool:
        return self._sub_agents.known_of(invocation)

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        return self._gate.decide(invocation_id, decision, initiator)

    @property
    def gate_mode(self) -> GateMode:
        return self._gate.mode

    def set_gate_mode(self, mode: GateMode) -> None:
        self._gate.set_mode(mode)

    def rules(self) -> tuple[Rule, ...]:
        return self._rulebook.rules()

    def rule_faults(self) -> tuple[str, ...]:
        return self._rulebook.faults()

    def add_rule(self, rule: Rule, scope: Scope) -> Rule:
        try:
            parse(rule.when)
        except ExpressionError as bad:
            raise UserFault(bad.pointed()) from bad
        if scope == "once":
            raise UserFault("A rule that holds only once is a decision, not a rule.")
        return self._rulebook.add(rule, scope)

    def remove_rule(self, rule_id: str) -> bool:
        return self._rulebook.remove(rule_id)

    def covers(self, rule: Rule, invocation_id: str) -> bool:
        return self._gate.covers(rule, invocation_id)

    def take_back(self, rule_id: str) -> tuple[str, ...]:
        unstarted = self._gate.unstarted.resting_on(rule_id)
        self._rulebook.remove(rule_id)
        foreseen = ((call, self._gate.foresee(call, call.effective_arguments)[1]) for call in unstarted)
        return tuple(call.id for call, kind in foreseen if kind == "ask")

    def reset_rules(self) -> None:
        self._rulebook.reset()

    async def past_invocations(self, limit: int = 1000) -> Sequence[Invocation]:
        return await self._journal.invocations(limit)

    async def back_test(self, rule: Rule) -> BackTest:
        return back_test(rule, await self._journal.invocations(BACK_TESTED), time.time())

    async def audit(self, limit: int = 500, before: int | None = None) -> Sequence[AuditEntry]:
        return await self._journal.audit(limit, before)

    async def wire(self, exchange_id: str) -> Sequence[WireCaptured]:
        return await self._journal.wire(exchange_id)

    def rule_preview(self, invocation_id: str, decision: Decision) -> str:
        if decision.scope == "once":
            return ""
        for invocation in self._gate.waiting():
            if invocation.id == invocation_id:
                return str(self._gate.grant(invocation, decision))
        return ""

    async def send(self, text: str, *, model: str, conversation_id: str = "", use_tools: bool = True) -> None:
        await self.conversation_service.send(Turn(text, Setup(model, use_tools=use_tools), conversation_id))

    def stop(self, conversation_id: str) -> None:
        self._exchanges.stop_conversation(conversation_id, "person", "stopped by the person")
        self._direct.stop_conversation(conversation_id, "person", "stopped by the person")

    async def forget(self, conversation_id: str) -> None:
        self.stop(conversation_id)
        self._history.forget(conversation_id)
        self._replies.forget(conversation_id)
        self.conversation_service.forget(conversation_id)
        self._rulebook.forget(conversation_id)
        await self._journal.forget(conversation_id)
