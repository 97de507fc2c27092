"""The calls of a round while they are being settled."""

import asyncio
from dataclasses import dataclass, field

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.own_act import OwnAct

CallKey = tuple[int, int]
"""Choice and part: where a call stands in a reply."""


@dataclass(slots=True)
class RoundCalls:
    invocations: dict[CallKey, str] = field(default_factory=dict[CallKey, str])
    handling: dict[CallKey, "asyncio.Task[Invocation]"] = field(
        default_factory=dict[CallKey, "asyncio.Task[Invocation]"]
    )
    settled: dict[CallKey, Invocation] = field(default_factory=dict[CallKey, Invocation])
    passing: set[CallKey] = field(default_factory=set[CallKey])
    """Those that nothing could refuse: the client gets them as they come."""
    own_acts: dict[CallKey, OwnAct] = field(default_factory=dict[CallKey, OwnAct])
    """Those that the person has started by naming their tool."""

    @property
    def unfinished(self) -> set[CallKey]:
        """Those that the provider never ended."""
        return self.invocations.keys() - self.handling.keys()

    @property
    def released(self) -> set[CallKey]:
        """Those that the client may have."""
        return {key for key, invocation in self.settled.items() if invocation.state == "Released"}
