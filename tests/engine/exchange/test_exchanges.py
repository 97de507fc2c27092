"""Which exchanges hear that a person is asked."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from callgate.core.calls.invocation import Invocation, State
from callgate.core.events import Event, InvocationChanged, QuestionAsked
from callgate.core.question import FormQuestion, OpenQuestion
from callgate.engine.bus import Bus
from callgate.engine.exchange.exchange import Exchange, ExchangeDeps
from callgate.engine.exchange.exchanges import Exchanges
from callgate.engine.exchange.outbox import Outbox


@dataclass
class Running:
    """As much of an exchange as being found needs."""

    id: str
    conversation_id: str
    outbox: Outbox = field(default_factory=Outbox)


def changed(exchange_id: str, state: State) -> InvocationChanged:
    return InvocationChanged(Invocation("i", exchange_id, "c", 1, 0, "k", "t", "gate", "s", "a", "m", state), 0.0)


def question(conversation_id: str) -> QuestionAsked:
    asked = OpenQuestion("q", FormQuestion("s", "Which?", {}, conversation_id=conversation_id), 0.0, 9.0)
    return QuestionAsked(asked, conversation_id, 0.0)


@pytest.mark.parametrize(
    ("event", "held"),
    [
        (changed("one", "Streaming"), []),
        (changed("one", "Executing"), []),
        (changed("one", "WaitingForConfirmation"), ["one"]),
        (changed("two", "WaitingForPostApproval"), ["two"]),
        (changed("a call that belongs to none", "WaitingForConfirmation"), []),
        (question("conv_2"), ["two", "three"]),
        (question(""), []),
    ],
)
def test_whoever_waits_for_a_person_is_held_and_nobody_else(event: Event, held: list[str]) -> None:
    bus = Bus()
    around: Any = SimpleNamespace(machinery=SimpleNamespace(bus=bus), replies=None, routing=None)
    exchanges = Exchanges(cast(ExchangeDeps, around))
    running = [Running("one", "conv_1"), Running("two", "conv_2"), Running("three", "conv_2")]
    exchanges._running.update({one.id: cast(Exchange, one) for one in running})
    bus.publish(event)
    assert [one.id for one in running if one.outbox.held] == held
