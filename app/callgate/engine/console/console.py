"""Everything the person can see and do, in one place: what `ui` and the terminal prompt are handed.

This is the only part of the engine that a front end for people talks to. Programs come in through `proxy` and have
no way to reach `decide`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from callgate.core.calls.invocation import Decision, Invocation, Scope
from callgate.core.conversation import ConversationSummary
from callgate.core.events import Event, WireCaptured
from callgate.core.gate_mode import GateMode
from callgate.core.rules.audit import AuditEntry
from callgate.core.rules.backtest import BackTest
from callgate.core.rules.policy import Rule
from callgate.core.tool import Tool
from callgate.core.toolset import Toolset
from callgate.engine.bus import Bus
from callgate.engine.console.agent_service import AgentService
from callgate.engine.console.archive import ArchiveService
from callgate.engine.console.conversation_service import ConversationService
from callgate.engine.console.rule_service import RuleService
from callgate.engine.console.statistics_service import StatisticsService
from callgate.engine.console.wire_service import WireService
from callgate.engine.endpoints.endpoint_service import EndpointService
from callgate.engine.gate.late_reasons import LateReasons
from callgate.engine.offer.client_tools import ClientTool
from callgate.engine.offer.tool_service import ToolService
from callgate.engine.offer.trial_service import TryService
from callgate.engine.sources.questions import QuestionService
from callgate.engine.sources.source_service import SourceService


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that can be talked to; `id` is what goes into a request."""

    id: str
    endpoint: str


class Console(Protocol):
    """What a front end for people may ask of the engine; all of it on the loop's own thread."""

    @property
    def bus(self) -> Bus: ...

    @property
    def archive(self) -> ArchiveService:
        """Everything that is kept: search, names and tags, deleting, export and import."""
        ...

    @property
    def conversation_service(self) -> ConversationService:
        """What the conversation view and the composer need beside this."""
        ...

    @property
    def statistics(self) -> StatisticsService:
        """How much of what happened, over any stretch of time."""
        ...

    @property
    def wire_service(self) -> WireService:
        """What captured bytes mean, and what became of the tools of a round."""
        ...

    @property
    def tool_service(self) -> ToolService:
        """Who may have which tools, how they are used and how they have changed."""
        ...

    @property
    def sources(self) -> SourceService:
        """Where tools come from: the list, their lives, and new ones."""
        ...

    @property
    def endpoints(self) -> EndpointService:
        """Who answers: the list, their keys, and new ones."""
        ...

    @property
    def agents(self) -> AgentService:
        """Agents and the tokens that prove their names."""
        ...

    @property
    def tries(self) -> TryService:
        """Calls that the person makes to try a tool, and examples to keep."""
        ...

    @property
    def questions(self) -> QuestionService:
        """What sources of tools ask of the person."""
        ...

    @property
    def rule_service(self) -> RuleService:
        """What became of grants and refused calls; rules in and out."""
        ...

    def tools(self) -> tuple[Tool, ...]:
        """Every tool of the catalog, enabled or not; `ToolsChanged` says when to ask again."""
        ...

    def enable_tool(self, name: str, enabled: bool, agent: str = "") -> None:
        """For every agent, or for one; what is said for one wins. Remembered between runs."""
        ...

    def enable_source(self, source: str, enabled: bool, agent: str = "") -> None:
        """All tools of a source, also those that it will offer later."""
        ...

    def enable_agent(self, agent: str, enabled: bool | None) -> None:
        """False: it is never offered tools of the catalog; True: always, also unasked; None: where it asks for them."""
        ...

    def toolsets(self) -> tuple[Toolset, ...]:
        """What can be named with `#` beside single tools."""
        ...

    def client_tools(self) -> tuple[ClientTool, ...]:
        """What agents brought along themselves, by agent."""
        ...

    def models(self) -> tuple[ModelChoice, ...]: ...

    async def conversations(self) -> Sequence[ConversationSummary]:
        """All that are remembered, newest first."""
        ...

    async def events(self, conversation_id: str) -> Sequence[Event]:
        """All that happened in a conversation, in order, up to now."""
        ...

    async def recent_exchanges(self, limit: int, before: float | None = None) -> Sequence[Event]:
        """What happened in the exchanges that started last, oldest first, deltas left out.

        `before`: only those that started before that time, for the next page.
        """
        ...

    def waiting(self) -> tuple[Invocation, ...]:
        """Calls that wait for a person, oldest first."""
        ...

    def seen(self, invocation_id: str) -> None:
        """A waiting call is on a person's screen: from the first time on, its deadline may run out. Decides nothing."""
        ...

    def set_screen_locked(self, locked: bool) -> None:
        """While the person's screen is locked, nothing on it is seen."""
        ...

    @property
    def late_reasons(self) -> LateReasons:
        """Denials that may still get their reason."""
        ...

    def has_sub_agents(self, invocation: Invocation) -> bool:
        """Whether the agent of a call has shown sub-agents, and the call is its own."""
        ...

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        """False: too late, somebody or something else has decided, or the text shown was not this call's."""
        ...

    @property
    def gate_mode(self) -> GateMode: ...

    def set_gate_mode(self, mode: GateMode) -> None:
        """`GateChanged` tells everyone."""
        ...

    def rules(self) -> tuple[Rule, ...]:
        """All that count now; `RulesChanged` says when to ask again."""
        ...

    def rule_faults(self) -> tuple[str, ...]:
        """What is wrong with the rules, in words."""
        ...

    def add_rule(self, rule: Rule, scope: Scope) -> Rule:
        """Raises `UserFault` with the place of the mistake where the expression can't be read."""
        ...

    def remove_rule(self, rule_id: str) -> bool:
        """False: there is none, or it stands in the configuration file, which is not ours to change."""
        ...

    def covers(self, rule: Rule, invocation_id: str) -> bool:
        """Whether a rule alone, saved or not, would allow a call that waits."""
        ...

    def take_back(self, rule_id: str) -> tuple[str, ...]:
        """Removes a granted rule, and with it what it has allowed and what has not started yet.

        Returns the ids of those calls that wait for a decision again; what has started goes on."""
        ...

    def reset_rules(self) -> None:
        """Forgets every grant ever made, of all scopes; rules of the configuration stay."""
        ...

    async def past_invocations(self, limit: int = 1000) -> Sequence[Invocation]:
        """Calls that are over, newest first."""
        ...

    async def back_test(self, rule: Rule) -> BackTest:
        """What a rule would have done to past calls."""
        ...

    async def audit(self, limit: int = 500, before: int | None = None) -> Sequence[AuditEntry]:
        """Decisions, the newest first; `before` = only those with a smaller sequence, for the next page."""
        ...

    async def wire(self, exchange_id: str) -> Sequence[WireCaptured]:
        """Every byte of an exchange, in order."""
        ...

    def rule_preview(self, invocation_id: str, decision: Decision) -> str:
        """The exact rule that a decision with this scope will save; empty for `once`."""
        ...

    async def send(self, text: str, *, model: str, conversation_id: str = "", use_tools: bool = True) -> None:
        """Says something to a model as the agent `callgate`, and lives until the answer is complete."""
        ...

    def stop(self, conversation_id: str) -> None:
        """Stops whatever runs in a conversation."""
        ...

    async def forget(self, conversation_id: str) -> None:
        """Deletes a conversation for good."""
        ...
