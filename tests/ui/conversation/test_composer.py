"""A message is sent once, failures are said in place, and nothing that was written is lost."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.errors import Fault, PeerFault, UserFault
from callgate.engine.console import ModelChoice
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.composer import SUGGESTIONS, Composer
from callgate.ui.theme import Theme


@pytest.fixture
def composer(qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme) -> Iterator[Composer]:
    console.model_list = [ModelChoice("demo", "demo"), ModelChoice("opus", "anthropic")]
    composer = Composer(console, bridge, theme)
    qtbot.addWidget(composer)
    composer.resize(700, 160)
    composer.show()
    yield composer


def send(composer: Composer, loop: BoundLoop, text: str) -> None:
    composer.message.setPlainText(text)
    loop.run(_press(composer))
    loop.settle()


async def _press(composer: Composer) -> None:
    QTest.keyClick(composer.message, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_the_parts_have_their_names(composer: Composer) -> None:
    assert composer.objectName() == "composer"
    for name in ("sendButton", "stopButton"):
        assert composer.findChild(QPushButton, name).accessibleName()


def test_a_message_goes_to_the_chosen_model_with_or_without_tools(
    composer: Composer, console: FakeConsole, loop: BoundLoop
) -> None:
    composer.set_conversation("conv_1", empty=False)
    composer.models.setCurrentIndex(1)
    composer.tools_button.setChecked(False)
    send(composer, loop, "  Hello\nthere  ")
    assert console.sent == [("Hello\nthere", "opus", "conv_1", False)]
    assert composer.message.toPlainText() == ""


def test_nothing_is_not_sent_and_the_button_says_why(composer: Composer, console: FakeConsole, loop: BoundLoop) -> None:
    assert not composer.send_button.isEnabled()
    assert composer.send_button.toolTip() == "Write a message first"
    send(composer, loop, "   ")
    assert console.sent == []
    composer.message.setPlainText("x")
    assert composer.send_button.isEnabled()


def test_without_a_model_the_field_says_what_to_do(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    console.model_list = []
    composer = Composer(console, bridge, theme)
    qtbot.addWidget(composer)
    assert "no model" in composer.message.placeholderText()
    send(composer, loop, "Hi")
    assert console.sent == []
    console.model_list = [ModelChoice("demo", "demo")]
    composer.refresh_models()
    assert composer.send_button.isEnabled()


@pytest.mark.parametrize("error", [UserFault("No such model."), PeerFault(Fault("authentication", "Bad key."))])
def test_a_failure_is_said_in_place_and_the_message_comes_back(
    composer: Composer, console: FakeConsole, loop: BoundLoop, error: Exception
) -> None:
    console.send_error = error
    send(composer, loop, "Hello")
    assert composer.error.isVisible()
    assert composer.error.text() == str(error)
    assert composer.message.toPlainText() == "Hello"
    console.send_error = None
    send(composer, loop, "Hello")
    assert not composer.error.isVisible()


def test_an_answer_can_be_stopped_and_blocks_the_next_message(composer: Composer, qtbot: QtBot) -> None:
    composer.set_conversation("conv_1", empty=False)
    composer.message.setPlainText("x")
    assert not composer.stop_button.isVisible()
    composer.set_running(True)
    assert not composer.send_button.isEnabled()
    assert "stop" in composer.send_button.toolTip()
    with qtbot.waitSignal(composer.stop_requested, timeout=1000):
        composer.stop_button.click()
    composer.set_running(False)
    assert not composer.stop_button.isVisible()
    assert composer.send_button.isEnabled()


def test_earlier_messages_come_back_and_so_does_the_draft(composer: Composer, loop: BoundLoop) -> None:
    for text in ("one", "two"):
        send(composer, loop, text)
    composer.message.setPlainText("draft")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(composer.message, key, Qt.KeyboardModifier.AltModifier)
        seen.append(composer.message.toPlainText())
    assert seen == ["two", "one", "one", "two", "draft", "draft"]


def test_suggestions_are_offered_only_where_nothing_was_said(composer: Composer) -> None:
    chips = [button for button in composer.findChildren(QPushButton) if button.text() in SUGGESTIONS]
    composer.set_conversation("", empty=True)
    assert all(chip.isVisible() for chip in chips)
    chips[0].click()
    assert composer.message.toPlainText() == SUGGESTIONS[0]
    composer.set_conversation("conv_1", empty=False)
    assert not any(chip.isVisible() for chip in chips)


def test_the_field_shows_where_the_keyboard_is(composer: Composer, qtbot: QtBot, theme: Theme) -> None:
    with qtbot.waitActive(composer):
        composer.activateWindow()
    composer.setFocus()
    focused = composer.grab().toImage()
    composer.tools_button.setFocus()
    assert composer.grab().toImage() != focused
