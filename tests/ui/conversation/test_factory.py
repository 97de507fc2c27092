"""Every kind of block has a widget."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.samples import sample_conversation

from callgate.ui.conversation.blocks import ImageBlock, NoteBlock
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.conversation.factory import make_widget
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.theme.theme import Theme


def test_every_block_of_a_conversation_can_be_shown(qtbot: QtBot, theme: Theme) -> None:
    transcript, owner = Transcript(), QWidget()
    qtbot.addWidget(owner)
    transcript.apply_all(sample_conversation())
    extra = (
        ImageBlock(id="i", exchange_id="e", what="image"),
        NoteBlock(id="n", exchange_id="e", note="other", text="x"),
    )
    kinds = set()
    for block in (*transcript.blocks, *extra):
        widget = make_widget(block, FakeConsole(), theme, owner)
        widget.show_block(block, False)
        assert widget.height_at(600) > 0
        assert widget.accessibleName()
        kinds.add(type(widget))
    assert CallCard in kinds
    assert len(kinds) == 8
