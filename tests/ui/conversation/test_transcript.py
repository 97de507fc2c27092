"""Events become the same blocks live, merged and read back; each change is reported so that a view can follow."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.samples import NOON, denied, sample_conversation, sample_invocation, waiting

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    TextDelta,
)
from callgate.core.errors import Fault
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FaultRaised,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    ToolOutput,
)
from callgate.core.messages import Image, Message, Opaque, Reasoning, Text, ToolCall, ToolResult, Usage, say
from callgate.core.tool import ToolSpec
from callgate.ui.bridge import joined
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
from callgate.ui.conversation.transcript import Transcript


def started(exchange: str = "e1", *fresh: Message, agent: str = "callgate", parent: str = "", known: int = 0) -> Event:
    return ExchangeStarted(exchange, "c", agent, "openai-chat", "m", True, known, fresh, (), NOON, parent)


def round_started(exchange: str = "e1", number: int = 1, *tools: str) -> Event:
    specs = tuple(ToolSpec(name) for name in tools)
    return RoundStarted(exchange, "c", number, "demo", "openai-chat", "m", specs, True, NOON)


def delta(value: Delta, exchange: str = "e1", number: int = 1) -> Event:
    return DeltaArrived(exchange, "c", number, value, NOON)


def folded(*events: Event) -> Transcript:
    transcript = Transcript()
    transcript.apply_all(events)
    return transcript


def ended(exchange: str) -> Event:
    return ExchangeEnded(exchange, "c", "completed", NOON)


def texts(transcript: Transcript) -> list[str]:
    return [block.text for block in only(transcript, TextBlock)]


def kinds(transcript: Transcript) -> list[type[Block]]:
    return [type(block) for block in transcript.blocks]


def only(transcript: Transcript, kind: type) -> list:
    return [block for block in transcript.blocks if isinstance(block, kind)]


# ---- live, merged, read back ----------------------------------------------------------------------------------------

_WORDS = st.sampled_from(["Hello ", "world.\n\n", "```py\n", "x = 1\n", "```\n", "- item\n", "`", "\n"])
_DELTAS = st.one_of(
    st.builds(TextDelta, st.integers(0, 3), _WORDS),
    st.builds(TextDelta, st.integers(0, 3), _WORDS, st.just(1)),
    st.builds(ReasoningDelta, st.just(4), _WORDS),
    st.builds(CallStarted, st.integers(5, 6), st.just("call_1"), st.just("read_file")),
    st.builds(ArgumentsDelta, st.integers(5, 6), st.sampled_from(['{"a"', ": 1", "}"])),
    st.builds(CallEnded, st.integers(5, 6), st.just('{"a": 1}')),
    st.just(Finished("stop")),
)
_EVENTS = st.lists(
    st.one_of(
        st.builds(delta, _DELTAS, st.sampled_from(["e1", "e2"]), st.integers(1, 2)),
        st.builds(ToolOutput, st.just("inv_1"), st.just("c"), _WORDS, st.just(NOON)),
        st.sampled_from([
            started("e1", say("user", "Hi")), started("e2", say("user", "Again"), parent="e1"), round_started(),
            round_started("e2", 1, "a"), InvocationChanged(replace(waiting(), exchange_id="e1"), NOON),
            InvocationChanged(replace(denied(), exchange_id="e1"), NOON), ExchangeEnded("e1", "c", "cancelled", NOON),
        ]),
    ),
    max_size=30,
)  # fmt: skip


@settings(deadline=None)
@given(_EVENTS)
def test_merged_events_give_the_same_blocks(events: list[Event]) -> None:
    assert list(folded(*joined(events)).blocks) == list(folded(*events).blocks)


@settings(deadline=None)
@given(_EVENTS)
def test_changes_tell_a_view_all_it_needs(events: list[Event]) -> None:
    transcript, shown = Transcript(), []
    for event in events:
        change = transcript.apply(event)
        for inserted in change.inserted:
            fresh = [None] * inserted.count
            shown[inserted.first : inserted.first] = fresh
        now = list(transcript.blocks)
        assert len(shown) == len(now)
        for index, block in enumerate(now):
            if shown[index] is None or block.id in change.changed:
                shown[index] = block
        assert shown == now
        assert [transcript.index(block.id) for block in now] == list(range(len(now)))


def test_a_stored_conversation_equals_the_live_one() -> None:
    events = sample_conversation()
    live = Transcript()
    for event in events:
        live.apply(event)
    assert list(folded(*events).blocks) == list(live.blocks)


def test_a_journal_without_deltas_gives_the_same_answer() -> None:
    text = "Look:\n\n```py\nx\n```\n\nand call:"
    message = Message("assistant", (Reasoning("hm"), Text(text), ToolCall("call_1", "read_file", "{}")))
    ended_round = RoundEnded("e1", "c", 1, message, "tool_calls", Usage(1, 2), NOON + 1)
    opening = (started("e1", say("user", "Hi")), round_started())
    deltas = [
        delta(ReasoningDelta(0, "hm")),
        *(delta(TextDelta(1, letter)) for letter in text),
        delta(CallStarted(2, "call_1", "read_file")),
        delta(ArgumentsDelta(2, "{}")),
        delta(CallEnded(2, "{}")),
        delta(Finished("tool_calls")),
    ]
    assert list(folded(*opening, ended_round).blocks) == list(folded(*opening, *deltas, ended_round).blocks)


def test_a_long_text_is_folded_in_linear_time() -> None:
    words = "Lorem ipsum dolor sit amet, consectetur.\n\n"
    transcript = folded(started(), round_started())
    begun = time.perf_counter()
    for start in range(0, 100_000, 5):
        change = transcript.apply(delta(TextDelta(0, (words * 3)[start % len(words) : start % len(words) + 5])))
        assert len(change.changed) <= 1
    assert time.perf_counter() - begun < 4
    assert len(only(transcript, TextBlock)) > 1000


def test_what_a_provider_could_not_be_told_is_marked_once() -> None:
    lost = replace(round_started(), warnings=("top_k is not known to this wire", "images were left out"))  # type: ignore[type-var]
    again = replace(lost, round=2)  # type: ignore[type-var]
    notes = [b for b in only(folded(started(), lost, again), NoteBlock) if b.note == "cut"]
    assert [(note.text, note.detail) for note in notes] == [
        ("2 things did not reach the provider as the client said it",
         "top_k is not known to this wire\nimages were left out"),
    ]  # fmt: skip


def test_what_a_client_could_not_be_told_is_marked_at_the_end() -> None:
    over = ExchangeEnded("e1", "c1", "completed", 3.0, unheard=("answer: audio: left out",))
    (note,) = [b for b in only(folded(started(), round_started(), over), NoteBlock) if b.note == "cut"]
    assert (note.text, note.detail) == (
        "The client could not be told all that the provider said",
        "answer: audio: left out",
    )


# ---- what the client sent --------------------------------------------------------------------------------------------


def test_the_person_is_you_at_the_composer_and_a_user_through_an_agent() -> None:
    own, other = folded(started("e1", say("user", "Hi"))), folded(started("e1", say("user", "Hi"), agent="codex"))
    assert [(block.who, block.via) for block in only(own, SpeakerBlock)] == [("You", "")]
    assert [(block.who, block.via) for block in only(other, SpeakerBlock)] == [("User", "codex")]


def test_a_system_prompt_is_a_folded_note() -> None:
    (note,) = only(folded(started("e1", say("system", "Be brief."), say("user", "Hi"))), NoteBlock)
    assert (note.note, note.text, note.detail) == ("system", "System prompt", "Be brief.")


def test_a_result_that_a_client_brings_joins_its_call() -> None:
    result = ToolResult("call_1", (Text("42"),))
    transcript = folded(
        started("e1", say("user", "Hi")),
        round_started(),
        delta(CallStarted(0, "call_1", "read_file")),
        delta(CallEnded(0, "{}")),
        started("e2", Message("tool", (result,)), parent="e1", known=2),
    )
    (call,) = only(transcript, CallBlock)
    assert call.result is result
    assert len(only(transcript, SpeakerBlock)) == 2, "a message of results alone has no speaker"


def test_a_result_of_an_unknown_call_is_not_lost() -> None:
    (note,) = only(folded(started("e1", Message("tool", (ToolResult("call_x", (Text("42"),)),)))), NoteBlock)
    assert "call_x" in note.text
    assert note.detail == "42"


def test_words_beside_a_result_are_shown() -> None:
    message = Message("user", (ToolResult("call_x", (Text("42"),)), Text("and now?")))
    assert [block.text for block in only(folded(started("e1", message)), TextBlock)] == ["and now?"]


def test_images_are_named_and_never_loaded() -> None:
    images = (
        Image("image/png", data="A" * 400),
        Image(url="https://x.test/a.png"),
        Image(url="data:image/gif;base64,AAAA"),
    )
    blocks = only(folded(started("e1", Message("user", images))), ImageBlock)
    assert [(block.media_type, block.bytes, block.reference) for block in blocks] == [
        ("image/png", 300, ""),
        ("", 0, "https://x.test/a.png"),
        ("image/gif", 3, ""),
    ]


def test_an_older_history_is_shown_with_its_calls() -> None:
    answer = Message("assistant", (Text("Let me see."), ToolCall("call_1", "read_file", "{}")))
    transcript = folded(started("e1", say("user", "Hi"), answer, Message("tool", (ToolResult("call_1"),))))
    (call,) = only(transcript, CallBlock)
    assert call.whole
    assert call.invocation is None
    assert call.result is not None


def test_tries_from_the_same_point_are_kept_and_marked() -> None:
    transcript = folded(
        started("e1", say("user", "Hi")),
        started("e2", say("user", "Next"), parent="e1", known=2),
        started("e3", say("user", "Next, but other"), parent="e1", known=2),
    )
    assert [(block.number, block.count, block.shown) for block in only(transcript, BranchBlock)] == [
        (1, 2, False),
        (2, 2, True),
    ]
    assert texts(transcript) == ["Hi", "Next, but other"]


def test_another_try_can_be_shown_instead_or_all_of_them() -> None:
    transcript = folded(
        started("e1", say("user", "Hi")),
        ended("e1"),
        started("e2", say("user", "Next"), parent="e1", known=2),
        ended("e2"),
        started("e4", say("user", "After next"), parent="e2", known=4),
        ended("e4"),
        started("e3", say("user", "Other"), parent="e1", known=2),
        ended("e3"),
    )
    assert texts(transcript) == ["Hi", "Other"] and transcript.turns.leaf == "e3"
    assert transcript.choose("e2").reset
    assert texts(transcript) == ["Hi", "Next", "After next"] and transcript.turns.leaf == "e4"
    transcript.choose("e2", all_of_them=True)
    assert texts(transcript) == ["Hi", "Next", "After next", "Other"] and transcript.turns.leaf is None
    assert [block.shown for block in only(transcript, BranchBlock)] == [True, True]


def test_what_happens_in_a_folded_try_is_not_lost() -> None:
    transcript = folded(
        started("e1", say("user", "Hi")),
        started("e2", say("user", "Next"), parent="e1", known=2),
        started("e3", say("user", "Other"), parent="e1", known=2),
        DeltaArrived("e2", "c", 1, TextDelta(0, "late answer"), NOON),
    )
    assert "late answer" not in texts(transcript)
    transcript.choose("e2")
    assert "late answer" in texts(transcript)


def test_an_agents_tries_all_stay_open() -> None:
    transcript = folded(
        started("e1", say("user", "Hi"), agent="claude-code"),
        started("e2", say("user", "Next"), parent="e1", known=2, agent="claude-code"),
        started("e3", say("user", "Title?"), parent="e1", known=2, agent="claude-code"),
    )
    assert texts(transcript) == ["Hi", "Next", "Title?"]
    assert len(only(transcript, BranchBlock)) == 2


def test_the_last_turn_can_be_taken_up_again() -> None:
    transcript = folded(
        started("e1", say("user", "Hi")),
        ended("e1"),
        started("e2", say("user", "Next"), parent="e1", known=2),
    )
    turn = transcript.turns.last
    assert turn is not None
    assert (turn.exchange_id, turn.parent_id, turn.message.text) == ("e2", "e1", "Next")
    assert folded(started("e1", say("user", "Hi"), agent="claude-code")).turns.last is None


# ---- rounds ----------------------------------------------------------------------------------------------------------


def test_a_round_has_a_speaker_its_words_and_its_cost() -> None:
    over = RoundEnded("e1", "c", 2, say("assistant", "Hi"), "stop", Usage(12, 3), NOON + 2, NOON + 0.5)
    transcript = folded(started(), round_started("e1", 2), delta(TextDelta(0, "Hi"), number=2), over)
    assert kinds(transcript) == [SpeakerBlock, TextBlock, UsageBlock]
    usage = transcript.blocks[-1]
    assert isinstance(usage, UsageBlock)
    assert (usage.seconds, usage.first_token, usage.endpoint) == (2, 0.5, "demo")


def test_tools_that_callgate_added_are_mentioned_once() -> None:
    transcript = folded(started(), round_started("e1", 1, "a", "b"), round_started("e1", 2, "a", "b"))
    assert [note.text for note in only(transcript, NoteBlock)] == ["Callgate added 2 tools"]


def test_repairs_and_cut_answers_are_mentioned() -> None:
    over = RoundEnded("e1", "c", 1, say("assistant", "Hi"), "length", None, NOON, repairs=("no id",))
    assert [note.note for note in only(folded(started(), round_started(), over), NoteBlock)] == ["cut", "repaired"]


def test_several_choices_do_not_mix() -> None:
    transcript = folded(
        started(), round_started(), delta(TextDelta(0, "one ")), delta(TextDelta(0, "two ", 1)),
        delta(TextDelta(0, "more")), delta(TextDelta(0, "more", 1)),
    )  # fmt: skip
    assert [block.text for block in only(transcript, TextBlock)] == ["one more", "two more"]
    assert [note.text for note in only(transcript, NoteBlock)] == ["Choice 2"]


def test_exchanges_that_run_side_by_side_do_not_mix() -> None:
    transcript = folded(
        started("e1", say("user", "A")), round_started("e1"), started("e2", say("user", "B"), parent="e0", known=1),
        round_started("e2"), delta(TextDelta(0, "a"), "e1"), delta(TextDelta(0, "b"), "e2"),
    )  # fmt: skip
    assert [block.text for block in only(transcript, TextBlock)] == ["A", "a", "B", "b"]


def test_a_part_that_starts_ends_the_one_before() -> None:
    transcript = folded(started(), round_started(), delta(ReasoningDelta(0, "hm")), delta(TextDelta(1, "a")))
    (reasoning,) = only(transcript, ReasoningBlock)
    assert not reasoning.growing
    assert transcript.blocks[-1].growing  # type: ignore[union-attr]
    transcript.apply(delta(CallStarted(2, "call_1", "x")))
    assert not only(transcript, TextBlock)[0].growing


def test_parts_that_come_whole_are_shown_or_named() -> None:
    values = (Reasoning(redacted=True, signature="s"), Opaque("anthropic", {"type": "web_search"}), Text("a"))
    transcript = folded(
        started(), round_started(), *(delta(PartArrived(part, value)) for part, value in enumerate(values))
    )
    assert kinds(transcript) == [SpeakerBlock, ReasoningBlock, NoteBlock, TextBlock]
    assert "web_search" in only(transcript, NoteBlock)[0].detail


def test_a_failure_is_told_once() -> None:
    fault = Fault("overloaded", "too busy")
    transcript = folded(
        started(), round_started(), delta(TextDelta(0, "Let")), delta(CallStarted(1, "call_1", "x")),
        delta(Failed(fault)), ExchangeEnded("e1", "c", "failed", NOON, fault=fault),
    )  # fmt: skip
    (error,) = only(transcript, ErrorBlock)
    assert error.message == "too busy"
    assert not only(transcript, TextBlock)[0].growing
    assert only(transcript, CallBlock)[0].broken_off
    assert not transcript.running


def test_a_stopped_exchange_says_so() -> None:
    transcript = folded(started("e1", say("user", "Hi")), ExchangeEnded("e1", "c", "cancelled", NOON))
    assert [note.note for note in only(transcript, NoteBlock)] == ["stopped"]


# ---- calls -----------------------------------------------------------------------------------------------------------


def test_a_call_becomes_its_invocation_and_waits_in_view() -> None:
    invocation = replace(waiting(), exchange_id="e1", call_id="call_1", part=0)
    transcript = folded(
        started(), round_started(), delta(CallStarted(0, "call_1", "run_command")), delta(ArgumentsDelta(0, '{"c')),
    )  # fmt: skip
    assert only(transcript, CallBlock)[0].arguments == '{"c'
    transcript.apply(InvocationChanged(invocation, NOON))
    (call,) = only(transcript, CallBlock)
    assert call.waits
    assert transcript.waiting == (call.id,)
    assert transcript.block_of_invocation(invocation.id) == call.id
    transcript.apply(InvocationChanged(replace(denied(), exchange_id="e1", call_id="call_1", part=0), NOON))
    assert transcript.waiting == ()
    assert [type(block) for block in transcript.blocks[-2:]] == [CallBlock, NoteBlock]


def test_calls_without_an_exchange_are_shown_under_their_agent() -> None:
    one = sample_invocation(id="inv_1")
    two = replace(sample_invocation(id="inv_2"), part=one.part)
    transcript = folded(InvocationChanged(one, NOON), InvocationChanged(two, NOON))
    assert kinds(transcript) == [SpeakerBlock, CallBlock, CallBlock]
    assert only(transcript, SpeakerBlock)[0].who == "claude-code"


def test_output_of_a_running_tool_gives_way_to_its_result() -> None:
    events = sample_conversation()
    transcript = Transcript()
    seen = set()
    for event in events:
        transcript.apply(event)
        seen |= {block.output for block in only(transcript, CallBlock)}
    assert "reading…\n" in seen
    assert all(not block.output for block in only(transcript, CallBlock) if not block.waits)


def test_events_of_no_conversation_change_nothing() -> None:
    assert not Transcript().apply(FaultRaised("x", "y", NOON))


@pytest.mark.parametrize("kind", [TextBlock, CodeBlock, ReasoningBlock, CallBlock, ErrorBlock, UsageBlock])
def test_the_sample_has_every_kind(kind: type[Block]) -> None:
    assert only(folded(*sample_conversation()), kind)
