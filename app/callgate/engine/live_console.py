"""The console of a running engine."""

from collections.abc import Sequence

from callgate.core.conversation import ConversationSummary
from callgate.core.deltas import Failed
from callgate.core.errors import UserFault
from callgate.core.events import Event
from callgate.core.invocation import Decision, Invocation
from callgate.core.messages import Message, say
from callgate.core.request import ChatRequest, GateOptions
from callgate.core.tool import Tool
from callgate.engine.arrival import Arrival
from callgate.engine.bus import Bus
from callgate.engine.console import ModelChoice
from callgate.engine.exchanges import Exchanges
from callgate.engine.gate import Gate
from callgate.engine.history import History
from callgate.engine.model_list import ModelList
from callgate.engine.past import visible_messages
from callgate.engine.replies import Replies
from callgate.store.journal import Journal
from callgate.tools.catalog import Catalog

PERSON = "callgate"
"""The agent under which the person's own messages run."""


class LiveConsole:
    def __init__(
        self,
        bus: Bus,
        gate: Gate,
        catalog: Catalog,
        exchanges: Exchanges,
        history: History,
        replies: Replies,
        journal: Journal,
        models: ModelList,
    ) -> None:
        self.bus = bus
        self._gate = gate
        self._catalog = catalog
        self._exchanges = exchanges
        self._history = history
        self._replies = replies
        self._journal = journal
        self._models = models

    def tools(self) -> tuple[Tool, ...]:
        return self._catalog.tools()

    def enable_tool(self, name: str, enabled: bool) -> None:
        self._catalog.enable(name, enabled)

    def models(self) -> tuple[ModelChoice, ...]:
        return tuple(ModelChoice(entry.id, entry.endpoint) for entry in self._models.known())

    async def conversations(self) -> Sequence[ConversationSummary]:
        return await self._journal.conversations()

    async def events(self, conversation_id: str) -> Sequence[Event]:
        return await self._journal.events(conversation_id)

    def waiting(self) -> tuple[Invocation, ...]:
        return self._gate.waiting()

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        return self._gate.decide(invocation_id, decision, initiator)

    def rule_preview(self, invocation_id: str, decision: Decision) -> str:
        if decision.scope == "once":
            return ""
        for invocation in self._gate.waiting():
            if invocation.id == invocation_id:
                return str(self._gate.grant(invocation, decision))
        return ""

    async def send(self, text: str, *, model: str, conversation_id: str = "", use_tools: bool = True) -> None:
        if not text.strip():
            raise UserFault("There is nothing to send.")
        earlier: tuple[Message, ...] = ()
        if conversation_id:
            earlier = visible_messages(await self._journal.events(conversation_id))
        request = ChatRequest(
            "openai-chat",
            model,
            (*earlier, say("user", text)),
            stream=True,
            gate=GateOptions(use_tools, "auto", conversation=conversation_id),
        )
        exchange = self._exchanges.start(Arrival(request, PERSON))
        reader = exchange.outbox.reader()
        while (pieces := await reader.read()) is not None:
            for delta in (delta for piece in pieces for delta in piece.deltas):
                if isinstance(delta, Failed):
                    raise UserFault(delta.fault.message)

    def stop(self, conversation_id: str) -> None:
        self._exchanges.stop_conversation(conversation_id, "person", "stopped by the person")

    async def forget(self, conversation_id: str) -> None:
        self.stop(conversation_id)
        self._history.forget(conversation_id)
        self._replies.forget(conversation_id)
        await self._journal.forget(conversation_id)
