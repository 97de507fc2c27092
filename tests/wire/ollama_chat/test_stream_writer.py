"""Deltas → lines: what the official package depends on."""

import json
from typing import Any

from ollama import ChatResponse

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Delta,
    Failed,
    Finished,
    ReasoningDelta,
    RefusalDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.messages import Usage
from callgate.wire.ollama_chat.stream_writer import LinesWriter


def written(*deltas: Delta, warning: str = "") -> list[dict[str, Any]]:
    writer = LinesWriter("asked")
    data = b"".join(map(writer.write, deltas))
    if warning:
        data += writer.warn(warning)
    data += writer.close()
    assert data.endswith(b"\n") or not data
    return [json.loads(line) for line in data.splitlines()]


def test_every_line_is_what_the_official_package_reads_and_the_last_one_counts() -> None:
    lines = written(Started("x", "m"), TextDelta(0, "Hi"), UsageReported(Usage(3, 2)), Finished("stop"))
    read = [ChatResponse(**line) for line in lines]
    assert [chunk.message.content for chunk in read] == ["Hi", ""]
    assert [chunk.done for chunk in read] == [False, True]
    assert (read[-1].done_reason, read[-1].prompt_eval_count, read[-1].eval_count) == ("stop", 3, 2)
    assert {chunk.model for chunk in read} == {"m"}
    assert all(read[-1][name] for name in ("total_duration", "eval_duration")), "programs divide by them"


def test_a_call_comes_whole_with_its_arguments_as_an_object() -> None:
    lines = written(
        CallStarted(0, "call_1", "f"),
        ArgumentsDelta(0, '{"a"'),
        ArgumentsDelta(0, ":1}"),
        CallEnded(0, '{"a":1}'),
        Finished("tool_calls"),
    )
    assert lines[0]["message"]["tool_calls"] == [{"id": "call_1", "function": {"name": "f", "arguments": {"a": 1}}}]
    assert lines[-1]["done_reason"] == "stop", "Ollama has no other word for it"


def test_what_is_said_until_usage_comes_is_finished_once_and_last() -> None:
    lines = written(TextDelta(0, "a"), Finished("stop"), TextDelta(0, "b"), UsageReported(Usage(1, 1)))
    assert [line["done"] for line in lines] == [False, False, True]
    assert lines[-1]["eval_count"] == 1


def test_a_failure_is_the_last_line() -> None:
    lines = written(TextDelta(0, "a"), Failed(Fault("rate_limit", "slow down")), Finished("stop"))
    assert lines[-1] == {"error": "slow down", "status_code": 429} and len(lines) == 2


def test_a_stream_that_was_cut_is_not_ended_as_if_it_were_whole() -> None:
    assert [line["done"] for line in written(TextDelta(0, "a"))] == [False]


def test_thinking_refusals_and_warnings_have_their_places() -> None:
    lines = written(ReasoningDelta(0, "hm"), RefusalDelta(1, "No."), Finished("stop"), warning="n: left out")
    assert lines[0]["message"]["thinking"] == "hm"
    assert lines[1]["message"]["content"] == "No."
    assert lines[-1]["done_reason"] == "content_filter"
    assert lines[-1]["callgate_warnings"] == "n: left out"


def test_an_explained_refusal_is_said() -> None:
    lines = written(Finished("refusal", "Not allowed."))
    assert [line["message"]["content"] for line in lines] == ["Not allowed.", ""]


def test_other_choices_have_no_room() -> None:
    lines = written(TextDelta(0, "a"), TextDelta(0, "b", choice=1), Finished("stop"), Finished("length", choice=1))
    assert [line["message"]["content"] for line in lines] == ["a", ""] and lines[-1]["done_reason"] == "stop"


def test_keep_alives_are_pieces_without_words_and_stop_with_the_stream() -> None:
    writer = LinesWriter("m")
    beat = json.loads(writer.keep_alive())
    assert (beat["message"], beat["done"]) == ({"role": "assistant", "content": ""}, False)
    writer.write(Failed(Fault("upstream", "broken")))
    assert writer.keep_alive() == writer.close() == b""


def test_no_line_breaks_of_unicode_are_in_a_line() -> None:
    data = LinesWriter("m").write(TextDelta(0, "a\u2028b\u2029c\u0085d\ne"))
    assert data.decode().splitlines() == [data.decode().removesuffix("\n")]
    assert json.loads(data)["message"]["content"] == "a\u2028b\u2029c\u0085d\ne"
