"""Errors in Google's shape."""

import orjson
import pytest

from callgate.core.errors import Fault, FaultKind
from callgate.core.messages import Json
from callgate.wire.gemini_generate.errors import error_body, fault_of, read_error, write_error


def google(code: int, status: str, message: str = "no", *details: Json) -> dict[str, Json]:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        (400, "INVALID_ARGUMENT", "invalid_request"),
        (400, "FAILED_PRECONDITION", "invalid_request"),
        (401, "UNAUTHENTICATED", "authentication"),
        (403, "PERMISSION_DENIED", "permission"),
        (404, "NOT_FOUND", "not_found"),
        (429, "RESOURCE_EXHAUSTED", "rate_limit"),
        (499, "CANCELLED", "timeout"),
        (500, "INTERNAL", "upstream"),
        (503, "UNAVAILABLE", "overloaded"),
        (504, "DEADLINE_EXCEEDED", "timeout"),
    ],
)
def test_each_status_has_its_kind_with_and_without_http(code: int, status: str, kind: FaultKind) -> None:
    body = google(code, status)
    assert read_error(code, orjson.dumps(body), {}).kind == kind
    assert fault_of(body).kind == kind
    assert fault_of([body]).kind == kind
    assert fault_of({"error": {"message": "no", "status": status}}).kind == kind


def test_a_refused_key_is_a_matter_of_authentication_although_google_says_400() -> None:
    info: Json = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    fault = fault_of(google(400, "INVALID_ARGUMENT", "API key not valid.", info), 400)
    assert (fault.kind, fault.http_status, fault.code) == ("authentication", 401, "API_KEY_INVALID")


def test_too_long_a_prompt_is_recognised_by_its_words() -> None:
    said = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    assert fault_of(google(400, "INVALID_ARGUMENT", said), 400).kind == "context_overflow"


def test_an_overloaded_model_is_recognised_by_its_words() -> None:
    assert fault_of(google(500, "INTERNAL", "The model is overloaded."), 500).kind == "overloaded"


def test_when_to_retry_comes_from_the_details_or_the_header() -> None:
    info: Json = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    assert fault_of(google(429, "RESOURCE_EXHAUSTED", "slow", info)).retry_after == 34.5
    body = orjson.dumps(google(429, "RESOURCE_EXHAUSTED"))
    assert read_error(429, body, {"Retry-After": "3"}).retry_after == 3
    assert read_error(429, body, {"Retry-After": "soon"}).retry_after is None


def test_the_field_and_the_delay_are_written_as_typed_details() -> None:
    written = write_error(Fault("rate_limit", "slow down", "contents", "QUOTA", retry_after=34))
    assert written.status == 429
    assert written.headers == {"retry-after": "34"}
    assert written.body == {
        "error": {
            "code": 429,
            "message": "contents: slow down",
            "status": "RESOURCE_EXHAUSTED",
            "details": [
                {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "QUOTA", "domain": "callgate"},
                {
                    "@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": [{"field": "contents", "description": "slow down"}],
                },
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"},
            ],
        }
    }
    again = fault_of(written.body)
    assert (again.param, again.code, again.retry_after) == ("contents", "QUOTA", 34)


def test_keys_are_never_repeated() -> None:
    fault = fault_of(google(400, "INVALID_ARGUMENT", "bad key AIzaSyA0123456789012345678901234567 in ?key=abc&x"))
    assert "AIza" not in fault.message
    assert "abc" not in fault.message


def test_what_is_no_json_is_shown_in_part() -> None:
    fault = read_error(502, b"<html>" + b"x" * 5000, {})
    assert (fault.kind, len(fault.message)) == ("upstream", 2048)
    assert "no reason" in read_error(500, b"", {}).message


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            "prompt is too long: 9 tokens > 8 maximum",
            "The input token count (9) exceeds the maximum number of tokens allowed (8).",
        ),
        ("too big", "The input token count exceeds the maximum number of tokens allowed: too big"),
        ("The token count exceeds the maximum number of tokens allowed (8).", None),
    ],
)
def test_an_overflow_is_told_in_the_words_by_which_clients_know_it(given: str, told: str | None) -> None:
    assert error_body(Fault("context_overflow", given))["error"]["message"] == (told or given)  # type: ignore[index,call-overload]
