"""Agents and their tokens, as the window shows and changes them. Part of the console; `AgentsChanged` says when to look
again.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from callgate.core.calls.invocation import Decider
from callgate.core.errors import UserFault
from callgate.core.events import AgentsChanged
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.store.files.agent_tokens import AgentToken, AgentTokens

log = logging.getLogger(__name__)

_REVOKED = "the agent's token was revoked"


@dataclass(frozen=True, slots=True)
class TokenView:
    id: str
    name: str
    """Of the agent."""
    created: float
    last_used: float | None = None


class AgentService(Protocol):
    def tokens(self) -> tuple[TokenView, ...]:
        """Those that are valid, by the agents' names."""
        ...

    @property
    def problem(self) -> str:
        """Why the tokens can't be read; empty = they can."""
        ...

    def is_registered(self, name: str) -> bool:
        """Whether an agent of this name has a token."""
        ...

    def add(self, name: str) -> str:
        """Makes a token and returns it, this once. Raises `UserFault`."""
        ...

    def revoke(self, token_id: str) -> None:
        """It is refused from now on, and what came with it is stopped. Raises `UserFault`."""
        ...


class LiveAgentService:
    def __init__(self, tokens: AgentTokens, bus: Bus, tasks: Tasks, clock: Callable[[], float] = time.time) -> None:
        self._tokens = tokens
        self._bus = bus
        self._tasks = tasks
        self._clock = clock
        self._seen = tokens.tokens()
        self._stops: list[Callable[[str, Decider, str], None]] = []

    def on_revoked(self, *stops: Callable[[str, Decider, str], None]) -> None:
        """Each ends what came with the token of an id."""
        self._stops.extend(stops)

    def find(self, token: str) -> AgentToken | None:
        """Whose token came with a request; None = it is not valid."""
        found = self._tokens.find(token)
        if self._tokens.tokens() is not self._seen:
            self.look()
        if found is not None:
            self._tokens.used(found.id)
            if self._tokens.use_is_due:
                self._tasks.start(self._save_aside(), "keeping when tokens were used")
        return found

    def tokens(self) -> tuple[TokenView, ...]:
        views = (
            TokenView(token.id, token.name, token.created, self._tokens.last_used(token.id))
            for token in self._tokens.tokens()
        )
        return tuple(sorted(views, key=lambda view: (view.name.casefold(), view.created)))

    @property
    def problem(self) -> str:
        return self._tokens.problem

    def is_registered(self, name: str) -> bool:
        return any(token.name == name for token in self._seen)

    def add(self, name: str) -> str:
        text = self._tokens.add(name.strip())[1]
        self.look()
        return text

    def revoke(self, token_id: str) -> None:
        self._tokens.revoke(token_id)
        self.look()

    def look(self) -> None:
        """Acts on what has changed in the file, here or from outside."""
        before, self._seen = self._seen, self._tokens.tokens()
        if before == self._seen:
            return
        kept = {token.id for token in self._seen}
        for token in before:
            if token.id not in kept:
                for stop in self._stops:
                    stop(token.id, "person", _REVOKED)
        self._bus.publish(AgentsChanged(tuple(sorted({token.name for token in self._seen})), self._clock()))

    async def reread(self) -> None:
        """For the file watch: a token that is revoked in another process ends what runs with it."""
        self.look()

    def close(self) -> None:
        """Keeps when the tokens were last used."""
        self._save_use()

    async def _save_aside(self) -> None:
        await asyncio.to_thread(self._save_use)

    def _save_use(self) -> None:
        try:
            self._tokens.save_use()
        except UserFault as problem:
            log.warning("when tokens were last used is not kept: %s", problem)
