"""Widgets are made before anybody needs them, and not where it is too late."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import sample_conversation

from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.conversation.panel import WarmUp
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.conversation.view import ConversationView
from callgate.ui.theme.theme import Theme


def cards(view: QWidget) -> list[CallCard]:
    return view.findChildren(CallCard)


def test_the_first_conversation_takes_what_was_made_before(qtbot: QtBot, console: FakeConsole, theme: Theme) -> None:
    view = ConversationView(console, theme)
    qtbot.addWidget(view)
    view.resize(700, 600)
    view.show()
    warm = WarmUp(view)
    warm.start()
    qtbot.waitUntil(lambda: warm.is_done, timeout=5000)
    made = cards(view)
    assert made and not any(widget.isVisible() for widget in view.findChildren(BlockWidget))
    transcript = Transcript()
    transcript.apply_all(sample_conversation())
    view.set_transcript(transcript)
    assert any(card.isVisible() for card in made)


def test_nothing_is_made_once_there_is_a_conversation(qtbot: QtBot, console: FakeConsole, theme: Theme) -> None:
    view = ConversationView(console, theme)
    qtbot.addWidget(view)
    transcript = Transcript()
    transcript.apply_all(sample_conversation())
    view.set_transcript(transcript)
    before = len(view.findChildren(BlockWidget))
    warm = WarmUp(view)
    warm.start()
    qtbot.waitUntil(lambda: warm.is_done, timeout=5000)
    assert len(view.findChildren(BlockWidget)) == before
