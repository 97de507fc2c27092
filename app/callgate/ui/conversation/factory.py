"""Which widget shows which block."""

from collections.abc import Callable
from typing import assert_never

from PySide6.QtWidgets import QWidget

from callgate.core.prices import PriceTable
from callgate.engine.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import (
    Block,
    BranchBlock,
    CallBlock,
    CodeBlock,
    ErrorBlock,
    ImageBlock,
    NoteBlock,
    ReasoningBlock,
    SpeakerBlock,
    TextBlock,
    UsageBlock,
)
from callgate.ui.conversation.branch_row import BranchRow
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.conversation.code_box import CodeBox
from callgate.ui.conversation.image_row import ImageRow
from callgate.ui.conversation.rows import ErrorRow, FoldRow, SpeakerRow, TextPiece, UsageRow
from callgate.ui.theme import Theme


def make_widget(
    block: Block,
    console: Console,
    theme: Theme,
    parent: QWidget,
    bridge: Bridge | None = None,
    prices: Callable[[], PriceTable] = PriceTable,
) -> BlockWidget:
    match block:
        case SpeakerBlock():
            return SpeakerRow(theme, parent)
        case TextBlock():
            return TextPiece(theme, parent)
        case CodeBlock():
            return CodeBox(theme, parent)
        case ReasoningBlock() | NoteBlock():
            return FoldRow(theme, parent)
        case CallBlock():
            return CallCard(console, theme, parent, bridge)
        case BranchBlock():
            return BranchRow(theme, parent)
        case ErrorBlock():
            return ErrorRow(theme, parent)
        case ImageBlock():
            return ImageRow(theme, parent)
        case UsageBlock():
            return UsageRow(theme, parent, prices)
        case _:
            assert_never(block)
