"""What is looked for is found everywhere: off screen, folded away, in trees; and one gets there by the keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import NOON

from callgate.core.deltas import ReasoningDelta, TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeStarted, RoundStarted
from callgate.core.messages import say
from callgate.ui.conversation.find_bar import FindBar
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.conversation.view import ConversationView
from callgate.ui.theme.theme import Theme


def events(count: int) -> Iterator[Event]:
    for number in range(count):
        exchange = f"e{number}"
        question = (say("user", f"Question {number}"),)
        parent = f"e{number - 1}" if number else ""
        yield ExchangeStarted(exchange, "c", "x", "openai-chat", "m", True, 0, question, (), NOON, parent)
        yield RoundStarted(exchange, "c", 1, "demo", "openai-chat", "m", (), True, NOON)
        yield DeltaArrived(exchange, "c", 1, ReasoningDelta(0, f"Thinking of walrus {number}"), NOON)
        yield DeltaArrived(exchange, "c", 1, TextDelta(1, f"Answer {number} with Needle and needle.\n\nMore."), NOON)


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> Iterator[FindBar]:
    view = ConversationView(FakeConsole(), theme)
    qtbot.addWidget(view)
    view.resize(700, 400)
    bar = FindBar(view, theme)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    transcript = Transcript()
    transcript.apply_all(events(60))
    view.set_transcript(transcript)
    yield bar


def marked(bar: FindBar) -> int:
    view = bar._view
    texts = [*view.findChildren(QTextEdit), *view.findChildren(QPlainTextEdit)]
    return sum(len(text.extraSelections()) for text in texts if text.isVisible())


def test_all_places_are_counted_whatever_their_case(bar: FindBar, qtbot: QtBot) -> None:
    bar.open_bar()
    bar.field.setText("NEEDLE")
    qtbot.waitUntil(lambda: bar.count.text().endswith("of 120"), timeout=3000)
    assert marked(bar) >= 2
    bar.field.setText("nothing like it")
    qtbot.waitUntil(lambda: bar.count.text() == "Nothing found", timeout=3000)
    assert marked(bar) == 0


def test_enter_goes_on_and_shift_enter_goes_back_around_the_end(bar: FindBar, qtbot: QtBot) -> None:
    bar.open_bar()
    bar.field.setText("Question 7")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 1", timeout=3000)
    assert bar._view.current in bar._view.shown, "it was far up"
    bar.field.setText("Question 4")
    qtbot.waitUntil(lambda: bar.count.text().endswith("of 11"), timeout=3000)
    before = bar.count.text()
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() != before
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == before
    for _ in range(11):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == before


def test_what_is_folded_away_is_found_and_unfolded(bar: FindBar, qtbot: QtBot) -> None:
    bar.open_bar()
    bar.field.setText("walrus 33")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 1", timeout=3000)
    assert marked(bar) == 1


def test_closing_takes_the_marks_away_and_hands_the_keyboard_back(bar: FindBar, qtbot: QtBot) -> None:
    bar.open_bar()
    bar.field.setText("Needle")
    qtbot.waitUntil(lambda: marked(bar) > 0, timeout=3000)
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible() and marked(bar) == 0
    assert bar._view.hasFocus()


def test_what_streams_in_is_found_too(bar: FindBar, qtbot: QtBot) -> None:
    bar.open_bar()
    bar.field.setText("brand new")
    qtbot.waitUntil(lambda: bar.count.text() == "Nothing found", timeout=3000)
    view = bar._view
    view.apply([view.transcript.apply(DeltaArrived("e59", "c", 1, TextDelta(1, " Something brand new."), NOON))])
    bar.refresh()
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 1", timeout=3000)


def test_its_buttons_follow_the_theme(bar: FindBar, theme: Theme) -> None:
    buttons = bar.findChildren(QToolButton)
    before = [button.icon().cacheKey() for button in buttons]
    theme.set_mode("light")
    assert len(buttons) == 3 and not {button.icon().cacheKey() for button in buttons} & set(before)
