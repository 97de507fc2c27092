"""Blocks compare by what they show, and say what a copy of them is."""

from dataclasses import replace

from tests.fakes.samples import completed, sample_invocation, waiting

from callgate.core.messages import Text, ToolResult, Usage
from callgate.ui.conversation.blocks import (
    CallBlock,
    CodeBlock,
    ErrorBlock,
    ImageBlock,
    NoteBlock,
    ReasoningBlock,
    SpeakerBlock,
    TextBlock,
    UsageBlock,
    plain_text,
)

CALL = CallBlock(id="1", exchange_id="e", call_id="c", tool="read_file", written='{"a": ')


def test_the_revision_does_not_count_when_blocks_are_compared() -> None:
    block = TextBlock(id="1", exchange_id="e", text="a")
    assert block == replace(block, revision=7)
    assert block != replace(block, text="b")


def test_arguments_are_what_the_model_has_written_until_the_call_is_whole() -> None:
    assert CALL.arguments == '{"a": '
    assert CALL.forming
    forming = replace(CALL, invocation=sample_invocation(arguments=""))
    assert forming.arguments == '{"a": '
    whole = replace(CALL, invocation=waiting(arguments={"b": 1}))
    assert '"b"' in whole.arguments
    assert not whole.forming
    assert whole.waits


def test_the_invocations_own_result_goes_before_what_the_client_returned() -> None:
    returned = ToolResult("c", (Text("from the client"),))
    assert replace(CALL, returned=returned).result is returned
    done = replace(CALL, returned=returned, invocation=completed(result="ours"))
    assert done.result is not None
    assert done.result.text == "ours"


def test_a_call_that_was_broken_off_forms_no_more() -> None:
    assert not replace(CALL, broken_off=True).forming


def test_every_kind_can_be_copied() -> None:
    where = {"id": "1", "exchange_id": "e"}
    assert plain_text(SpeakerBlock(**where, role="user", who="You")) == "You"
    assert plain_text(TextBlock(**where, text="**a**")) == "**a**"
    assert plain_text(CodeBlock(**where, text="x", language="py")) == "```py\nx\n```"
    assert plain_text(ReasoningBlock(**where, text="hm")) == "hm"
    assert plain_text(replace(CALL, returned=ToolResult("c", (Text("42"),)))) == 'read_file({"a": )\n→ 42'
    assert plain_text(CALL) == 'read_file({"a": )'
    assert plain_text(ErrorBlock(**where, title="t", message="m")) == "t\nm"
    assert plain_text(NoteBlock(**where, note="other", text="t", detail="d")) == "t\nd"
    assert plain_text(ImageBlock(**where, what="image", media_type="image/png")) == "image/png"
    assert plain_text(UsageBlock(**where, round=1, usage=Usage(3, 4), seconds=1)) == "3 → 4 tokens"
    assert plain_text(UsageBlock(**where, round=1, usage=None, seconds=1)) == ""
