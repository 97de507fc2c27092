"""A conversation is opened, followed and written to; stored and live ones look the same."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.deltas import TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeStarted, RoundStarted
from callgate.core.messages import say
from callgate.engine.console.conversation_service import Story
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme.theme import Theme


@pytest.fixture
def panel(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> Iterator[ConversationPanel]:
    panel = ConversationPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.resize(800, 600)
    panel.show()
    yield panel


def folded(events: Sequence[Event]) -> list[object]:
    transcript = Transcript()
    transcript.apply_all(events)
    return list(transcript.blocks)


async def opened(panel: ConversationPanel, conversation_id: str) -> None:
    panel.open(conversation_id)
    await asyncio.sleep(0)


def open_in(panel: ConversationPanel, loop: BoundLoop, conversation_id: str) -> None:
    loop.run(opened(panel, conversation_id))
    loop.until(lambda: bool(panel.view.transcript.blocks))


def begun(text: str, conversation: str = "conv_new", agent: str = "callgate") -> Event:
    return ExchangeStarted("e_new", conversation, agent, "openai-chat", "demo", True, 0, (say("user", text),), (), NOON)


def said(text: str, conversation: str = "conv_new", exchange: str = "e_new") -> Event:
    return DeltaArrived(exchange, conversation, 1, TextDelta(0, text), NOON)


def test_a_stored_conversation_is_opened_at_its_end(
    panel: ConversationPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    events = sample_conversation()
    console.play(events)
    announced: list[str] = []
    panel.opened.connect(announced.append)
    open_in(panel, loop, "conv_1")
    assert list(panel.view.transcript.blocks) == folded(events)
    assert panel.view.following
    panel.open("conv_1")
    assert announced == ["conv_1"]
    assert panel.conversation == "conv_1"


@pytest.mark.parametrize("cut", range(0, 50, 3))
def test_what_happens_while_it_is_fetched_comes_once(
    panel: ConversationPanel, console: FakeConsole, loop: BoundLoop, cut: int
) -> None:
    """Some events are stored before the fetch, some during it (stored or not), some after."""
    events = sample_conversation()
    late = min(len(events), cut + 6)
    console.play(events[:cut])
    gate = asyncio.Event()
    fetch = console.conversation_service.story

    async def slow(conversation_id: str, last: int = 0) -> Story:
        console.play(events[cut : cut + 3])
        stored = await fetch(conversation_id, last)
        await gate.wait()
        return stored

    console.conversation_service.story = slow  # type: ignore[method-assign]

    async def drive() -> None:
        panel.open("conv_1")
        await asyncio.sleep(0.03)
        console.play(events[cut + 3 : late])
        gate.set()
        await asyncio.sleep(0)
        console.play(events[late:])

    loop.run(drive())
    loop.until(lambda: list(panel.view.transcript.blocks) == folded(events))


def test_a_live_conversation_goes_on_growing(panel: ConversationPanel, console: FakeConsole, loop: BoundLoop) -> None:
    console.play([begun("Hi"), RoundStarted("e_new", "conv_new", 1, "demo", "openai-chat", "demo", (), True, NOON)])
    open_in(panel, loop, "conv_new")
    assert panel.composer.stop_button.isVisible()
    console.play([said("Hel"), said("lo", "conv_other", "e_other"), said("lo")])
    loop.until(lambda: folded(console.journal["conv_new"]) == list(panel.view.transcript.blocks))


def test_a_message_that_starts_a_conversation_opens_it(
    panel: ConversationPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    assert panel.conversation == ""
    panel.composer.message.setPlainText("Hello")

    async def send() -> None:
        panel.composer.send()
        await asyncio.sleep(0)
        console.play([begun("Hello", "conv_else", agent="codex")])
        console.play([begun("Hello")])

    loop.run(send())
    loop.until(lambda: panel.conversation == "conv_new" and bool(panel.view.transcript.blocks))
    assert console.sent == [("Hello", "demo", "", True)]
    assert panel.view.isVisible()


def test_a_new_page_is_empty_and_ready_to_write(
    panel: ConversationPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    console.play(sample_conversation())
    open_in(panel, loop, "conv_1")
    panel.start_new()
    assert panel.conversation == ""
    assert not panel.view.isVisible()
    assert not panel.view.transcript.blocks


def test_another_conversation_opened_meanwhile_wins(
    panel: ConversationPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    console.play(sample_conversation("conv_1"))
    console.play([begun("Hi", "conv_2")])

    async def hurry() -> None:
        panel.open("conv_1")
        panel.open("conv_2")

    loop.run(hurry())
    loop.until(lambda: list(panel.view.transcript.blocks) == folded(console.journal["conv_2"]))
    assert panel.conversation == "conv_2"


def test_stop_stops_this_conversation(panel: ConversationPanel, console: FakeConsole, loop: BoundLoop) -> None:
    console.play([begun("Hi")])
    open_in(panel, loop, "conv_new")
    panel.composer.stop_button.click()
    assert console.stopped == ["conv_new"]


def test_a_waiting_call_out_of_sight_is_a_click_away(
    panel: ConversationPanel, console: FakeConsole, loop: BoundLoop
) -> None:
    console.play(sample_conversation())
    open_in(panel, loop, "conv_1")
    assert not panel.jump.isVisible(), "it is on screen"
    panel.view.verticalScrollBar().setValue(0)
    assert panel.jump.isVisible()
    assert panel.jump.text() == "1 waiting ↓"
    panel.jump.click()
    assert panel.view.transcript.waiting[0] in panel.view.shown
    assert not panel.jump.isVisible()
    panel.view.verticalScrollBar().setValue(0)
    panel.show_invocation("inv_run")
    assert panel.view.transcript.waiting[0] in panel.view.shown
    panel.show_invocation("inv_unknown")
