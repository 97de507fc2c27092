"""Failures in OpenAI's shape, both ways."""

import orjson
import pytest

from callgate.core.errors import Fault, FaultKind
from callgate.wire.openai_responses.errors import event_error, read_error, read_fault, write_error


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, b'{"error":{"message":"bad","type":"invalid_request_error","param":"x","code":null}}', "invalid_request"),
        (400, b'{"error":{"message":"m","code":"context_length_exceeded"}}', "context_overflow"),
        (400, b'{"error":{"message":"This model\'s maximum context length is 9 tokens"}}', "context_overflow"),
        (401, b"", "authentication"),
        (403, b"{}", "permission"),
        (404, b'{"error":{"message":"no","code":"model_not_found"}}', "not_found"),
        (413, b"too big", "too_large"),
        (429, b'{"error":{"message":"m","code":"rate_limit_exceeded"}}', "rate_limit"),
        (429, b'{"error":{"message":"m","code":"insufficient_quota"}}', "billing"),
        (500, b'{"error":"broke"}', "upstream"),
        (500, b'{"error":{"message":"The model is overloaded"}}', "overloaded"),
        (503, b"", "overloaded"),
        (504, b"", "timeout"),
    ],
)
def test_a_refusal_is_understood(status: int, body: bytes, kind: FaultKind) -> None:
    fault = read_error(status, body, {})
    assert (fault.kind, fault.status) == (kind, status)
    assert fault.message


def test_waiting_times_are_read() -> None:
    assert read_error(429, b"", {"Retry-After": "12"}).retry_after == 12
    assert read_error(429, b"", {"retry-after-ms": "500", "retry-after": "1"}).retry_after == 0.5
    assert read_error(429, b"", {"retry-after": "soon"}).retry_after is None


def test_an_error_is_written_with_type_param_and_code() -> None:
    written = write_error(Fault("context_overflow", "It exceeds the context window.", "input", status=500))
    assert written.status == 400
    assert written.body == {
        "error": {
            "message": "It exceeds the context window.",
            "type": "invalid_request_error",
            "param": "input",
            "code": "context_length_exceeded",
        }
    }


def test_a_final_failure_asks_for_no_retry_and_a_busy_one_says_when() -> None:
    assert write_error(Fault("upstream", "x", status=500)).headers == {"x-should-retry": "false"}
    busy = write_error(Fault("rate_limit", "x", retry_after=1.2))
    assert (busy.status, busy.headers) == (429, {"retry-after": "2"})


@pytest.mark.parametrize(("status", "expected"), [(408, 504), (500, 502), (529, 503), (404, 404), (409, 409)])
def test_the_status_blames_the_right_side(status: int, expected: int) -> None:
    assert write_error(read_error(status, b"{}", {})).status == expected


def test_a_failed_response_names_a_code_that_clients_know() -> None:
    assert event_error(Fault("rate_limit", "slow")) == {"code": "rate_limit_exceeded", "message": "slow"}
    assert event_error(Fault("upstream", "gone"))["code"] == "server_error"
    assert read_fault({"error": event_error(Fault("overloaded", "busy"))}).kind == "overloaded"


def test_too_long_a_prompt_is_known_by_its_type_alone_and_in_spite_of_a_vaguer_code() -> None:
    for error in (
        {"type": "exceed_context_size_error", "message": "too much", "code": 400},
        {"code": "invalid_request_error", "message": "the maximum context length is 5 tokens"},
    ):
        assert read_error(400, orjson.dumps({"error": error}), {}).kind == "context_overflow"


def test_the_codes_that_clients_look_for_are_not_replaced_by_a_peers_own() -> None:
    def code(fault: Fault) -> object:
        error = write_error(fault).body["error"]
        assert isinstance(error, dict)
        return error["code"]

    assert code(Fault("context_overflow", "m", code="invalid_request_error")) == "context_length_exceeded"
    assert code(Fault("overloaded", "m", code="busy_now")) == "overloaded"
    assert code(Fault("not_found", "m")) == "model_not_found"
    assert code(Fault("not_found", "m", code="unknown_url")) == "unknown_url"
