"""A voice puts its blocks at places that follow from part and piece."""

from callgate.core.deltas import CallStarted, Failed, TextDelta
from callgate.core.errors import Fault
from callgate.core.messages import File, Message, Refusal, Text, ToolCall
from callgate.ui.conversation.blocks import CallBlock, ErrorBlock, ImageBlock, TextBlock
from callgate.ui.conversation.column import Column, Place
from callgate.ui.conversation.message_blocks import MessageBlocks


def voice() -> tuple[MessageBlocks, Column, dict[str, str]]:
    column, calls = Column(), {}
    column.open("e")
    return MessageBlocks(column, "e", Place(1), "assistant", calls), column, calls


def test_a_whole_message_is_said_part_by_part() -> None:
    speech, column, calls = voice()
    speech.say(Message("assistant", (Text("a\n\nb"), Refusal("no"), ToolCall("call_1", "x", "{}"), File(name="a.pdf"))))
    assert [type(block) for block in column.blocks] == [TextBlock, TextBlock, TextBlock, CallBlock, ImageBlock]
    assert [block.tone for block in column.blocks if isinstance(block, TextBlock)] == ["plain", "plain", "refusal"]
    assert calls == {"call_1": column.blocks[3].id}
    assert speech.spoken


def test_an_empty_delta_shows_nothing() -> None:
    speech, column, _ = voice()
    speech.add(TextDelta(0, ""))
    assert not column.blocks


def test_a_voice_that_breaks_off_leaves_nothing_growing() -> None:
    speech, column, _ = voice()
    speech.add(TextDelta(0, "half a sen"))
    speech.add(CallStarted(1, "call_1", "x"))
    speech.close(broken_off=True)
    text, call = column.blocks
    assert isinstance(text, TextBlock)
    assert isinstance(call, CallBlock)
    assert not text.growing
    assert call.broken_off


def test_a_failure_stands_after_what_was_said() -> None:
    speech, column, _ = voice()
    speech.add(Failed(Fault("upstream", "gone")))
    speech.add(TextDelta(0, "late"))
    assert [type(block) for block in column.blocks] == [TextBlock, ErrorBlock]
    assert speech.fault is not None
