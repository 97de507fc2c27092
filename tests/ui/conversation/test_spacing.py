"""Gaps tell what belongs together."""

from callgate.ui.conversation.blocks import (
    Block,
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
from callgate.ui.conversation.spacing import estimate, gap, in_card

WHERE = {"id": "e:0:1:0:0:0", "exchange_id": "e"}
ASKED = SpeakerBlock(**WHERE, role="user", who="You")
ANSWERED = SpeakerBlock(**WHERE, role="assistant", who="Assistant")
QUESTION = TextBlock(**WHERE, text="Hi", role="user")
ANSWER = TextBlock(**WHERE, text="Hello")
NOTE = NoteBlock(**WHERE, note="tools", text="x")


def test_what_was_said_to_the_model_stands_on_a_card() -> None:
    assert in_card(ASKED)
    assert in_card(QUESTION)
    assert in_card(ImageBlock(**WHERE, what="image", role="user"))
    assert not in_card(ANSWERED)
    assert not in_card(ANSWER)
    assert not in_card(NOTE)


def test_words_stand_closer_to_their_speaker_than_speakers_to_each_other() -> None:
    assert gap(ASKED, QUESTION) < gap(ANSWER, ANSWER) < gap(ANSWER, ASKED)
    assert gap(QUESTION, ANSWERED) > gap(ANSWERED, ANSWER)
    assert gap(None, ASKED) > 0


def test_a_heading_gets_more_room_than_a_paragraph() -> None:
    assert gap(ANSWER, TextBlock(**WHERE, text="## Next")) > gap(ANSWER, ANSWER)


def test_a_guess_grows_with_the_text() -> None:
    short, long = (estimate(TextBlock(**WHERE, text="word " * count), 600) for count in (5, 500))
    assert long > 5 * short
    assert estimate(CodeBlock(**WHERE, text="x\n" * 100), 600) > 1000


def test_every_kind_can_be_guessed() -> None:
    kinds: list[Block] = [
        ASKED, ANSWER, NOTE, ReasoningBlock(**WHERE), CallBlock(**WHERE, call_id="c", tool="t"),
        ErrorBlock(**WHERE, title="t", message="m"), ImageBlock(**WHERE, what="file"),
        UsageBlock(**WHERE, round=1, usage=None, seconds=1),
    ]  # fmt: skip
    assert all(estimate(block, 600) > 0 for block in kinds)
