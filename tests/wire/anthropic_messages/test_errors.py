"""Errors, read and written."""

import json

import pytest

from callgate.core.errors import Fault, FaultKind
from callgate.wire.anthropic_messages.errors import error_event, read_error, write_error


def _body(type: str, message: str = "why", **more: object) -> bytes:
    return json.dumps({"type": "error", "error": {"type": type, "message": message, **more}}).encode()


@pytest.mark.parametrize(
    ("status", "type", "kind"),
    [
        (400, "invalid_request_error", "invalid_request"),
        (401, "authentication_error", "authentication"),
        (402, "billing_error", "billing"),
        (403, "permission_error", "permission"),
        (404, "not_found_error", "not_found"),
        (413, "request_too_large", "too_large"),
        (429, "rate_limit_error", "rate_limit"),
        (500, "api_error", "upstream"),
        (504, "timeout_error", "timeout"),
        (529, "overloaded_error", "overloaded"),
        (400, "exceed_context_size_error", "context_overflow"),
    ],
)
def test_the_type_of_an_error_tells_its_kind(status: int, type: str, kind: FaultKind) -> None:
    fault = read_error(status, _body(type), {})
    assert (fault.kind, fault.message, fault.status) == (kind, "why", status)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (422, "invalid_request"),
        (408, "timeout"),
        (503, "overloaded"),
        (529, "overloaded"),
        (500, "upstream"),
        (418, "invalid_request"),
    ],
)
def test_without_a_type_the_status_tells_it(status: int, kind: FaultKind) -> None:
    assert read_error(status, b'{"error": {"message": "why"}}', {}).kind == kind


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "This model's maximum context length is 8192 tokens.",
        "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    ],
)
def test_an_overflow_is_known_by_its_words(message: str) -> None:
    assert read_error(400, _body("invalid_request_error", message), {}).kind == "context_overflow"


def test_an_answer_that_is_not_json_is_shown_in_part() -> None:
    fault = read_error(502, b"<html>" + b"x" * 10_000, {})
    assert fault.kind == "upstream"
    assert fault.message.startswith("<html>")
    assert len(fault.message) <= 2048
    assert read_error(502, b"", {}).message == "HTTP status 502 with an empty body"


def test_an_overloaded_server_is_known_by_its_words_too() -> None:
    assert read_error(500, b'{"error": "The model is overloaded"}', {}).kind == "overloaded"


def test_the_time_to_wait_is_read() -> None:
    assert read_error(429, _body("rate_limit_error"), {"Retry-After": "34"}).retry_after == 34
    assert read_error(429, _body("rate_limit_error"), {"retry-after-ms": "1500"}).retry_after == 1.5
    assert read_error(429, _body("rate_limit_error"), {"retry-after": "Wed, 21 Oct 2026"}).retry_after is None


def test_the_providers_code_is_kept() -> None:
    details = {"error_code": "thread_unsupported_request"}
    fault = read_error(400, _body("invalid_request_error", details=details), {})
    assert fault.code == "thread_unsupported_request"
    assert error_event(fault)["error"]["details"] == details  # type: ignore[index]


def test_a_key_in_a_message_is_not_passed_on() -> None:
    fault = read_error(401, _body("authentication_error", f"bad key sk-ant-{24 * 'x'}"), {})
    assert "sk-ant" not in fault.message


@pytest.mark.parametrize(
    ("kind", "status", "type"),
    [
        ("invalid_request", 400, "invalid_request_error"),
        ("context_overflow", 400, "invalid_request_error"),
        ("authentication", 401, "authentication_error"),
        ("billing", 402, "billing_error"),
        ("permission", 403, "permission_error"),
        ("not_found", 404, "not_found_error"),
        ("timeout", 504, "timeout_error"),
        ("too_large", 413, "request_too_large"),
        ("rate_limit", 429, "rate_limit_error"),
        ("overloaded", 529, "overloaded_error"),
        ("upstream", 502, "api_error"),
    ],
)
def test_every_kind_has_its_status_and_type(kind: FaultKind, status: int, type: str) -> None:
    written = write_error(Fault(kind, "why", status=418, retry_after=2))
    assert written.status == status
    assert written.body["type"] == "error"
    assert written.body["error"]["type"] == type  # type: ignore[index]
    assert written.body["request_id"] == written.headers["request-id"]
    assert written.headers["retry-after"] == "2"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("prompt is too long: 5 tokens > 4 maximum", "prompt is too long: 5 tokens > 4 maximum"),
        (
            "input length and `max_tokens` exceed context limit: 5 + 6 > 7",
            "input length and `max_tokens` exceed context limit: 5 + 6 > 7",
        ),
        (
            "This model's maximum context length is 8,192 tokens. However, you requested 10,000 tokens (9000 in …)",
            "prompt is too long: 10000 tokens > 8192 maximum",
        ),
        (
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130500 tokens.",
            "prompt is too long: 130500 tokens > 128000 maximum",
        ),
        (
            "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
            "prompt is too long: 9000 tokens > 8192 maximum",
        ),
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "prompt is too long: 1200000 tokens > 1048576 maximum",
        ),
        ("too big", "prompt is too long: too big"),
    ],
)
def test_an_overflow_is_told_in_the_words_that_make_clients_compact(given: str, told: str) -> None:
    assert write_error(Fault("context_overflow", given)).body["error"]["message"] == told  # type: ignore[index]


def test_the_message_names_the_field_because_the_wire_has_no_place_for_it() -> None:
    said = error_event(Fault("invalid_request", "is wrong", "tools.0.name"))
    assert said["error"]["message"] == "tools.0.name: is wrong"  # type: ignore[index]
    once = error_event(Fault("invalid_request", "n: not here", "n"))
    assert once["error"]["message"] == "n: not here"  # type: ignore[index]


@pytest.mark.parametrize(
    ("status", "type"), [(500, "api_error"), (413, "request_too_large"), (0, "api_error"), (400, "")]
)
def test_an_overflow_is_known_under_whatever_type_it_comes(status: int, type: str) -> None:
    body = json.dumps({"error": {"type": type, "message": "prompt is too long: 5 tokens > 4 maximum"}}).encode()
    assert read_error(status, body, {}).kind == "context_overflow"


def test_a_final_failure_asks_for_no_retry_and_a_busy_one_may_be_tried_again() -> None:
    assert write_error(Fault("upstream", "m")).headers["x-should-retry"] == "false"
    assert write_error(Fault("timeout", "m")).headers["x-should-retry"] == "false"
    assert "x-should-retry" not in write_error(Fault("overloaded", "m")).headers
    assert "x-should-retry" not in write_error(Fault("upstream", "m", retry_after=3)).headers
