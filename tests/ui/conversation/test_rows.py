"""Small blocks say what they are in words, unfold where there is more, and never render what they show."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from callgate.core.messages import Usage
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import (
    Block,
    ErrorBlock,
    NoteBlock,
    ReasoningBlock,
    SpeakerBlock,
    TextBlock,
    UsageBlock,
)
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.conversation.rows import ErrorRow, FoldRow, SpeakerRow, TextPiece, UsageRow
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import Theme

WHERE = {"id": "1", "exchange_id": "e"}


def shown(qtbot: QtBot, widget: BlockWidget, block: Block, unfolded: bool = False) -> BlockWidget:
    qtbot.addWidget(widget)
    widget.show_block(block, unfolded)
    widget.resize(500, widget.height_at(500))
    widget.show()
    return widget


def words(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible() and label.text())


def test_a_speaker_is_named_with_model_and_round(qtbot: QtBot, theme: Theme) -> None:
    block = SpeakerBlock(**WHERE, role="assistant", who="Assistant", model="opus", round=2, at=0)
    row = shown(qtbot, SpeakerRow(theme), block)
    assert "Assistant opus · round 2" in words(row)
    assert row.accessibleName().startswith("Assistant · opus · round 2")


def test_text_is_as_tall_as_its_words(qtbot: QtBot, theme: Theme) -> None:
    piece = shown(qtbot, TextPiece(theme), TextBlock(**WHERE, text="word " * 100))
    assert piece.height_at(200) > piece.height_at(600)


def test_a_refusal_is_written_in_its_colour(qtbot: QtBot, theme: Theme) -> None:
    piece = shown(qtbot, TextPiece(theme), TextBlock(**WHERE, text="I will not.", tone="refusal"))
    (prose,) = piece.findChildren(Prose)
    assert prose.document().find("not").charFormat().foreground().color() == theme.color("denied")


def test_a_round_says_what_it_cost(qtbot: QtBot, theme: Theme) -> None:
    block = UsageBlock(**WHERE, round=1, usage=Usage(12_400, 310, 11_000), seconds=1.2, first_token=0.6)
    assert words(shown(qtbot, UsageRow(theme), block)) == (
        "12.4k → 310 tokens · 11.0k cached · 1.2 s · first token 0.6 s"
    )
    priced = replace(block, model="gpt-5")
    assert " · 11.0k cached · $0.006 · 1.2 s" in words(shown(qtbot, UsageRow(theme), priced))
    guessed = replace(priced, usage=Usage(12_400, 310, estimated=12_710))
    assert words(shown(qtbot, UsageRow(theme), guessed)).startswith("≈12.4k → 310 tokens · ≈$0.019 · ")
    plain = UsageBlock(**WHERE, round=1, usage=None, seconds=1)
    assert words(shown(qtbot, UsageRow(theme), plain)) == "1.0 s"


def test_an_error_says_what_happened_and_what_to_do(qtbot: QtBot, theme: Theme) -> None:
    block = ErrorBlock(**WHERE, title="Too many requests", message="<b>slow</b>", advice="Wait.")
    row = shown(qtbot, ErrorRow(theme), block)
    assert words(row) == "Too many requests <b>slow</b> Wait."
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in row.findChildren(QLabel) if label.text())


def test_a_note_unfolds_by_a_click(qtbot: QtBot, theme: Theme) -> None:
    note = NoteBlock(**WHERE, note="system", text="System prompt", detail="Be brief.\nBe kind.")
    row = shown(qtbot, FoldRow(theme), note)
    folded = row.height_at(500)
    with qtbot.waitSignal(row.toggled, timeout=1000) as caught:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert caught.args == ["1", True]
    row.show_block(note, True)
    assert row.height_at(500) > folded
    (detail,) = row.findChildren(MonoText)
    assert detail.toPlainText() == "Be brief.\nBe kind."
    with qtbot.waitSignal(row.toggled, timeout=1000) as caught:
        row.enter()
    assert caught.args == ["1", False]


def test_a_note_without_more_does_not_unfold(qtbot: QtBot, theme: Theme) -> None:
    row = shown(qtbot, FoldRow(theme), NoteBlock(**WHERE, note="stopped", text="Stopped"))
    with qtbot.assertNotEmitted(row.toggled):
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
        row.enter()


def test_reasoning_is_counted_folded_and_read_unfolded(qtbot: QtBot, theme: Theme) -> None:
    block = ReasoningBlock(**WHERE, text="First **this**, then that.")
    assert "Reasoning · 4 words" in words(shown(qtbot, FoldRow(theme), block))
    row = shown(qtbot, FoldRow(theme), block, unfolded=True)
    (prose,) = row.findChildren(Prose)
    assert prose.toPlainText() == "First this, then that."
    assert prose.height() == prose.heightForWidth(prose.width())
    growing = shown(qtbot, FoldRow(theme), ReasoningBlock(**WHERE, text="a b", growing=True))
    assert "Reasoning… 2 words" in words(growing)
    secret = shown(qtbot, FoldRow(theme), ReasoningBlock(**WHERE, redacted=True))
    assert "only the provider" in words(secret)
