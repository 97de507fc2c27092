"""Response objects as deltas."""

from tests.wire.samples_gemini_generate import call, candidate, reply

from callgate.core.deltas import CallStarted, Failed, Finished, Started, TextDelta, UsageReported
from callgate.core.messages import Usage
from callgate.wire.gemini_generate.reply_reader import ReplyReader


def test_the_last_usage_counts_and_a_repeated_one_is_said_once() -> None:
    reader = ReplyReader()
    deltas = [
        delta
        for total in (10, 10, 15)
        for delta in reader.take(reply(usage={"promptTokenCount": 10, "candidatesTokenCount": total - 10}), [])
    ]
    assert [delta.usage for delta in deltas if isinstance(delta, UsageReported)] == [Usage(10, 0), Usage(10, 5)]
    assert not reader.complete


def test_candidates_are_kept_apart_and_calls_counted_in_each() -> None:
    reader = ReplyReader()
    deltas = reader.take(
        reply(candidate({"text": "a"}, finish="STOP"), candidate(call("f", {}, "x"), finish="STOP", index=1)), []
    )
    assert deltas[:-1] == [
        Started("mHkZabc", "gemini-3-pro-preview"),
        TextDelta(0, "a"),
        Finished("stop"),
        CallStarted(0, "x", "f", choice=1),
        *deltas[4:6],
        Finished("tool_calls", choice=1),
    ]
    assert reader.complete


def test_candidates_without_an_index_count_by_their_place() -> None:
    one, two = candidate({"text": "a"}), candidate({"text": "b"})
    del one["index"], two["index"]
    assert ReplyReader().take(reply(one, two), [])[1:3] == [TextDelta(0, "a"), TextDelta(0, "b", 1)]


def test_a_refused_prompt_is_an_end() -> None:
    reader = ReplyReader()
    deltas = reader.take({"promptFeedback": {"blockReason": "SAFETY", "blockReasonMessage": "no"}}, [])
    assert deltas[1:] == [Finished("content_filter", "SAFETY: no")]
    assert reader.complete


def test_nothing_counts_after_a_failure() -> None:
    deltas = ReplyReader().take(reply(candidate(finish="BRAND_NEW")), [])
    assert isinstance(deltas[-1], Failed)
    assert not any(isinstance(delta, UsageReported) for delta in deltas)


def test_an_error_in_the_clothes_of_a_success_is_a_failure() -> None:
    [failed] = ReplyReader().take({"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED"}}, [])
    assert isinstance(failed, Failed)
    assert failed.fault.kind == "rate_limit"


def test_a_reply_without_an_id_has_none_but_its_calls_do() -> None:
    bare = {"candidates": [candidate(call("f", {}), finish="STOP")]}
    one, two = ReplyReader().take(bare, []), ReplyReader().take(bare, [])
    assert one[0] == two[0] == Started("", "")
    assert one[1] != two[1]
