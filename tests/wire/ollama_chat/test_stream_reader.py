"""Lines of any server → frames: what broke the rules is named, and nothing after a failure counts."""

import json
from typing import Any

import pytest

from callgate.core.deltas import CallStarted, Delta, Failed, Finished, Started, TextDelta, UsageReported
from callgate.core.errors import PeerFault
from callgate.core.messages import Usage
from callgate.wire.codec import Frame
from callgate.wire.ollama_chat import stream_reader
from callgate.wire.ollama_chat.stream_reader import LinesReader


def line(done: bool = False, **said: Any) -> bytes:
    more = said.pop("more", {})
    message = {"role": "assistant", "content": "", **said}
    value = {"model": "m", "created_at": "2026-11-19T08:00:00Z", "message": message, "done": done, **more}
    return json.dumps(value).encode() + b"\n"


END = line(done=True, more={"done_reason": "stop", "prompt_eval_count": 3, "eval_count": 2})


def read(data: bytes) -> tuple[list[Frame], list[Delta]]:
    reader = LinesReader()
    frames = [*reader.decode(data), *reader.flush()]
    return frames, [delta for frame in frames for delta in frame.deltas]


def repairs(frames: list[Frame]) -> list[str]:
    return [repair for frame in frames for repair in frame.repairs]


def test_a_stream_is_begun_said_counted_and_finished() -> None:
    frames, deltas = read(line(content="Hi") + END)
    assert deltas == [
        Started("", "m", 1795075200),
        TextDelta(0, "Hi"),
        UsageReported(Usage(3, 2)),
        Finished("stop"),
    ]
    assert repairs(frames) == []


def test_a_last_line_without_its_end_counts() -> None:
    frames, deltas = read((line(content="Hi") + END).rstrip(b"\n"))
    assert deltas[-1] == Finished("stop") and repairs(frames) == []


def test_blank_lines_are_not_passed_on_as_they_are() -> None:
    frames, deltas = read(line(content="Hi") + b"\r\n" + END)
    assert repairs(frames) == ["a line was empty"] and deltas[-1] == Finished("stop")


@pytest.mark.parametrize("broken", [b"<html>", b"[1]\n", b"data: {}\n", b"\xff\xfe\n"])
def test_a_line_that_is_no_object_fails_the_stream(broken: bytes) -> None:
    frames, deltas = read(line(content="Hi") + broken)
    assert isinstance(deltas[-1], Failed)
    assert repairs(frames) == ["a line was no JSON object"]


def test_an_error_line_is_the_providers_own_word() -> None:
    frames, deltas = read(line(content="Hi") + b'{"error":"out of memory","status_code":503}\n' + END)
    [failed] = [delta for delta in deltas if isinstance(delta, Failed)]
    assert (failed.fault.message, failed.fault.kind) == ("out of memory", "overloaded")
    assert [frame.confessed for frame in frames] == [False, True, False]
    assert not any(isinstance(delta, Finished) for delta in deltas)


def test_nothing_counts_after_the_end() -> None:
    frames, deltas = read(END + line(content="more", tool_calls=[{"function": {"name": "f", "arguments": {}}}]))
    assert deltas[-1] == Finished("stop")
    assert repairs(frames) == ["the stream went on after its end"]


def test_calls_without_names_fail_and_ids_are_distinct() -> None:
    calls = [{"id": "same", "function": {"name": "f", "arguments": {}}}] * 2
    frames, deltas = read(line(tool_calls=calls) + END)
    started = [delta.id for delta in deltas if isinstance(delta, CallStarted)]
    assert started[0] == "same" and started[1] not in ("", "same")
    assert repairs(frames) == ["two calls had the same id"] and deltas[-1] == Finished("tool_calls")
    assert isinstance(read(line(tool_calls=[{"function": {"name": "", "arguments": {}}}]))[1][-1], Failed)
    assert isinstance(read(line(tool_calls=["f"]))[1][-1], Failed)


def test_a_message_that_clients_could_not_read_is_rewritten() -> None:
    frames, _ = read(b'{"message":{"content":"Hi"},"done":false}\n{"done":false}\n' + END)
    assert repairs(frames) == ["a message had no role", "a piece had no message"]


def test_calls_of_two_turns_have_other_ids_although_nobody_names_them() -> None:
    said = [{"function": {"name": "f", "arguments": {}}}]
    _, first = read(line(tool_calls=said) + END)
    _, again = read(line(tool_calls=said) + END)
    _, later = read((line(tool_calls=said) + END).replace(b"08:00", b"08:01"))
    ids = [next(delta.id for delta in one if isinstance(delta, CallStarted)) for one in (first, again, later)]
    assert ids[0] == ids[1] != ids[2]


def test_a_line_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_reader, "MAX_LINE_BYTES", 100)
    reader = LinesReader()
    with pytest.raises(PeerFault, match="larger than 100 bytes"):
        for _ in range(20):
            reader.decode(b"x" * 10)


def test_tokens_that_cannot_be_true_are_not_counted() -> None:
    _, deltas = read(line(done=True, more={"prompt_eval_count": -1, "eval_count": "many"}))
    assert not any(isinstance(delta, UsageReported) for delta in deltas)


@pytest.mark.parametrize(
    "hidden",
    [
        b'"Message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"rm","arguments":{}}}]}',
        b'"me\xc5\xbf\xc5\xbfage":{"role":"assistant","tool_calls":[{"function":{"name":"rm","arguments":{}}}]}',
        b'"message":{"role":"assistant","content":"","Tool_Calls":[{"function":{"name":"rm","arguments":{}}}]}',
        b'"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"ls","Name":"rm","arguments":{}}}]}',
        b'"message":{"role":"assistant","content":"","tool_calls":[{"Function":{"name":"rm"},"function":{"name":"ls"}}]}',
        b'"message":{"role":"assistant","content":["x"]}',
        b'"message":{"role":"assistant","content":"","tool_calls":{"function":{"name":"rm"}}}',
    ],
)
def test_what_another_client_might_read_otherwise_is_never_relayed(hidden: bytes) -> None:
    """The official Go client reads keys in any case, as Go does."""
    frames, _ = read(b'{"model":"m",' + hidden + b',"done":false}\n' + END)
    assert frames[0].repairs
