"""A call's card grows with the call: forming, waiting, running, done, with nothing left out."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import NOON, completed, denied, released, running, waiting

from callgate.core.messages import Text, ToolResult
from callgate.ui.conversation.blocks import CallBlock
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.decision import DecisionBar
from callgate.ui.theme import Theme

CALL = CallBlock(id="1", exchange_id="e", call_id="c", tool="run_command", written='{"command": "ls')


@pytest.fixture
def card(qtbot: QtBot, theme: Theme) -> Iterator[CallCard]:
    column = QWidget()
    qtbot.addWidget(column)
    column.resize(800, 600)
    card = CallCard(FakeConsole(), theme, column)
    column.show()
    card.show()
    yield card


def show(card: CallCard, block: CallBlock, unfolded: bool = False) -> int:
    card.show_block(block, unfolded)
    height = card.height_at(700)
    card.resize(700, height)
    return height


def words(card: CallCard) -> str:
    return " ".join(label.text() for label in card.findChildren(QLabel) if label.isVisible() and label.text())


def text(card: CallCard, name: str) -> MonoText:
    (found,) = [edit for edit in card.findChildren(MonoText) if edit.accessibleName() == name]
    return found


def test_arguments_grow_while_the_model_writes(card: CallCard) -> None:
    show(card, CALL)
    assert "forming" in words(card)
    assert text(card, "Arguments").toPlainText() == '{"command": "ls'
    show(card, replace(CALL, written='{"command": "ls -l"}', revision=1))
    assert text(card, "Arguments").toPlainText() == '{"command": "ls -l"}'


def test_a_waiting_call_brings_its_verbs_and_loses_them_when_decided(card: CallCard) -> None:
    show(card, replace(CALL, invocation=waiting()))
    (bar,) = card.findChildren(DecisionBar)
    assert bar.invocation == waiting()
    assert "waiting" in words(card)
    assert not text(card, "Arguments").isVisible(), "the arguments to decide on are shown once"
    show(card, replace(CALL, invocation=completed()))
    assert not [bar for bar in card.findChildren(DecisionBar) if bar.isVisible()]
    assert text(card, "Arguments").isVisible()


def test_only_a_waiting_call_fills_its_edge(card: CallCard, theme: Theme) -> None:
    def edge() -> object:
        return card.grab().toImage().pixelColor(2, card.height() // 2)

    show(card, replace(CALL, invocation=waiting()))
    assert edge() == theme.color("waiting")
    show(card, replace(CALL, invocation=completed()))
    assert edge() == theme.color("raised")


def test_a_waiting_card_is_kept_while_a_person_is_at_work(card: CallCard, qtbot: QtBot) -> None:
    show(card, replace(CALL, invocation=waiting()))
    assert not card.busy
    (bar,) = card.findChildren(DecisionBar)
    deny = bar.findChild(QPushButton, "denyButton")
    qtbot.waitUntil(deny.isEnabled, timeout=3000)
    with qtbot.waitSignal(card.resized, timeout=1000):
        deny.click()
    assert card.busy
    card.enter()
    show(card, replace(CALL, invocation=completed()))
    assert not card.busy


def test_a_finished_call_says_how_it_went(card: CallCard) -> None:
    show(card, replace(CALL, invocation=completed(result="42 lines")))
    assert "done" in words(card)
    assert "waited 1.0 s · ran 1.0 s · approved by you" in words(card)
    assert text(card, "Result").toPlainText() == "42 lines"


def test_an_error_is_red_and_a_denial_is_not_an_error(card: CallCard) -> None:
    show(card, replace(CALL, invocation=completed(result="boom", error=True)))
    assert "Error" in words(card)
    show(card, replace(CALL, invocation=denied()))
    assert "The model was told" in words(card)


def test_what_a_client_returned_is_marked_as_such(card: CallCard) -> None:
    returned = ToolResult("c", (Text("ok"),))
    show(card, replace(CALL, invocation=released(), returned=returned))
    assert "handed over" in words(card)
    assert "Result, given by the client" in words(card)
    show(card, replace(CALL, invocation=released(), returned=ToolResult("c")))
    assert "empty" in words(card)


def test_a_running_call_shows_output_progress_and_a_clock(card: CallCard) -> None:
    show(card, replace(CALL, invocation=running(), output="collecting…", progress=3, total=10))
    assert "Output so far" in words(card)
    assert text(card, "Result").toPlainText() == "collecting…"
    card.tick(NOON + 4)
    assert "0:03" in words(card)


def test_a_long_result_is_bounded_scrollable_and_can_be_unfolded(card: CallCard, qtbot: QtBot) -> None:
    block = replace(CALL, invocation=completed(result="line\n" * 300))
    small = show(card, block)
    result = text(card, "Result")
    assert result.toPlainText() == "line\n" * 300
    (more,) = [button for button in card.findChildren(QPushButton) if button.isVisible()]
    assert more.text() == "Show all"
    with qtbot.waitSignal(card.toggled, timeout=1000) as caught:
        qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert caught.args == ["1", True]
    assert show(card, block, unfolded=True) > small
    assert more.text() == "Show less"


def test_the_name_of_a_tool_cannot_hide_anything(card: CallCard) -> None:
    show(card, replace(CALL, tool="read\u200b_file"))
    assert "U+200B" in words(card)
