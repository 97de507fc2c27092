"""The keys of the configured endpoints, read once when the program starts. Part of the composition root."""

import asyncio
from collections.abc import Callable, Sequence

from callgate.core.errors import UserFault
from callgate.core.settings import UpstreamSettings
from callgate.store.secrets import Secrets


class EndpointKeys:
    def __init__(self, upstreams: Sequence[UpstreamSettings]) -> None:
        self._upstreams = tuple(upstreams)
        self._keys: dict[str, str] = {}
        self._missing: dict[str, str] = {}
        """Endpoints whose configured key can't be read, and why."""

    async def read(self, fault: Callable[[str, str], None]) -> None:
        """In a thread: a keyring may ask the person to unlock it."""
        secrets = Secrets()
        for upstream in self._upstreams:
            try:
                key = await asyncio.to_thread(secrets.key_for, upstream)
            except UserFault as problem:
                self._missing[upstream.name] = str(problem)
                fault(f"key of {upstream.name}", str(problem))
                continue
            if key:
                self._keys[upstream.name] = key

    def key_for(self, endpoint: str) -> str:
        """Empty = none is configured: the client's own is passed on. Raises `UserFault` where one can't be read."""
        if endpoint in self._missing:
            # the client's own key was meant for someone else: it must not go out in place of a missing one
            raise UserFault(self._missing[endpoint])
        return self._keys.get(endpoint, "")
