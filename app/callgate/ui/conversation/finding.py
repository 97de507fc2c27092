"""Finding a text in all of a conversation: on screen or not, folded or not. Pure; searched in slices."""

from collections.abc import Iterator, Sequence
from typing import assert_never

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


def haystack(block: Block) -> str:
    """All the words of a block, those that are folded away included."""
    match block:
        case TextBlock() | CodeBlock() | ReasoningBlock():
            return block.text
        case SpeakerBlock():
            return f"{block.who} {block.model}"
        case CallBlock():
            result = "" if block.result is None else block.result.text
            return "\n".join((block.tool, block.arguments, block.output, result))
        case ErrorBlock():
            return "\n".join((block.title, block.message, block.advice))
        case NoteBlock():
            return f"{block.text}\n{block.detail}"
        case BranchBlock():
            return block.title
        case ImageBlock():
            return f"{block.name} {block.media_type} {block.reference}"
        case UsageBlock():
            return ""
        case _:
            assert_never(block)


def hits(blocks: Sequence[Block], needle: str) -> Iterator[tuple[str, int]]:
    """Block by block, as they stand: its id, and how often it has the text; ("", 0) for those that have it not.

    Every block yields, so that the caller can stop between any two.
    """
    wanted = needle.casefold()
    for block in tuple(blocks):
        count = haystack(block).casefold().count(wanted) if wanted else 0
        yield (block.id, count) if count else ("", 0)
