"""The configuration of a running station: what of a changed file counts at once, and what at the next start.

Part of the composition root. Rules, their settings, the conduct of the gate and the endpoints count at once; all else
is built from the configuration when the program starts.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from callgate.core.config.settings import Settings, UpstreamSettings
from callgate.core.errors import UserFault
from callgate.engine.gate.gate_ports import GateConduct
from callgate.store.files.config_file import ConfigFile
from callgate.store.rulebook import Rulebook

AT_ONCE = frozenset({"rules", "chat", "gate", "upstreams"})
_OF_GATE = frozenset({"client_tools", "deadline_seconds", "allow_tools", "block_tools"})
"""What of the gate's own section counts at once."""

Fault = Callable[[str, str], None]
SetUpstreams = Callable[[Sequence[UpstreamSettings], Fault], Awaitable[None]]
"""Raises `UserFault` where they can't be used; those before stay then."""


class Configuration:
    def __init__(
        self,
        file: ConfigFile,
        rulebook: Rulebook,
        conduct_of: Callable[[Settings], GateConduct],
        set_conduct: Callable[[GateConduct], None],
        set_upstreams: SetUpstreams,
        fault: Fault,
    ) -> None:
        self._file = file
        self._rulebook = rulebook
        self._conduct_of = conduct_of
        self._set_conduct = set_conduct
        self._set_upstreams = set_upstreams
        self._fault = fault
        self._started_with = file.current

    async def reread(self) -> None:
        """The file was changed by the person."""
        problem = self._file.take(await asyncio.to_thread(self._file.find))
        if problem is not None:
            self._fault("configuration", f"{problem}\nThe configuration that was read before stays in force.")
            return
        settings = self._file.current
        self._rulebook.configure(settings)
        self._set_conduct(self._conduct_of(settings))
        try:
            await self._set_upstreams(settings.upstreams, self._fault)
        except UserFault as unfit:
            self._fault("configuration", f"{unfit}\nThe upstreams that were read before stay in force.")
        later = pending(self._started_with, settings)
        if later:
            self._fault("configuration", f"What changed in {', '.join(later)} counts from the next start on.")

    async def reread_rules(self) -> None:
        """`rules.toml` was changed by the person, or by the rule book itself."""
        self._rulebook.reload()


def pending(before: Settings, after: Settings) -> list[str]:
    """The sections whose changes wait for the next start."""
    sections = [
        f"[{name}]"
        for name in Settings.model_fields
        if name not in AT_ONCE and getattr(before, name) != getattr(after, name)
    ]
    gate = [
        f"gate.{name}"
        for name in type(before.gate).model_fields
        if name not in _OF_GATE and getattr(before.gate, name) != getattr(after.gate, name)
    ]
    return [*sections, *gate]
