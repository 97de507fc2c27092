"""How strict the gate is as a whole: the switch in the toolbar."""

from dataclasses import dataclass
from typing import Literal

GateModeKind = Literal["ask", "rules", "observe"]
"""`ask`: every call asks, whatever rules allow; `rules`: rules decide and the rest asks; `observe`: only deny stops."""


@dataclass(frozen=True, slots=True)
class GateMode:
    kind: GateModeKind = "rules"
    until: float | None = None
    """Epoch seconds at which it falls back to `rules`; None = it stays."""

    def at(self, now: float) -> "GateMode":
        """The mode that holds at a time."""
        return GateMode() if self.until is not None and self.until <= now else self
