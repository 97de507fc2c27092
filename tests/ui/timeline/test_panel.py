"""The pane shows what is selected, follows it while it lives, and looks the same when it is opened again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.events import ExchangeStarted
from callgate.core.timeline.bars import Timeline
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.timeline.panel import TimelinePanel, in_words

EVENTS = sample_conversation()
CONVERSATION = next(event.conversation_id for event in EVENTS if isinstance(event, ExchangeStarted))


@pytest.fixture
def panel(loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, qtbot: QtBot) -> Iterator[TimelinePanel]:
    panel = TimelinePanel(console, bridge, theme, clock=lambda: NOON + 60)
    qtbot.addWidget(panel)
    panel.resize(900, 260)
    panel.show()
    yield panel


def test_it_says_what_to_do_first(panel: TimelinePanel) -> None:
    assert panel._empty.isVisible() and panel.objectName() == "timelinePanel"


def test_a_conversation_and_one_exchange_of_it_are_shown(
    panel: TimelinePanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.play(EVENTS)
    bridge.flush()
    panel.show_conversation(CONVERSATION)
    loop.until(lambda: bool(panel.timeline.spans))
    lanes = len(panel.timeline.lanes)
    assert panel.of_conversation.isChecked() and not panel.of_exchange.isEnabled()
    panel.show_exchange(CONVERSATION, "exch_1")
    assert panel.of_exchange.isChecked() and {lane.exchange_id for lane in panel.timeline.lanes} == {"exch_1"}
    panel.of_conversation.click()
    assert len(panel.timeline.lanes) == lanes
    panel.show_conversation("")
    assert panel._empty.isVisible()


def test_live_and_reopened_look_the_same(
    panel: TimelinePanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.play(EVENTS[:1])
    bridge.flush()
    panel.show_conversation(CONVERSATION)
    loop.until(lambda: bool(panel.timeline.spans))
    for event in EVENTS[1:]:
        console.play([event])
        bridge.flush()
    panel._show()
    live = panel.timeline
    panel.show_conversation("")
    panel.show_conversation(CONVERSATION)
    loop.until(lambda: bool(panel.timeline.spans))
    assert panel.timeline == live and live.is_live


def test_a_choice_leads_to_the_bytes_and_to_the_conversation(
    panel: TimelinePanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.play(EVENTS)
    bridge.flush()
    panel.show_conversation(CONVERSATION)
    loop.until(lambda: bool(panel.timeline.spans))
    asked: list[object] = []
    panel.inspect_requested.connect(lambda exchange, number: asked.append((exchange, number)))
    panel.open_requested.connect(asked.append)
    panel.canvas.choose(next(span for span in panel.timeline.spans if span.kind == "provider"))
    panel.canvas.open_pressed.emit(panel.timeline.lanes[0])
    assert asked == [("exch_1", 1), CONVERSATION]


def test_pictures_are_saved_and_copied(
    panel: TimelinePanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop, tmp_path: Path
) -> None:
    console.play(EVENTS)
    bridge.flush()
    panel.show_conversation(CONVERSATION)
    loop.until(lambda: bool(panel.timeline.spans))
    for name in ("t.svg", "t.png"):
        panel.save(tmp_path / name)
    assert (tmp_path / "t.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    panel.copy_picture()
    assert not QGuiApplication.clipboard().image().isNull()
    panel._save_told(str(tmp_path / "missing" / "t.svg"))
    assert panel._summary.text().startswith("It could not be saved")


def test_where_the_time_went_is_said(panel: TimelinePanel) -> None:
    assert in_words(Timeline()) == ""
