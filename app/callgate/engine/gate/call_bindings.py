"""What each live call is bound to, and how that differs from what its model was offered or its person was shown."""

from collections.abc import Callable

from callgate.core.calls.binding import Binding, BindingChange, BoundTool, Moment, change_between, executor
from callgate.core.calls.invocation import Invocation
from callgate.engine.gate.gate_ports import Bindings
from callgate.engine.offer.client_tools import ClientTools


class CallBindings:
    """Of the calls that are live: what they were first offered or shown as."""

    def __init__(self, tools: Bindings) -> None:
        self._tools = tools
        self._first: dict[str, BoundTool] = {}

    def begin(self, invocation: Invocation, offered: BoundTool | None) -> None:
        if offered is not None:
            self._first[invocation.id] = offered

    def end(self, invocation_id: str) -> None:
        self._first.pop(invocation_id, None)

    def look(self, invocation: Invocation, since: Moment) -> tuple[Binding | None, BindingChange | None]:
        """What the call is bound to as of now (None = its tool has gone), and what is different."""
        now = self._tools.now(invocation)
        if invocation.owner == "client":
            since = "conversation"
            first = self._tools.earlier(invocation)
        else:
            first = self._known(invocation.id, now)
        change = None if first is None else change_between(first, now, since)
        return (None if now is None else now.binding), change

    def is_current(self, invocation: Invocation) -> bool:
        """Whether what was shown or judged is still what would run."""
        now = self._tools.now(invocation)
        if now is None:
            return invocation.is_gone
        return not invocation.is_gone and now.binding == invocation.binding

    def _known(self, invocation_id: str, now: BoundTool | None) -> BoundTool | None:
        """Of what a model was offered only the definition is known; what would run it is first seen here."""
        first = self._first.get(invocation_id)
        if now is not None and (first is None or not first.binding.executor):
            offered = now if first is None else first
            binding = Binding(
                offered.binding.definition, now.binding.executor, now.binding.shown_lines, now.binding.source
            )
            self._first[invocation_id] = BoundTool(binding, offered.definition)
        return self._first.get(invocation_id) or BoundTool(Binding(""))


class ToolBindings:
    """Implements `Bindings` for the tools that Callgate runs and for those that clients bring along."""

    def __init__(self, here: Callable[[Invocation], BoundTool | None], client_tools: ClientTools) -> None:
        """`here`: the tools that Callgate runs."""
        self._here = here
        self._client_tools = client_tools

    def now(self, invocation: Invocation) -> BoundTool | None:
        if invocation.owner == "gate":
            return self._here(invocation)
        known = self._client_tools.version(invocation.conversation_id, invocation.tool, invocation.fingerprint)
        by = executor("client", (f"Run by {invocation.agent or 'the agent'} itself",), agent=invocation.agent)
        binding = Binding(invocation.fingerprint, by.digest, by.shown_lines, invocation.source)
        return BoundTool(binding, {} if known is None else known.definition)

    def earlier(self, invocation: Invocation) -> BoundTool | None:
        if invocation.owner == "gate":
            return None
        spec = self._client_tools.earlier(invocation.conversation_id, invocation.tool, invocation.fingerprint)
        return None if spec is None else BoundTool(Binding(spec.fingerprint), spec.definition)
