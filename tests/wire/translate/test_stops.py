import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.deltas import (
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
from callgate.core.messages import Text, Usage
from callgate.core.request import WireName
from callgate.wire.capabilities import Capabilities
from callgate.wire.translate.stops import StopEmulation, split_stops

FEW_LETTERS = st.text("ab", min_size=1, max_size=4)
FAILED = Failed(Fault("upstream", "broke off"))


def cut(text: str, stops: tuple[str, ...]) -> tuple[str, str]:
    """The text as a provider would have stopped it, letter by letter."""
    for end in range(1, len(text) + 1):
        met = [stop for stop in stops if text[:end].endswith(stop)]
        if met:
            longest = max(met, key=len)
            return text[: end - len(longest)], longest
    return text, ""


def run(stops: tuple[str, ...], deltas: list[Delta]) -> list[Delta]:
    emulation = StopEmulation(stops)
    return [restored for delta in deltas for restored in emulation.restore(delta)]


def said(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


@given(st.lists(st.text("abc", max_size=5), max_size=8), st.lists(FEW_LETTERS, min_size=1, max_size=3))
def test_the_reply_is_cut_where_its_joined_text_would_be(pieces: list[str], stops: list[str]) -> None:
    deltas = run(tuple(stops), [*(TextDelta(0, piece) for piece in pieces), Finished("length")])
    text, met = cut("".join(pieces), tuple(stops))
    assert said(deltas) == text
    assert deltas[-1] == (Finished("stop", met) if met else Finished("length"))
    assert sum(isinstance(delta, Finished) for delta in deltas) == 1


def test_text_that_cannot_begin_a_stop_sequence_is_not_held() -> None:
    emulation = StopEmulation(("END",))
    assert emulation.restore(TextDelta(0, "hello E")) == [TextDelta(0, "hello ")]
    assert emulation.restore(TextDelta(0, "xtra")) == [TextDelta(0, "Extra")]


def test_after_the_stop_only_usage_is_heard() -> None:
    usage = UsageReported(Usage(3, 4))
    deltas = run(
        ("END",),
        [
            Started("r", "m"),
            TextDelta(0, "so EN"),
            TextDelta(0, "D and more"),
            TextDelta(0, "END"),
            CallStarted(1, "c", "f"),
            CallEnded(1, "{}"),
            usage,
            Finished("tool_calls"),
            FAILED,
        ],
    )
    assert deltas == [Started("r", "m"), TextDelta(0, "so "), Finished("stop", "END"), usage]


@pytest.mark.parametrize(
    "next_delta", [Finished("stop"), FAILED, CallStarted(1, "c", "f"), ReasoningDelta(1, "hm"), TextDelta(1, "ND")]
)
def test_held_text_comes_before_whatever_ends_its_part(next_delta: Delta) -> None:
    assert run(("END",), [TextDelta(0, "so E"), next_delta]) == [TextDelta(0, "so "), TextDelta(0, "E"), next_delta]


def test_each_choice_is_cut_by_itself() -> None:
    deltas = run(("x",), [TextDelta(0, "ax", 0), TextDelta(0, "b", 1), FAILED])
    assert deltas == [TextDelta(0, "a"), Finished("stop", "x"), TextDelta(0, "b", 1), FAILED]


def test_words_that_come_whole_are_cut_too() -> None:
    assert run(("x",), [PartArrived(0, Text("axb"))]) == [TextDelta(0, "a"), Finished("stop", "x")]
    whole = PartArrived(0, Text("ab", {"thoughtSignature": "s"}))
    assert run(("x",), [whole]) == [whole]


@pytest.mark.parametrize(
    ("target", "stops", "told", "emulated"),
    [
        ("openai-responses", ("a", "b"), (), ("a", "b")),
        ("anthropic", ("a", "\n\n", ""), ("a",), ("\n\n",)),
        ("openai-chat", ("a", "b", "c", "d", "e", "a"), ("a", "b", "c", "d"), ("e",)),
        ("gemini", ("a", "b", "c", "d", "e", "f"), ("a", "b", "c", "d", "e"), ("f",)),
        ("gemini", (), (), ()),
    ],
)
def test_only_what_the_target_cannot_be_told_is_emulated(
    target: WireName, stops: tuple[str, ...], told: tuple[str, ...], emulated: tuple[str, ...]
) -> None:
    assert split_stops(stops, target, Capabilities()) == (told, emulated)


def test_a_model_that_refuses_stop_sequences_is_told_none() -> None:
    assert split_stops(("a",), "openai-chat", Capabilities(stop=False)) == ((), ("a",))
