"""The keys of endpoints while Callgate runs: read when it starts and whenever an endpoint changes; in no file.

A keyring may ask the person to unlock it, so it is asked in a thread.
"""

import asyncio
from collections.abc import Iterable
from typing import Protocol

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.upstream.endpoint import Endpoint

Place = tuple[str, str, str]


class KeyShelf(Protocol):
    """Environment and keyring. All but `is_set` and `obstacle` may block, and raise `UserFault`."""

    def key_for(self, settings: UpstreamSettings) -> str | None: ...

    def stored(self, name: str) -> str | None: ...

    def store(self, name: str, key: str) -> None: ...

    def forget(self, name: str) -> None: ...

    def is_set(self, variable: str) -> bool: ...

    def obstacle(self) -> str: ...


class EndpointKeys:
    def __init__(self, shelf: KeyShelf) -> None:
        self._shelf = shelf
        self._keys: dict[str, str] = {}
        """Endpoint → its key; empty = it has none of its own."""
        self._missing: dict[str, str] = {}
        """Endpoints whose configured key can't be read, and why."""
        self._places: dict[str, Place] = {}
        """Where the endpoint was whose key this is."""
        self._of_this_run: dict[str, str] = {}
        """What was entered where there is no keyring."""

    def key_for(self, endpoint: Endpoint) -> str:
        """Empty = none is configured: the client's own is passed on. Raises `UserFault` where one can't be read."""
        name = endpoint.name
        if name in self._missing:
            # the client's own key was meant for someone else: it must not go out in place of a missing one
            raise UserFault(self._missing[name])
        if name not in self._keys or self._places[name] != _place(endpoint):
            # it was removed or moved while a request was under way: no key goes to where it does not belong
            raise UserFault(f"The endpoint {name!r} was changed while it was being asked: try again.")
        return self._keys[name]

    def problem(self, endpoint: str) -> str:
        """Why it can't be used, in words; empty = its key is there, or it needs none."""
        return self._missing.get(endpoint, "")

    def is_set(self, variable: str) -> bool:
        return self._shelf.is_set(variable)

    async def obstacle(self) -> str:
        """Why a key would be kept for this run only; empty = there is a keyring."""
        return await asyncio.to_thread(self._shelf.obstacle)

    async def read(self, endpoints: Iterable[UpstreamSettings]) -> None:
        """Reads the keys of these again, as they are configured now; until all are read, the old ones count."""
        found: list[tuple[UpstreamSettings, str, str]] = []
        for settings in endpoints:
            try:
                found.append((settings, await self.find(settings), ""))
            except UserFault as problem:
                found.append((settings, "", str(problem)))
        for settings, key, problem in found:
            self.dismiss(settings.name)
            if problem:
                self._missing[settings.name] = problem
            else:
                self._keys[settings.name], self._places[settings.name] = key, _place(settings)

    async def find(self, settings: UpstreamSettings, stored_as: str = "") -> str:
        """A key as the settings say, for once; `stored_as`: the name under which it is kept, if it is another."""
        name = stored_as or settings.name
        if settings.key == "keyring" and name in self._of_this_run and not self._shelf.is_set(settings.key_env):
            return self._of_this_run[name]
        kept = settings.model_copy(update={"name": name})
        return await asyncio.to_thread(self._shelf.key_for, kept) or ""

    def admit(self, endpoint: Endpoint) -> None:
        """One that never has a key."""
        self._keys[endpoint.name], self._places[endpoint.name] = "", _place(endpoint)

    def dismiss(self, endpoint: str) -> None:
        """It has gone: whatever of it is still under way gets no key any more, least of all its client's."""
        for told in (self._keys, self._missing, self._places):
            told.pop(endpoint, None)

    # ---- the keyring ------------------------------------------------------------------------------------------------

    async def keep(self, endpoint: str, key: str) -> str:
        """Returns why it is kept for this run only; empty = it is kept for good."""
        if not key.strip():
            raise UserFault(f"The key for the endpoint {endpoint!r} is empty.")
        self._of_this_run.pop(endpoint, None)
        try:
            await asyncio.to_thread(self._shelf.store, endpoint, key)
        except UserFault as fault:
            self._of_this_run[endpoint] = key.strip()
            return f"The key is kept until Callgate ends, and must be entered again then. {fault}"
        return ""

    async def kept(self, endpoint: str) -> str | None:
        """What was entered for it; None = nothing."""
        if endpoint in self._of_this_run:
            return self._of_this_run[endpoint]
        try:
            return await asyncio.to_thread(self._shelf.stored, endpoint)
        except UserFault:
            return None  # there is no keyring, or it stays shut: then there is nothing to be brought back either

    async def forget(self, endpoint: str) -> None:
        """Raises `UserFault` where the keyring does not let it go."""
        of_this_run = self._of_this_run.pop(endpoint, None)
        if of_this_run is None and not await self.obstacle():
            await asyncio.to_thread(self._shelf.forget, endpoint)


def _place(endpoint: Endpoint | UpstreamSettings) -> Place:
    vertex = endpoint.vertex
    return (endpoint.base_url, vertex.project if vertex else "", vertex.location if vertex else "")
