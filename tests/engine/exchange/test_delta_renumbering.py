from callgate.core.deltas import CallStarted, Cited, Delta, Finished, PartArrived, Started, TextDelta, UsageReported
from callgate.core.messages import Citation, Text, Usage
from callgate.engine.exchange.delta_renumbering import DeltaRenumbering


def test_several_rounds_become_one_reply_with_one_start_and_dense_parts() -> None:
    splice = DeltaRenumbering()
    seen: list[Delta] = []
    for number, deltas in enumerate(
        ([Started("a", "m"), TextDelta(0, "one")], [Started("b", "m"), TextDelta(0, "two"), CallStarted(1, "c", "f")]),
        1,
    ):
        splice.begin_round(number)
        for delta in deltas:
            seen.extend(splice.add(delta))
    assert seen == [Started("a", "m"), TextDelta(0, "one"), TextDelta(1, "\n\ntwo"), CallStarted(2, "c", "f")]


def test_usage_of_all_rounds_is_reported_as_one_sum() -> None:
    splice = DeltaRenumbering()
    splice.begin_round(1)
    splice.add(UsageReported(Usage(5, 1)))
    splice.add(UsageReported(Usage(10, 2)))
    splice.begin_round(2)
    assert splice.add(UsageReported(Usage(20, 3))) == [UsageReported(Usage(30, 5))]


def test_a_single_round_passes_unchanged() -> None:
    splice = DeltaRenumbering()
    splice.begin_round(1)
    deltas: list[Delta] = [Started("a", "m"), TextDelta(0, "x"), TextDelta(0, "y"), Finished("stop")]
    assert [d for delta in deltas for d in splice.add(delta)] == deltas


def test_a_text_that_comes_whole_is_set_apart_from_an_earlier_round_and_stays_as_it_is() -> None:
    splice = DeltaRenumbering()
    splice.begin_round(1)
    splice.add(TextDelta(0, "one"))
    splice.begin_round(2)
    signed = Text("two", {"thoughtSignature": "c2ln"})
    assert splice.add(PartArrived(0, signed)) == [TextDelta(1, "\n\n"), PartArrived(2, signed)]
    assert splice.add(TextDelta(1, "three")) == [TextDelta(3, "three")]


def test_citations_move_with_the_words_that_a_later_round_is_set_apart_with() -> None:
    splice = DeltaRenumbering()
    splice.begin_round(1)
    splice.add(TextDelta(0, "one"))
    splice.begin_round(2)
    (said,) = splice.add(TextDelta(0, "two"))
    (cited,) = splice.add(Cited(0, Citation("https://a.example", start=0, end=3)))
    assert isinstance(said, TextDelta) and isinstance(cited, Cited)
    assert cited.part == said.part == 1
    assert said.text[cited.citation.start : cited.citation.end] == "two"


def test_nothing_stands_between_the_words_before_and_after_a_pause() -> None:
    splice = DeltaRenumbering()
    splice.begin_round(1)
    splice.add(TextDelta(0, "It is "))
    splice.add(Finished("pause"))
    splice.begin_round(2)
    assert splice.add(TextDelta(0, "cold.")) == [TextDelta(1, "cold.")]
    splice.begin_round(3)
    assert splice.add(TextDelta(0, "Really.")) == [TextDelta(2, "\n\nReally.")]
