"""What every source of tools can do. Sources do not know one another, the gate, or who asks."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from callgate.core.calls.binding import Executor
from callgate.core.calls.preview import Preview
from callgate.core.messages import Json
from callgate.core.tool import Outcome, Tool


def _same() -> None:
    """Nothing was approved that could differ."""


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a tool may know of the call it serves."""

    call_id: str
    conversation_id: str
    report: Callable[[str, float | None, float | None], None]
    """Progress: text, done, total."""
    workspace: Path | None = None
    """The folder that the conversation is about; None = not known."""
    token_budget: int | None = None
    """How many tokens of its result the model will see at most; None = all."""
    hold: Callable[[], AbstractContextManager[None]] = nullcontext
    """While in it, the call waits for a person, and its time limit stands still."""
    invocation_id: str = ""
    """Ours, where the call id is the model's."""
    previewed: str = ""
    """The state that the approved preview was made of; a tool that finds another raises `Outdated`."""
    compare: Callable[[], None] = _same
    """For sources that wait before they call: raises `Outdated` if what was approved is not what would run now."""


class Source(Protocol):
    """A place that tools come from; lives as long as the program, whether its peer is there or not."""

    @property
    def name(self) -> str: ...

    def tools(self) -> tuple[Tool, ...]:
        """What it offers now; cheap."""
        ...

    def on_change(self, listener: Callable[[], None]) -> None:
        """`listener` is called whenever `tools()` would answer differently."""
        ...

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        """Runs a tool.

        A failure that the model should hear of is an `Outcome` with `is_error`; raises `PeerFault` where the source is
        broken.
        """
        ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...


@runtime_checkable
class PreviewingSource(Protocol):
    """A source that can tell what a call would do, without doing it."""

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Preview | None: ...


@runtime_checkable
class IdentifiedSource(Protocol):
    """A source that can tell what executes its tools: an address, a command line, a server."""

    def executor(self, tool: Tool) -> Executor:
        """As of now; cheap. Another digest means that an approved call must be approved again."""
        ...


@runtime_checkable
class ConnectingSource(Protocol):
    """A source with a peer that may be away."""

    @property
    def connected(self) -> bool: ...
