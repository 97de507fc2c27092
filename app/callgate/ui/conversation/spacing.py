"""How much room blocks get: gaps between neighbours, and a guess at heights that nobody has measured yet. Pure."""

from collections.abc import Sequence
from typing import Final, assert_never

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
from callgate.ui.theme.tokens import XL, XS, L, M, S

COLUMN_WIDTH: Final = 820
"""Longer lines are hard to read, however wide the window."""
CARD_PADDING: Final = M
"""Between the edge of a person's card and the words in it."""
END: Final = XL
"""Room under the last block."""

_LINE: Final = 19
_CODE_LINE: Final = 14
_CHARACTER: Final = 6.5
"""Mean width of a letter, for guesses only."""


def in_card(block: Block) -> bool:
    """Whether a block is part of what was said to the model: those stand together on a card."""
    match block:
        case SpeakerBlock() | TextBlock() | CodeBlock() | ImageBlock():
            return block.role != "assistant"
        case _:
            return False


def gap(before: Block | None, block: Block) -> int:
    """The room above a block."""
    if before is None:
        return L + (CARD_PADDING if in_card(block) else 0)
    leaves = CARD_PADDING if in_card(before) and not _same_card(before, block) else 0
    enters = CARD_PADDING if in_card(block) and not _same_card(before, block) else 0
    return leaves + enters + _between(before, block)


def _same_card(before: Block, block: Block) -> bool:
    return in_card(before) and in_card(block) and not isinstance(block, SpeakerBlock)


def _between(before: Block, block: Block) -> int:
    if isinstance(block, BranchBlock):
        return S if isinstance(before, BranchBlock) else XL
    if isinstance(before, BranchBlock):
        return M
    if isinstance(block, SpeakerBlock):
        return XL if before.exchange_id != block.exchange_id or block.role != "assistant" else L
    if isinstance(before, SpeakerBlock):
        return S
    if in_card(before) and not in_card(block):
        return L
    if isinstance(block, NoteBlock) or isinstance(before, NoteBlock):
        return S
    if isinstance(block, UsageBlock):
        return S
    if isinstance(block, TextBlock) and block.text.startswith("#"):
        return L + XS
    return M


def estimate(block: Block, width: int) -> int:
    """About how tall a block will be; the truth replaces it once the block is seen."""
    match block:
        case SpeakerBlock() | UsageBlock() | NoteBlock() | ReasoningBlock():
            return 20
        case BranchBlock():
            return 34
        case ImageBlock():
            return 240 if block.data else 36
        case TextBlock():
            return _lines(block.text, width) * _LINE
        case CodeBlock():
            return (block.text.count("\n") + 1) * _CODE_LINE + 48
        case CallBlock():
            return 96
        case ErrorBlock():
            return 84
        case _:
            assert_never(block)


def guesses(blocks: Sequence[Block], width: int) -> list[int]:
    """Heights with gaps of all blocks, before any has been seen."""
    heights: list[int] = []
    before: Block | None = None
    for block in blocks:
        heights.append(gap(before, block) + estimate(block, width))
        before = block
    return heights


def _lines(text: str, width: int) -> int:
    wide = max(1, int(width / _CHARACTER))
    return text.count("\n") + 1 + len(text) // wide
