"""The models of all endpoints: what the configuration names at once, and what providers list when asked."""

import asyncio
from dataclasses import dataclass

from callgate.core.errors import UserFault
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import Endpoint, KeyFor
from callgate.upstream.routing import Routing


@dataclass(frozen=True, slots=True)
class ModelEntry:
    id: str
    endpoint: str


class ModelList:
    def __init__(self, routing: Routing, upstream: UpstreamClient, key_for: KeyFor) -> None:
        self._routing = routing
        self._upstream = upstream
        self._key_for = key_for
        self._listed: dict[str, tuple[str, ...]] = {}

    def known(self) -> tuple[ModelEntry, ...]:
        """What can be told now, without asking anyone."""
        entries = [ModelEntry(model, endpoint.name) for endpoint, model in self._routing.models()]
        for endpoint in self._routing.endpoints:
            entries.extend(ModelEntry(model, endpoint.name) for model in self._listed.get(endpoint.name, ()))
        return tuple(dict.fromkeys(entries))

    async def refresh(self) -> tuple[ModelEntry, ...]:
        """Asks every endpoint; one that does not answer soon keeps what it said before."""
        endpoints = self._routing.endpoints
        answers = await asyncio.gather(*(self._ask(endpoint) for endpoint in endpoints))
        self._listed |= {endpoint.name: listed for endpoint, listed in zip(endpoints, answers, strict=True) if listed}
        return self.known()

    def learn(self, endpoint: str, models: tuple[str, ...]) -> None:
        """What an endpoint has just said of itself."""
        self._listed[endpoint] = models

    def forget(self, endpoint: str) -> None:
        """It is another one now, or gone."""
        self._listed.pop(endpoint, None)

    async def _ask(self, endpoint: Endpoint) -> tuple[str, ...]:
        try:
            key = self._key_for(endpoint)
        except UserFault:
            return ()  # the person was told at the start; without its key it would only refuse
        return await self._upstream.list_models(endpoint, key)
