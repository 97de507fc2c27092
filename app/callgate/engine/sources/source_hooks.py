"""What a source is told and whom it tells, beyond what every source needs."""

from collections.abc import Callable
from dataclasses import dataclass

from callgate.core.events import FrameCaptured
from callgate.tools.mcp_source.placeholders import InputValue


@dataclass(frozen=True, slots=True)
class SourceHooks:
    input_value: InputValue | None = None
    on_frame: Callable[[FrameCaptured], None] | None = None
    on_stderr: Callable[[str], None] | None = None


NO_HOOKS = SourceHooks()
