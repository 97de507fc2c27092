"""HAR entries have every field that HAR 1.2 demands, whatever the bytes."""

import base64

import orjson

from callgate.export.har import HttpExchange, har_entry, har_log

NOON = 1_760_000_000.0
DEMANDED = {
    "entry": {"startedDateTime", "time", "request", "response", "cache", "timings"},
    "request": {
        "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
    },
    "response": {
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
        "bodySize",
    },
    "content": {"size", "mimeType"},
    "timings": {"send", "wait", "receive"},
}  # fmt: skip


def exchange(answer: tuple[tuple[float, bytes], ...] = (), body: bytes = b"{}", status: int = 200) -> HttpExchange:
    url = "http://127.0.0.1:8080/v1beta/models/m:streamGenerateContent?alt=sse"
    return HttpExchange(url, NOON, body, status, answer, (("x", "1"),), about={"exchange": "e1"})


def test_everything_that_is_demanded_is_there() -> None:
    entry = har_entry(exchange(((NOON + 0.5, b"data: {}\n\n"), (NOON + 2, b"data: [DONE]\n\n"))))
    assert entry.keys() >= DEMANDED["entry"]
    for part in ("request", "response", "timings"):
        assert entry[part].keys() >= DEMANDED[part], part  # type: ignore[union-attr]
    assert entry["response"]["content"].keys() >= DEMANDED["content"]  # type: ignore[index,call-overload,union-attr]
    log = har_log([entry], "1.0", "redacted")
    assert orjson.loads(orjson.dumps(log))["log"]["version"] == "1.2"


def test_waiting_and_receiving_are_told_apart() -> None:
    entry = har_entry(exchange(((NOON + 0.5, b"data: 1\n\n"), (NOON + 2, b"data: 2\n\n"))))
    assert entry["timings"] == {"send": 0, "wait": 500.0, "receive": 1500.0}
    assert entry["time"] == 2000.0
    assert entry["startedDateTime"] == "2025-10-09T08:53:20.000Z"


def test_events_of_a_stream_keep_their_times() -> None:
    entry = har_entry(exchange(((NOON + 0.5, b"event: a\ndata: 1\n\n"), (NOON + 2, b"data: 2\n\n"))))
    assert entry["_events"] == [
        {"time": 500.0, "event": "a", "data": "1"},
        {"time": 2000.0, "event": "", "data": "2"},
    ]
    assert entry["_callgate"] == {"exchange": "e1"}


def test_bytes_that_are_no_text_are_kept_as_base64() -> None:
    broken = b"\xff\x00\xfe"
    entry = har_entry(exchange(((NOON, broken),), body=broken))
    content = entry["response"]["content"]  # type: ignore[index,call-overload]
    assert content["encoding"] == "base64" and base64.b64decode(content["text"]) == broken  # type: ignore[index,call-overload,arg-type]
    assert base64.b64decode(entry["request"]["postData"]["text"]) == broken  # type: ignore[index,call-overload,arg-type]


def test_an_exchange_without_an_answer_is_still_an_entry() -> None:
    entry = har_entry(exchange(status=0))
    response = entry["response"]
    assert response["status"] == 0 and response["statusText"] == ""  # type: ignore[index,call-overload]
    assert "_events" not in entry
    assert entry["request"]["queryString"] == [{"name": "alt", "value": "sse"}]  # type: ignore[index,call-overload]
