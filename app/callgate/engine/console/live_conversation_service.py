"""The conversation desk of a running engine."""

from dataclasses import replace

from callgate.core.calls.argument_check import ArgumentCheck, Complaint
from callgate.core.calls.invocation import Invocation
from callgate.core.deltas import Failed
from callgate.core.errors import CallgateError, UserFault
from callgate.core.json.partial import Sketch
from callgate.core.messages import Message, Text
from callgate.core.request import ChatRequest, GateOptions
from callgate.core.rules.policy import Policy
from callgate.core.tool import CLIENT_SOURCE, Schema, ToolSpec
from callgate.engine.console.conversation_service import Setup, Story, Turn
from callgate.engine.console.conversation_setups import ConversationSetups
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchange import Exchange
from callgate.engine.exchange.exchanges import Exchanges
from callgate.engine.exchange.visible_history import visible_messages, with_system
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.verdict_preview import Foreseer, VerdictPreview
from callgate.engine.offer.client_tools import ClientTools
from callgate.engine.offer.offer import named_in
from callgate.engine.offer.offering import Offering
from callgate.export.imported import is_imported
from callgate.store.journal import Journal
from callgate.store.rulebook import Rulebook
from callgate.tools.catalog import Catalog

PERSON = "callgate"
"""The agent under which the person's own messages run."""
MOST_CHECKS = 64
"""Schemas that are kept compiled: those of calls on screen."""


class LiveConversationService:
    def __init__(
        self,
        gate: Gate,
        catalog: Catalog,
        client_tools: ClientTools,
        exchanges: Exchanges,
        journal: Journal,
        rulebook: Rulebook,
        offering: Offering,
        setups: ConversationSetups,
    ) -> None:
        self._catalog = catalog
        self._client_tools = client_tools
        self._exchanges = exchanges
        self._journal = journal
        self._offering = offering
        self._setups = setups
        self._foreseer = Foreseer(gate, Policy(rulebook.rules()))
        self._rulebook = rulebook
        self._checks: dict[str, ArgumentCheck] = {}
        rulebook.on_change(self._rules_changed)

    async def story(self, conversation_id: str, last: int = 0) -> Story:
        events, whole = await self._journal.story(conversation_id, last)
        return Story(events, whole)

    async def send(self, turn: Turn) -> None:
        if not turn.text.strip() and not turn.enclosed:
            raise UserFault("There is nothing to send.")
        if is_imported(turn.conversation_id):
            raise UserFault("This conversation came from a file and is only for reading; start a new one to go on.")
        earlier: tuple[Message, ...] = ()
        if turn.conversation_id:
            earlier = visible_messages(await self._journal.events(turn.conversation_id), turn.after)
        said = (Text(turn.text),) if turn.text.strip() else ()
        messages = (*earlier, Message("user", (*turn.enclosed, *said)))
        setup = self._still_there(turn.setup)
        request = ChatRequest(
            "openai-chat",
            setup.model,
            with_system(messages, setup.system),
            stream=True,
            gate=GateOptions(setup.use_tools, "auto", conversation=turn.conversation_id, tools=setup.tools),
        )
        exchange = self._exchanges.start(
            Arrival(request, PERSON, agent_proven=True), named_in(turn.text, self._catalog.offered(PERSON))
        )
        self.keep_setup(exchange.conversation_id, turn.setup)
        try:
            await _failures(exchange)
        except CallgateError:
            if not exchange.stopped_by_person:
                raise

    def setup(self, conversation_id: str) -> Setup | None:
        return self._setups.get(conversation_id)

    def keep_setup(self, conversation_id: str, setup: Setup) -> None:
        self._setups.keep(conversation_id, setup)

    def forget(self, conversation_id: str) -> None:
        self._setups.forget(conversation_id)

    def foresee(self, invocation: Invocation, sketch: Sketch | None) -> VerdictPreview:
        return self._foreseer.foresee(invocation, sketch)

    def complaints(self, invocation: Invocation, sketch: Sketch) -> tuple[Complaint, ...]:
        found = self._schema(invocation)
        return () if found is None else self._check(*found).complaints(sketch)

    def _schema(self, invocation: Invocation) -> tuple[str, Schema] | None:
        """A schema with a key that changes with it; None = the tool is not known, or takes no JSON."""
        if invocation.source != CLIENT_SOURCE:
            known = self._catalog.get(invocation.tool)
            ours = known is not None and known.source == invocation.source
            return (known.fingerprint, known.schema) if known is not None and ours else None
        spec = self._client_tools.version(invocation.conversation_id, invocation.tool, invocation.fingerprint)
        brought = self._client_tools.find(invocation.agent, invocation.tool)
        spec = spec or (brought.tool if brought is not None else None)
        if isinstance(spec, ToolSpec) and spec.schema is not None and spec.variant == "function":
            return spec.fingerprint, spec.schema
        return None

    def _check(self, key: str, schema: Schema) -> ArgumentCheck:
        if key not in self._checks:
            while len(self._checks) >= MOST_CHECKS:
                del self._checks[next(iter(self._checks))]
            self._checks[key] = ArgumentCheck(schema)
        return self._checks[key]

    def _still_there(self, setup: Setup) -> Setup:
        """Without chosen tools that have gone: they must not stop a message, nor turn “some” into “all”."""
        if not setup.tools:
            return setup
        known = {tool.name for tool in self._catalog.tools()} | {one.name for one in self._offering.toolsets()}
        left = tuple(name for name in setup.tools if name in known)
        return replace(setup, tools=left, use_tools=setup.use_tools and bool(left))

    def _rules_changed(self) -> None:
        self._foreseer.policy = Policy(self._rulebook.rules())


async def _failures(exchange: Exchange) -> None:
    """Returns at the end of a good answer; raises what it failed with."""
    reader = exchange.outbox.reader()
    while (pieces := await reader.read()) is not None:
        for delta in (delta for piece in pieces for delta in piece.deltas):
            if isinstance(delta, Failed):
                raise UserFault(delta.fault.message)
