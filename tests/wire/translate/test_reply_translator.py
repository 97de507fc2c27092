import pytest

from callgate.core.assembly import assemble
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.messages import Text, ToolCall, Usage
from callgate.wire.translate.names import ToolNames
from callgate.wire.translate.reply_translator import Changes, ReplyTranslator

LONG = "x" * 100
NAMES = ToolNames("openai-chat", [("ns", "patch"), ("", LONG), ("", "plain")])
CHANGES = Changes(NAMES, frozenset({NAMES.lower(("ns", "patch"))}))


def restored(restorer: ReplyTranslator, *deltas: Delta) -> list[Delta]:
    return [out for delta in deltas for out in restorer.restore(delta)]


@pytest.mark.parametrize(
    "delta",
    [
        Started("r", "m"),
        TextDelta(0, "hi"),
        CallStarted(0, "c", "any"),
        ArgumentsDelta(0, "{"),
        CallEnded(0, "{}"),
        PartArrived(0, Text("hi")),
        UsageReported(Usage()),
        Finished("stop"),
        Failed(Fault("upstream", "broke off")),
    ],
)
def test_without_changes_every_delta_passes_as_it_is(delta: Delta) -> None:
    assert Changes().restorer().restore(delta) == [delta]


def test_calls_get_their_names_back() -> None:
    _, short = NAMES.lower(("", LONG))
    assert restored(CHANGES.restorer(), CallStarted(0, "c", short, item_id="i", choice=1)) == [
        CallStarted(0, "c", LONG, item_id="i", choice=1)
    ]
    assert restored(CHANGES.restorer(), CallStarted(0, "c", "plain")) == [CallStarted(0, "c", "plain")]


def test_a_free_form_call_streams_its_text() -> None:
    assert restored(
        CHANGES.restorer(),
        CallStarted(0, "c", "ns__patch"),
        ArgumentsDelta(0, '{"inp'),
        ArgumentsDelta(0, 'ut":"a\\'),
        ArgumentsDelta(0, 'nb"}'),
        CallEnded(0, '{"input":"a\\nb"}', "proof", "gemini"),
    ) == [
        CallStarted(0, "c", "patch", "custom", "ns"),
        ArgumentsDelta(0, "a"),
        ArgumentsDelta(0, "\nb"),
        CallEnded(0, "a\nb", "proof", "gemini"),
    ]


@pytest.mark.parametrize("arguments", ['{"patch":"text"}', '{"content":"text"}', '"text"', "text"])
def test_the_text_comes_at_the_end_where_it_was_not_streamed(arguments: str) -> None:
    deltas = restored(CHANGES.restorer(), CallStarted(0, "c", "ns__patch"), CallEnded(0, arguments))
    assert deltas[1:] == [ArgumentsDelta(0, "text"), CallEnded(0, "text")]


def test_text_that_turns_out_otherwise_is_corrected_at_the_end() -> None:
    deltas = restored(
        CHANGES.restorer(),
        CallStarted(0, "c", "ns__patch"),
        ArgumentsDelta(0, '{"input":"wrong'),
        CallEnded(0, '{"input":"right"}'),
    )
    assert deltas[1:] == [ArgumentsDelta(0, "wrong"), CallEnded(0, "right")]


def test_parallel_calls_do_not_mix() -> None:
    deltas = restored(
        CHANGES.restorer(),
        CallStarted(0, "c", "ns__patch"),
        CallStarted(1, "d", "plain"),
        ArgumentsDelta(0, '{"input":"a'),
        ArgumentsDelta(1, '{"input":"b'),
        CallEnded(1, '{"input":"b"}'),
        CallEnded(0, '{"input":"a"}'),
    )
    calls = assemble(deltas).choices[0].message.calls
    assert [(call.name, call.variant, call.arguments) for call in calls] == [
        ("patch", "custom", "a"),
        ("plain", "function", '{"input":"b"}'),
    ]


def test_a_call_that_comes_whole_is_restored_too() -> None:
    whole = PartArrived(0, ToolCall("c", "ns__patch", '{"input":"a"}'))
    assert restored(CHANGES.restorer(), whole) == [PartArrived(0, ToolCall("c", "patch", "a", "custom", "ns"))]
    plain = PartArrived(0, ToolCall("c", "plain", "{}"))
    assert restored(CHANGES.restorer(), plain) == [plain]


def test_only_the_first_call_of_each_choice_is_kept_and_parts_stay_dense() -> None:
    deltas = restored(
        Changes(first_call_only=True).restorer(),
        ReasoningDelta(0, "hm"),
        CallStarted(1, "c", "f"),
        CallStarted(2, "d", "f"),
        ArgumentsDelta(1, "{}"),
        ArgumentsDelta(2, "{}"),
        CallEnded(1, "{}"),
        CallEnded(2, "{}"),
        TextDelta(3, "bye"),
        PartArrived(4, ToolCall("e", "f", "{}")),
        CallStarted(0, "c2", "f", choice=1),
        Finished("tool_calls"),
    )
    assert deltas == [
        ReasoningDelta(0, "hm"),
        CallStarted(1, "c", "f"),
        ArgumentsDelta(1, "{}"),
        CallEnded(1, "{}"),
        TextDelta(2, "bye"),
        CallStarted(0, "c2", "f", choice=1),
        Finished("tool_calls"),
    ]


def test_each_reply_has_a_restorer_of_its_own() -> None:
    changes = Changes(first_call_only=True, stops=("x",))
    assert restored(changes.restorer(), CallStarted(0, "c", "f")) == [CallStarted(0, "c", "f")]
    assert restored(changes.restorer(), CallStarted(0, "c", "f")) == [CallStarted(0, "c", "f")]


def test_a_built_in_call_is_never_taken_for_a_tool_of_the_same_name() -> None:
    name = NAMES.lower(("ns", "patch"))
    started = CallStarted(0, "c", name[1], "built_in", name[0])
    ended = CallEnded(0, '{"a":1}', extras={"@item": {}})
    assert restored(CHANGES.restorer(), started, ended) == [started, ended]
