"""A conversation desk without an engine: remembers what it was told, and says what it was given to say."""

from dataclasses import dataclass, field

from callgate.core.calls.argument_check import Complaint
from callgate.core.calls.invocation import Invocation
from callgate.core.events import Event, ExchangeStarted
from callgate.core.json.partial import Sketch
from callgate.engine.console.conversation_service import Setup, Story, Turn
from callgate.engine.gate.verdict_preview import VerdictPreview


@dataclass(eq=False)
class FakeConversationService:
    """Implements `ConversationService`."""

    sent: list[tuple[str, str, str, bool]] = field(default_factory=list)
    """Every turn in short: text, model, conversation id, use_tools."""
    turns: list[Turn] = field(default_factory=list)
    setups: dict[str, Setup] = field(default_factory=dict)
    send_error: Exception | None = None
    foresight: VerdictPreview = VerdictPreview("ask", certain=True, reason="no rule matched")
    wrong: tuple[Complaint, ...] = ()
    """What is complained about, whatever the arguments."""

    journal: dict[str, list[Event]] = field(default_factory=dict)
    """The console's own."""

    async def story(self, conversation_id: str, last: int = 0) -> Story:
        events = list(self.journal.get(conversation_id, ()))
        starts = [number for number, event in enumerate(events) if isinstance(event, ExchangeStarted)]
        if not last or len(starts) <= last:
            return Story(events, True)
        return Story(events[starts[-last] :], False)

    async def send(self, turn: Turn) -> None:
        self.turns.append(turn)
        self.sent.append((turn.text, turn.setup.model, turn.conversation_id, turn.setup.use_tools))
        if self.send_error is not None:
            raise self.send_error

    def setup(self, conversation_id: str) -> Setup | None:
        return self.setups.get(conversation_id)

    def keep_setup(self, conversation_id: str, setup: Setup) -> None:
        self.setups[conversation_id] = setup

    def foresee(self, invocation: Invocation, sketch: Sketch | None) -> VerdictPreview:
        return self.foresight

    def complaints(self, invocation: Invocation, sketch: Sketch) -> tuple[Complaint, ...]:
        return self.wrong
