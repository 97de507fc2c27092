"""A search hit leads to its place, also in a conversation that has to be loaded first."""

from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON

from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, RoundEnded, RoundStarted
from callgate.core.messages import say
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.hit_reveal import HitReveal
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.theme.theme import Theme


def long_talk(conversation: str) -> list[Event]:
    events: list[Event] = []
    for number in range(40):
        exchange, at = f"{conversation}_{number}", NOON + number
        asked = (say("user", f"Question {number}"),)
        parent = f"{conversation}_{number - 1}" if number else ""
        events += [
            ExchangeStarted(exchange, conversation, "x", "openai-chat", "m", True, number, asked, (), at, parent),
            RoundStarted(exchange, conversation, 1, "e", "openai-chat", "m", (), True, at),
            RoundEnded(exchange, conversation, 1, say("assistant", f"Answer {number} " * 30), "stop", None, at + 0.5),
            ExchangeEnded(exchange, conversation, "completed", at + 0.6),
        ]
    return events


def test_the_block_with_the_words_comes_on_screen(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    console.play(long_talk("c1"))
    panel = ConversationPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    panel.show()
    hits = HitReveal(panel)

    async def open_it() -> None:
        panel.open("c1")
        hits.reveal("c1", "question 3")

    loop.run(open_it())

    def shown() -> bool:
        transcript = panel.view.transcript
        return any("Question 3" in repr(transcript.block(known)) for known in panel.view.shown)

    loop.until(shown)
    hits.reveal("c1", "no such words")
    hits.reveal("elsewhere", "question 30")
    loop.settle()
    assert shown(), "what is not there moves nothing"
