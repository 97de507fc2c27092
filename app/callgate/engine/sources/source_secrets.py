"""Secrets of sources: in memory while Callgate runs, in the system's keyring between runs, in no file.

A keyring may ask the person to unlock it, so it is asked in a thread, and only where something was put into it.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Protocol

from callgate.core.errors import UserFault


class Keyring(Protocol):
    """The system's keyring. Calls may block, and raise `UserFault`."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, secret: str) -> None: ...

    def delete(self, name: str) -> None: ...


class SourceSecrets:
    def __init__(self, shelf: Keyring) -> None:
        self._shelf = shelf
        self._values: dict[tuple[str, str], str] = {}

    async def keep(self, source: str, values: Mapping[str, str]) -> str:
        """Returns why they are kept for this run only; empty = they are kept for good."""
        for name, value in values.items():
            self._values[source, name] = value
        try:
            for name, value in values.items():
                await asyncio.to_thread(self._shelf.write, _place(source, name), value)
        except UserFault as fault:
            return f"{', '.join(values)} will be asked for when Callgate starts again. {fault}"
        return ""

    async def value(self, source: str, name: str) -> str | None:
        """None = it is not known here, and the person has to be asked."""
        known = self._values.get((source, name))
        if known is None:
            try:
                known = await asyncio.to_thread(self._shelf.read, _place(source, name))
            except UserFault:
                return None
            if known is not None:
                self._values[source, name] = known
        return known

    async def values(self, source: str, names: Iterable[str]) -> dict[str, str]:
        found = {name: await self.value(source, name) for name in names}
        return {name: value for name, value in found.items() if value is not None}

    async def forget(self, source: str, names: Iterable[str]) -> None:
        for name in names:
            self._values.pop((source, name), None)
            try:
                await asyncio.to_thread(self._shelf.delete, _place(source, name))
            except UserFault:
                continue  # there is no keyring, so there is nothing in it either


def _place(source: str, name: str) -> str:
    return f"source:{source}:{name}"
