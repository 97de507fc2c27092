"""Which agents have shown sub-agents since the program started. Decides nothing: it says what is worth offering."""

from callgate.core.agent import identity
from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, ExchangeStarted
from callgate.engine.bus import Bus

MOST_AGENTS = 1_000
"""Names come from outside."""


class SubAgents:
    def __init__(self, bus: Bus) -> None:
        self._agents: dict[str, None] = {}
        bus.subscribe(self._hear)

    def known_of(self, invocation: Invocation) -> bool:
        """Whether the call's agent has sub-agents, and the call is its own."""
        return not invocation.sub_agent and identity(invocation.agent, invocation.agent_proven) in self._agents

    def _hear(self, event: Event) -> None:
        if isinstance(event, ExchangeStarted) and event.sub_agent:
            self._agents[identity(event.agent, event.agent_proven)] = None
            while len(self._agents) > MOST_AGENTS:
                del self._agents[next(iter(self._agents))]
