"""A message is sent once, failures are said in place, and nothing that was written is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import sample_tools

from callgate.core.errors import Fault, PeerFault, UserFault
from callgate.core.messages import Image, Message, Text
from callgate.core.toolset import Toolset
from callgate.engine.console.console import ModelChoice
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.composer.composer import SUGGESTIONS, Composer
from callgate.ui.conversation.composer.enclosures import enclose
from callgate.ui.conversation.turns import LastTurn
from callgate.ui.theme.theme import Theme


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
    composer.chooser.none_button.click()
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
    console.conversation_service.send_error = error
    send(composer, loop, "Hello")
    assert composer.error.isVisible()
    assert composer.error.text() == str(error)
    assert composer.message.toPlainText() == "Hello"
    console.conversation_service.send_error = None
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


def test_what_was_written_stays_with_its_conversation(composer: Composer, loop: BoundLoop) -> None:
    composer.set_conversation("conv_1", empty=False)
    composer.message.setPlainText("for the first")
    composer.enclosures.set_enclosures((enclose("notes.md", b"# x", "text/markdown"),))
    composer.set_conversation("conv_2", empty=False)
    assert composer.message.toPlainText() == "" and composer.enclosures.enclosures == ()
    composer.set_conversation("conv_1", empty=False)
    assert composer.message.toPlainText() == "for the first"
    assert [one.name for one in composer.enclosures.enclosures] == ["notes.md"]
    composer.set_conversation("", empty=True)
    send(composer, loop, "start one")
    composer.message.setPlainText("and then")
    composer.set_conversation("conv_3", empty=False)
    assert composer.message.toPlainText() == "and then", "it is the conversation that was just started"


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


# ---- the choices of a conversation -----------------------------------------------------------------------------------


def test_choices_belong_to_the_conversation_and_come_back(composer: Composer, console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    composer.set_conversation("conv_1", empty=False)
    composer.models.setCurrentIndex(1)
    composer.system.setPlainText("Be brief.")
    composer.chooser.fill()
    composer.chooser.none_button.click()
    composer.set_conversation("conv_2", empty=False)
    assert (composer.setup.model, composer.setup.system, composer.setup.use_tools) != ("opus", "Be brief.", False)
    composer.set_conversation("conv_1", empty=False)
    assert (composer.setup.model, composer.setup.system, composer.setup.use_tools) == ("opus", "Be brief.", False)
    assert composer.tools_button.text() == "No tools"


def test_some_tools_are_chosen_and_sent(composer: Composer, console: FakeConsole, loop: BoundLoop) -> None:
    console.tool_list = list(sample_tools())
    console.toolset_list = [Toolset("reader", ("read_file",), "Only reads")]
    composer.tools_button.click()
    tree = composer.chooser.tree
    assert tree.isVisible() and tree.topLevelItem(0).text(0) == "Toolsets"
    composer.chooser.none_button.click()
    tree.topLevelItem(0).child(0).setCheckState(0, Qt.CheckState.Checked)
    assert composer.tools_button.text() == "Tools: 1 chosen"
    send(composer, loop, "Hi")
    [turn] = console.conversation_service.turns
    assert (turn.setup.use_tools, turn.setup.tools) == (True, ("reader",))
    composer.chooser.all_button.click()
    assert composer.tools_button.text() == "Tools: all"


def test_the_chooser_finds_tools_by_a_few_letters(composer: Composer, console: FakeConsole) -> None:
    console.tool_list = list(sample_tools())
    composer.tools_button.click()
    composer.chooser.filter.setText("rdfl")
    shown = [item.text(0) for item in composer.chooser._items() if not item.isHidden()]
    assert shown == ["read_file"]


def test_where_nothing_was_chosen_the_model_that_answers_is_asked(composer: Composer, console: FakeConsole) -> None:
    composer.set_conversation("conv_9", empty=False)
    composer.set_thread(None, None, "opus", ["earlier"])
    assert composer.setup.model == "opus"
    QTest.keyClick(composer.message, Qt.Key.Key_Up)
    assert composer.message.toPlainText() == "earlier"


# ---- files and pictures ----------------------------------------------------------------------------------------------


def test_files_become_chips_and_go_along(
    composer: Composer, console: FakeConsole, loop: BoundLoop, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("buy milk", "utf-8")
    (tmp_path / "big.bin").write_bytes(b"\0" * 100)
    loop.run(_give(composer, [tmp_path / "notes.txt", tmp_path / "big.bin"]))
    loop.until(lambda: len(composer.enclosures.enclosures) == 2)
    assert composer.enclosures.isVisible() and composer.send_button.isEnabled(), "files alone can be sent"
    send(composer, loop, "Look")
    [turn] = console.conversation_service.turns
    assert [part.kind for part in turn.enclosed] == ["text", "file"]
    assert "buy milk" in turn.enclosed[0].text
    assert not composer.enclosures.isVisible()


async def _give(composer: Composer, paths: list[Path]) -> None:
    composer.add_files(paths)


def test_a_pasted_picture_is_a_chip_that_can_be_taken_away(composer: Composer) -> None:
    picture = QImage(20, 10, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    data = QMimeData()
    data.setImageData(picture)
    composer.message.insertFromMimeData(data)
    [one] = composer.enclosures.enclosures
    assert isinstance(one.part, Image) and one.part.media_type == "image/png"
    chip = composer.enclosures.findChild(QWidget, "enclosureChip")
    chip.findChild(QToolButton).click()
    assert composer.enclosures.enclosures == () and not composer.send_button.isEnabled()


def test_what_is_too_large_is_said_in_words(composer: Composer, loop: BoundLoop, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("x" * 600_000, "utf-8")
    loop.run(_give(composer, [tmp_path / "long.txt", tmp_path / "gone.txt"]))
    loop.until(composer.error.isVisible)
    assert composer.enclosures.enclosures == ()


def test_a_message_that_failed_comes_back_with_its_files(
    composer: Composer, console: FakeConsole, loop: BoundLoop
) -> None:
    composer.enclosures.add(enclose("a.txt", b"text"))
    console.conversation_service.send_error = UserFault("No such model.")
    send(composer, loop, "Look")
    assert composer.message.toPlainText() == "Look" and len(composer.enclosures.enclosures) == 1


# ---- another try -----------------------------------------------------------------------------------------------------


def test_the_last_message_is_edited_and_sent_as_another_try(
    composer: Composer, console: FakeConsole, loop: BoundLoop
) -> None:
    composer.set_conversation("conv_1", empty=False)
    said = Message("user", (Image("image/png", "AAAA"), Text("What is this?")))
    composer.set_thread(None, LastTurn("e2", "e1", said), "demo", [])
    composer.message.setPlainText("a draft")
    composer.edit_button.click()
    assert composer.message.toPlainText() == "What is this?"
    assert len(composer.enclosures.enclosures) == 1
    assert composer.findChild(QWidget, "editingNote").isVisible()
    QTest.keyClick(composer.message, Qt.Key.Key_Escape)
    assert composer.message.toPlainText() == "a draft" and composer.enclosures.enclosures == ()
    QTest.keyClick(composer.message, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    send(composer, loop, "What is that?")
    [turn] = console.conversation_service.turns
    assert (turn.after, turn.text, len(turn.enclosed)) == ("e1", "What is that?", 1)
    assert not composer.findChild(QWidget, "editingNote").isVisible()


def test_the_shown_try_is_continued(composer: Composer, console: FakeConsole, loop: BoundLoop) -> None:
    composer.set_conversation("conv_1", empty=False)
    composer.set_thread("e7", None, "demo", [])
    send(composer, loop, "Go on")
    assert console.conversation_service.turns[0].after == "e7"


# ---- # ---------------------------------------------------------------------------------------------------------------


def test_a_hash_opens_a_list_and_enter_takes_from_it(composer: Composer, console: FakeConsole, qtbot: QtBot) -> None:
    console.tool_list = list(sample_tools())
    console.toolset_list = [Toolset("reader", ("read_file",), "Only reads")]
    with qtbot.waitActive(composer):
        composer.activateWindow()
    composer.message.setFocus()
    QTest.keyClicks(composer.message, "use #rea")
    assert composer.references.isVisible()
    assert composer.references.names[:2] == ("reader", "read_file")
    QTest.keyClick(composer.message, Qt.Key.Key_Down)
    QTest.keyClick(composer.message, Qt.Key.Key_Return)
    assert composer.message.toPlainText() == "use #read_file "
    assert not composer.references.isVisible()


def test_escape_closes_the_list_until_something_else_is_meant(
    composer: Composer, console: FakeConsole, qtbot: QtBot
) -> None:
    console.tool_list = list(sample_tools())
    with qtbot.waitActive(composer):
        composer.activateWindow()
    composer.message.setFocus()
    QTest.keyClicks(composer.message, "#re")
    QTest.keyClick(composer.message, Qt.Key.Key_Escape)
    assert not composer.references.isVisible()
    QTest.keyClicks(composer.message, "a")
    assert composer.references.isVisible()
    QTest.keyClicks(composer.message, "zzz")
    assert not composer.references.isVisible(), "nothing fits"


def test_tools_and_files_that_stand_open_follow_the_theme(
    composer: Composer, console: FakeConsole, theme: Theme
) -> None:
    console.tool_list = list(sample_tools())
    composer.tools_button.click()
    composer.chooser.none_button.click()
    composer.enclosures.set_enclosures((enclose("notes.md", b"# x", "text/markdown"),))
    chip = composer.enclosures.findChild(QWidget, "enclosureChip")
    (picture,) = [label for label in chip.findChildren(QLabel) if not label.pixmap().isNull()]
    before = picture.pixmap().toImage()
    item = composer.chooser._items()[0]
    theme.set_mode("light")
    assert item.foreground(1).color() == theme.color("text3")
    assert picture.pixmap().toImage() != before
    assert composer.tools_button.text() == "No tools", "a colour is not a tick"
