"""What a connection doctor finds out about a source, step by step, as values. Knows no protocol and starts nothing."""

from dataclasses import dataclass
from typing import Literal

StepState = Literal["running", "ok", "warning", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class DoctorStep:
    """One step; the same `id` comes again when more is known of it."""

    id: str
    title: str
    state: StepState
    detail: str = ""
    """What was found, in words."""
    hint: str = ""
    """What the person can do about it; empty where nothing need be done."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    steps: tuple[DoctorStep, ...] = ()
    stderr: tuple[str, ...] = ()
    """What the server wrote beside the protocol meanwhile."""
    era: str = ""
    """`legacy` or `modern`, where a handshake told."""

    @property
    def works(self) -> bool:
        return bool(self.steps) and all(step.state not in ("failed", "running", "skipped") for step in self.steps)

    @property
    def failure(self) -> DoctorStep | None:
        return next((step for step in self.steps if step.state == "failed"), None)
