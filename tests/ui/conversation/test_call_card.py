"""A call's card grows with the call: forming, waiting, running, done, with nothing left out."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import NOON, completed, denied, released, running, sample_invocation, waiting

from callgate.core.calls.argument_check import Complaint
from callgate.core.history_repair import NO_RESULT
from callgate.core.messages import Text, ToolResult
from callgate.ui.conversation.blocks import CallBlock
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.decision.decision import DecisionBar
from callgate.ui.result_view.styled_text import StyledText
from callgate.ui.text.json_outline import JsonOutline
from callgate.ui.theme.theme import Theme

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


def arguments(card: CallCard) -> JsonOutline:
    return card.findChild(JsonOutline, "argumentTree")


def rows(card: CallCard) -> list[str]:
    model = arguments(card).json
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def shown(card: CallCard, name: str) -> StyledText:
    (found,) = [edit for edit in card.findChildren(StyledText) if edit.accessibleName() == name]
    return found


def test_arguments_grow_as_a_tree_while_the_model_writes(card: CallCard) -> None:
    show(card, CALL)
    assert "forming" in words(card)
    assert rows(card) == ['command: "ls"']
    show(card, replace(CALL, written='{"command": "ls -l", "args": [1, 2', revision=1))
    assert rows(card) == ['command: "ls -l"', "args: [ 1 ]"]
    show(card, replace(CALL, written='{"command": "ls -l", "args": [1, 2]}', whole=True, revision=2))
    assert rows(card) == ['command: "ls -l"', "args: [ 2 ]"]
    assert arguments(card).isExpanded(arguments(card).json.index(1, 0))


def test_what_is_wrong_stands_beside_the_value_as_soon_as_it_is_certain(card: CallCard) -> None:
    console = card._console
    assert isinstance(console, FakeConsole)
    console.conversation_service.wrong = (Complaint(("command",), "not a number"), Complaint((), "“x” is missing"))
    show(card, replace(CALL, invocation=sample_invocation(arguments=CALL.written)))
    assert rows(card) == ['command: "ls" (not a number)']
    assert card.findChild(QLabel, "schemaErrors").text() == "⚠ “x” is missing"
    show(card, replace(CALL, invocation=completed()))
    assert "not a number" not in rows(card)[0], "what ran fitted, whatever the schema says today"


def test_the_rules_are_heard_before_the_call_is_whole(card: CallCard) -> None:
    forming = replace(waiting(), state="Streaming", arguments="")
    show(card, replace(CALL, invocation=forming))
    early = card.findChild(QLabel, "earlyVerdict")
    assert early.isVisible() and early.text() == "Will ask you"
    show(card, replace(CALL, invocation=completed()))
    assert not early.isVisible()


def test_arguments_can_be_read_as_text(card: CallCard) -> None:
    show(card, replace(CALL, invocation=completed()))
    raw = card.findChild(QToolButton, "rawArguments")
    raw.click()
    assert not arguments(card).isVisible()
    (text,) = [edit for edit in card.findChildren(MonoText) if edit.isVisible()]
    assert text.toPlainText().startswith("{")
    show(card, replace(CALL, id="2", invocation=completed()))
    assert arguments(card).isVisible(), "another call starts as a tree"


def test_free_text_is_shown_as_it_is(card: CallCard) -> None:
    show(card, replace(CALL, written="*** Begin Patch\n+x", whole=True))
    assert not arguments(card).isVisible()
    (text,) = [edit for edit in card.findChildren(MonoText) if edit.isVisible()]
    assert text.toPlainText() == "*** Begin Patch\n+x"


def test_a_card_can_show_one_call_after_another(card: CallCard) -> None:
    show(card, replace(CALL, invocation=waiting()))
    card.rest()
    show(card, replace(CALL, id="2", invocation=completed(result='[{"a": 1}, {"a": 2}]')))
    assert "2 rows" in words(card) and not [bar for bar in card.findChildren(DecisionBar) if bar.isVisible()]
    show(card, replace(CALL, id="3", invocation=completed(result="plain")))
    assert shown(card, "Result").toPlainText() == "plain" and "2 rows" not in words(card)


def test_a_waiting_call_brings_its_verbs_and_loses_them_when_decided(card: CallCard) -> None:
    show(card, replace(CALL, invocation=waiting()))
    (bar,) = card.findChildren(DecisionBar)
    assert bar.invocation == waiting()
    assert "waiting" in words(card)
    assert not arguments(card).isVisible(), "the arguments to decide on are shown once"
    show(card, replace(CALL, invocation=completed()))
    assert not [bar for bar in card.findChildren(DecisionBar) if bar.isVisible()]
    assert arguments(card).isVisible()


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
    assert shown(card, "Result").toPlainText() == "42 lines"


def test_an_error_is_red_and_a_denial_is_not_an_error(card: CallCard) -> None:
    show(card, replace(CALL, invocation=completed(result="boom", error=True)))
    assert "Error" in words(card)
    show(card, replace(CALL, invocation=denied()))
    assert "What the model is told" in words(card)


def test_what_a_client_returned_is_marked_as_such(card: CallCard) -> None:
    returned = ToolResult("c", (Text("ok"),))
    show(card, replace(CALL, invocation=released(), returned=returned))
    assert "released" in words(card)
    assert "Result, given by the client" in words(card)
    show(card, replace(CALL, invocation=released(), returned=ToolResult("c")))
    assert "empty" in words(card)


def test_an_error_in_place_of_a_missing_result_is_not_the_clients(card: CallCard) -> None:
    show(card, replace(CALL, returned=ToolResult("c", (Text(NO_RESULT),), is_error=True)))
    assert "Error, put in for a missing result" in words(card)


def test_a_running_call_shows_output_progress_and_a_clock(card: CallCard) -> None:
    show(card, replace(CALL, invocation=running(), output="collecting…", progress=3, total=10))
    assert "Output so far" in words(card)
    assert shown(card, "Output so far").toPlainText() == "collecting…"
    card.tick(NOON + 4)
    assert "0:03" in words(card)


def test_a_long_result_is_bounded_scrollable_and_can_be_unfolded(card: CallCard, qtbot: QtBot) -> None:
    block = replace(CALL, invocation=completed(result="line\n" * 300))
    small = show(card, block)
    result = shown(card, "Result")
    (more,) = [button for button in card.findChildren(QPushButton) if button.text() == "Show all"]
    with qtbot.waitSignal(card.toggled, timeout=1000) as caught:
        qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert caught.args == ["1", True]
    assert show(card, block, unfolded=True) > small
    assert more.text() == "Show less"
    qtbot.waitUntil(lambda: result.toPlainText() == "\n".join(["line"] * 300), timeout=3000)


def test_a_result_that_is_nearly_short_is_shown_whole(card: CallCard) -> None:
    show(card, replace(CALL, invocation=completed(result="\n".join(map(str, range(11))))))
    assert [button for button in card.findChildren(QPushButton) if button.isVisible()] == []
    assert shown(card, "Result").verticalScrollBar().maximum() == 0
    show(card, replace(CALL, invocation=completed(result="\n".join(map(str, range(14))))))
    assert shown(card, "Result").verticalScrollBar().maximum() > 0


def test_the_name_of_a_tool_cannot_hide_anything(card: CallCard) -> None:
    show(card, replace(CALL, tool="read\u200b_file"))
    assert "U+200B" in words(card)
