"""Only what is on screen has widgets; nothing jumps; the end is followed only by those who are there."""

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.deltas import TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeStarted, RoundStarted
from callgate.core.messages import Message, say
from callgate.ui.bridge import joined
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import Block, NoteBlock, TextBlock
from callgate.ui.conversation.column_view import ColumnView
from callgate.ui.conversation.factory import make_widget
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme.theme import Theme

SECOND = 1.0
MANY = 10_000


def started(exchange: str, *messages: Message) -> Event:
    return ExchangeStarted(exchange, "c", "callgate", "openai-chat", "m", True, 0, messages, (), NOON, exchange)


def round_started(exchange: str) -> Event:
    return RoundStarted(exchange, "c", 1, "demo", "openai-chat", "m", (), True, NOON)


def said(exchange: str, text: str) -> Event:
    return DeltaArrived(exchange, "c", 1, TextDelta(0, text), NOON)


def long_transcript(blocks: int) -> Transcript:
    transcript = Transcript()
    for number in range(blocks // 5):
        exchange = f"e{number}"
        transcript.apply(started(exchange, say("user", f"Question {number}")))
        transcript.apply(round_started(exchange))
        transcript.apply(
            said(exchange, f"Answer {number}, " + "with words " * (number % 40) + "\n\n```py\nx = 1\n```\n")
        )
    return transcript


class Host:
    """A view, and how many widgets it has ever made."""

    def __init__(self, theme: Theme) -> None:
        self.made = 0
        self._console, self._theme = FakeConsole(), theme
        self.view = ColumnView(self._make, theme)
        self.view.resize(700, 600)
        self.view.show()

    def _make(self, block: Block, owner: QWidget) -> BlockWidget:
        self.made += 1
        return make_widget(block, self._console, self._theme, owner)

    def show(self, transcript: Transcript) -> None:
        self.view.set_transcript(transcript)

    def feed(self, *events: Event) -> None:
        self.view.apply([self.view.transcript.apply(event) for event in events])

    def widgets(self) -> int:
        return sum(child.isWidgetType() for child in self.view.viewport().children())

    def tops(self) -> dict[str, int]:
        found = {block_id: self.view.widget_of(block_id) for block_id in self.view.shown}
        return {block_id: widget.y() for block_id, widget in found.items() if widget is not None}

    def bottom(self) -> int:
        widget = self.view.widget_of(self.view.shown[-1])
        assert widget is not None
        return widget.geometry().bottom()


@pytest.fixture
def host(qtbot: QtBot, theme: Theme) -> Iterator[Host]:
    host = Host(theme)
    qtbot.addWidget(host.view)
    yield host


def test_ten_thousand_blocks_open_at_once_with_few_widgets(host: Host) -> None:
    transcript = long_transcript(MANY)
    assert len(transcript.blocks) >= MANY
    begun = time.perf_counter()
    host.show(transcript)
    assert time.perf_counter() - begun < SECOND
    assert host.widgets() <= 60
    assert host.view.shown[-1] == transcript.blocks[-1].id


def test_scrolling_through_everything_keeps_widgets_few(host: Host, qtbot: QtBot) -> None:
    host.show(long_transcript(MANY))
    bar = host.view.verticalScrollBar()
    for step in range(60):
        bar.setValue(bar.maximum() * step // 60)
    qtbot.waitUntil(lambda: host.widgets() <= 60, timeout=3000)


def test_an_empty_conversation_has_nothing_to_scroll(host: Host) -> None:
    host.show(Transcript())
    assert host.view.shown == ()
    assert host.view.verticalScrollBar().maximum() == 0
    host.feed(said("e1", "now there is something"))
    assert len(host.view.shown) == 1


def test_short_conversations_start_at_the_top(host: Host) -> None:
    host.feed(started("e1", say("user", "Hi")))
    assert min(host.tops().values()) < 60
    assert host.view.following


def test_the_end_is_followed_while_one_is_at_the_end(host: Host) -> None:
    host.show(long_transcript(200))
    for number in range(20):
        host.feed(said("e39", f"\n\nMore {number}"))
        assert host.view.following
        assert host.view.shown[-1] == host.view.transcript.blocks[-1].id
        assert host.bottom() <= host.view.viewport().height()
    assert not host.view.new_button.isVisible()


def test_who_reads_further_up_is_left_in_peace(host: Host) -> None:
    host.show(long_transcript(200))
    bar = host.view.verticalScrollBar()
    bar.setValue(bar.maximum() - 900)
    assert not host.view.following
    before = host.tops()
    host.feed(said("e39", "\n\nMore\n\nand more"))
    assert host.tops() == before
    assert host.view.new_button.isVisible()
    host.view.new_button.click()
    assert host.view.following
    assert not host.view.new_button.isVisible()
    assert host.view.shown[-1] == host.view.transcript.blocks[-1].id


def test_scrolling_back_to_the_end_follows_again(host: Host) -> None:
    host.show(long_transcript(200))
    bar = host.view.verticalScrollBar()
    bar.setValue(bar.maximum() - 300)
    assert not host.view.following
    for _ in range(20):
        bar.setValue(bar.value() + 60)
    assert host.view.following


def test_what_is_on_screen_moves_by_exactly_what_was_scrolled(host: Host) -> None:
    host.show(long_transcript(1000))
    bar = host.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    for _ in range(80):
        before, value = host.tops(), bar.value()
        bar.setValue(value - 40)
        after = host.tops()
        common = before.keys() & after.keys()
        assert common
        assert {after[block_id] - before[block_id] for block_id in common} == {40}


def test_something_that_comes_in_above_moves_nothing(host: Host) -> None:
    host.show(long_transcript(400))
    bar = host.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = host.tops()
    host.feed(said("e1", "\n\nA late word in an early answer.\n\nAnd another."))
    assert host.tops() == before


def test_a_new_width_keeps_the_place(host: Host) -> None:
    host.show(long_transcript(400))
    bar = host.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = host.view.shown[0]
    for width in (500, 420, 900, 640):
        host.view.resize(width, 600)
        assert host.view.shown[0] == first


def test_home_and_end_reach_the_very_first_and_last(host: Host) -> None:
    host.show(long_transcript(1000))
    bar = host.view.verticalScrollBar()
    bar.setValue(0)
    assert host.view.shown[0] == host.view.transcript.blocks[0].id
    assert min(host.tops().values()) >= 0
    host.view.go_to_end()
    assert host.view.shown[-1] == host.view.transcript.blocks[-1].id


def test_two_thousand_deltas_touch_only_the_last_block(host: Host) -> None:
    host.show(long_transcript(2000))
    made, exchange = host.made, "e399"
    words = ["word " if number % 40 else "\n\n" for number in range(2000)]
    begun = time.perf_counter()
    for start in range(0, 2000, 4):
        host.feed(*joined([said(exchange, word) for word in words[start : start + 4]]))
    assert time.perf_counter() - begun < 20 * SECOND
    assert host.made - made < 120
    assert host.widgets() <= 120, "widgets that are on their way out are still children until the loop runs"


def test_a_block_can_be_brought_on_screen(host: Host) -> None:
    host.show(long_transcript(1000))
    target = host.view.transcript.blocks[300].id
    host.view.reveal_block(target)
    assert target in host.view.shown
    assert 0 <= host.tops()[target] < 100
    assert not host.view.following
    host.view.reveal_block("nothing")


def test_unfolding_is_remembered_while_the_widget_is_gone(host: Host) -> None:
    host.feed(started("e0", say("system", "Be brief.\n" * 5), say("user", "Hi")))
    note = next(block for block in host.view.transcript.blocks if isinstance(block, NoteBlock))
    row = host.view.widget_of(note.id)
    assert row is not None
    folded = row.height()
    row.toggled.emit(note.id, True)
    assert row.height() > folded
    unfolded = row.height()
    host.feed(round_started("e0"), said("e0", "word\n\n" * 200))
    host.view.go_to_end()
    assert host.view.widget_of(note.id) is None
    host.view.verticalScrollBar().setValue(0)
    again = host.view.widget_of(note.id)
    assert again is not None
    assert again.height() == unfolded


def test_other_colours_are_taken_on_at_once(host: Host, theme: Theme) -> None:
    host.feed(started("e0", say("user", "Hi")))
    made, before = host.made, host.tops()
    theme.set_mode("light")
    assert host.made == made + len(host.view.shown)
    assert host.tops() == before


def test_a_widget_with_the_keyboard_hands_it_to_the_view_when_it_goes(host: Host, qtbot: QtBot) -> None:
    host.show(long_transcript(400))
    with qtbot.waitActive(host.view):
        host.view.activateWindow()
    block_id = next(known for known in host.view.shown if isinstance(host.view.transcript.block(known), TextBlock))
    widget = host.view.widget_of(block_id)
    assert widget is not None
    (text, *_) = [child for child in widget.findChildren(QWidget) if child.focusPolicy() & Qt.FocusPolicy.ClickFocus]
    text.setFocus()
    host.view.verticalScrollBar().setValue(0)
    assert host.view.hasFocus()


def test_the_sample_is_shown_whole(host: Host) -> None:
    transcript = Transcript()
    transcript.apply_all(sample_conversation())
    host.view.resize(900, 4000)
    host.show(transcript)
    assert list(host.view.shown) == [block.id for block in transcript.blocks]
    boxes = [host.view.widget_of(block_id).geometry() for block_id in host.view.shown]  # type: ignore[union-attr]
    assert all(above.bottom() < below.top() for above, below in pairwise(boxes))
