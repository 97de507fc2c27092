"""What the conversation view and the composer ask of the engine, beyond what every panel does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from callgate.core.calls.argument_check import Complaint
from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event
from callgate.core.json.partial import Sketch
from callgate.core.messages import File, Image, Text
from callgate.engine.gate.verdict_preview import VerdictPreview

Enclosed = Text | Image | File
"""What goes along with a message: a text file as text, the rest as it is."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the person has chosen for a conversation."""

    model: str = ""
    system: str = ""
    """The system prompt; empty = as the conversation has it."""
    use_tools: bool = True
    tools: tuple[str, ...] = ()
    """Names of tools and toolsets that are offered; empty = all that are enabled."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the person says next."""

    text: str
    setup: Setup
    conversation_id: str = ""
    """Empty = it starts a conversation."""
    enclosed: tuple[Enclosed, ...] = ()
    after: str | None = None
    """The exchange that it continues: "" = from the start, None = the latest that was completed."""


@dataclass(frozen=True, slots=True)
class Story:
    """What it takes to show a conversation, or its end."""

    events: Sequence[Event]
    """In order; deltas are left out where the whole message is there."""
    whole: bool


class ConversationService(Protocol):
    """All of it on the loop's own thread."""

    async def story(self, conversation_id: str, last: int = 0) -> Story:
        """`last`: only so many exchanges from the end; 0 = all of it, up to now."""
        ...

    async def send(self, turn: Turn) -> None:
        """Says something to a model as the agent `callgate`, and lives until the answer is complete.

        Raises `UserFault` with what the provider said, or what is missing.
        """
        ...

    def setup(self, conversation_id: str) -> Setup | None:
        """What was last chosen for a conversation; "" = for the last new one. None = nothing was."""
        ...

    def keep_setup(self, conversation_id: str, setup: Setup) -> None:
        """Remembered between runs."""
        ...

    def foresee(self, invocation: Invocation, sketch: Sketch | None) -> VerdictPreview:
        """What the gate will say, or would if the call ended now."""
        ...

    def complaints(self, invocation: Invocation, sketch: Sketch) -> tuple[Complaint, ...]:
        """What is wrong with arguments by the tool's schema, as far as more text can't mend it."""
        ...
