"""Errors of all kinds of servers, and how clients are told."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from callgate.core.errors import BadRequest, Fault, FaultKind
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json
from callgate.wire.openai_chat.errors import read_error, write_error


def read(status: int, body: Json, **headers: str) -> Fault:
    return read_error(status, dump_bytes(body), {name.replace("_", "-"): value for name, value in headers.items()})


MESSAGE = "Input tokens exceed the configured limit of 8 tokens."


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"message": "m", "type": "invalid_request_error", "param": "n"}, "invalid_request"),
        (422, {"message": "m"}, "invalid_request"),
        (401, {"message": "m", "code": "invalid_api_key"}, "authentication"),
        (402, {"message": "m"}, "billing"),
        (429, {"message": "m", "type": "insufficient_quota", "code": "insufficient_quota"}, "billing"),
        (403, {"message": "m"}, "permission"),
        (404, {"message": "m", "code": "model_not_found"}, "not_found"),
        (408, {"message": "m"}, "timeout"),
        (504, {"message": "m"}, "timeout"),
        (413, {"message": "m"}, "too_large"),
        (429, {"message": "m"}, "rate_limit"),
        (503, {"message": "m", "type": "unavailable_error"}, "overloaded"),
        (529, {"message": "m"}, "overloaded"),
        (500, {"message": "The model is overloaded"}, "overloaded"),
        (500, {"message": "m"}, "upstream"),
        (502, {"message": "m"}, "upstream"),
        (400, {"message": "m", "code": "context_length_exceeded"}, "context_overflow"),
        (400, {"message": "m", "type": "exceed_context_size_error", "code": 400}, "context_overflow"),
        (400, {"message": "This model's maximum context length is 8192 tokens"}, "context_overflow"),
        (400, {"message": "request (9 tokens) exceeds the available context size (8 tokens)"}, "context_overflow"),
        (400, {"message": "Your input exceeds the context window of this model"}, "context_overflow"),
        (400, {"message": MESSAGE}, "context_overflow"),
    ],
)
def test_the_kind_is_known_by_status_words_and_text(status: int, error: Json, kind: FaultKind) -> None:
    assert read(status, {"error": error}).kind == kind


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "openai"}}, "openai"),
        ({"error": "ollama"}, "ollama"),
        ({"object": "error", "message": "vllm", "type": "BadRequestError", "code": 400}, "vllm"),
        ([{"error": {"code": 400, "message": "google", "status": "INVALID_ARGUMENT"}}], "google"),
        ({"detail": "fastapi"}, "fastapi"),
        (
            {"detail": [{"loc": ["body", "n", 0], "msg": "Field required", "input": "…" * 999}]},
            "body.n.0: Field required",
        ),
        ({"detail": ["odd"]}, '["odd"]'),
        (
            {
                "error": {
                    "message": "Provider returned error",
                    "code": 400,
                    "metadata": {"raw": "why", "provider_name": "x"},
                }
            },
            "Provider returned error: why",
        ),
    ],
)
def test_every_shape_is_understood(body: Json, message: str) -> None:
    fault = read(400, body)
    assert (fault.kind, fault.message) == ("invalid_request", message)


def test_field_and_code_are_kept() -> None:
    fault = read(400, {"error": {"message": "m", "param": "tools[0]", "code": "invalid_value"}})
    assert (fault.param, fault.code, fault.status) == ("tools[0]", "invalid_value", 400)


def test_text_that_is_no_json_is_kept_in_part() -> None:
    fault = read_error(502, b"<html>Bad gateway" + b"x" * 5000, {})
    assert fault.message.startswith("<html>Bad gateway")
    assert len(fault.message) == 2048
    assert read_error(500, b"", {}).message == "the provider answered with status 500"


def test_a_status_inside_the_body_counts_where_http_said_nothing() -> None:
    assert read(200, {"error": {"message": "m", "code": 429}}).status == 429
    assert read(0, {"error": {"message": "m", "type": "rate_limit_error"}}).kind == "rate_limit"


def test_keys_are_never_repeated() -> None:
    fault = read(401, {"error": {"message": "Incorrect API key provided: sk-proj-abcdefgh1234. Bearer abc.def"}})
    assert "abcdefgh" not in fault.message
    assert "abc.def" not in fault.message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"retry_after_ms": "1500", "retry_after": "7"}, 1.5),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-3"}, None),
        ({"retry_after": "nan"}, None),
        ({}, None),
    ],
)
def test_hints_to_wait_are_read(headers: dict[str, str], seconds: float | None) -> None:
    assert read(429, {"error": {"message": "m"}}, **headers).retry_after == seconds


def test_a_date_to_wait_for_is_a_number_of_seconds() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 20 < (read(429, {"error": {"message": "m"}}, retry_after=later).retry_after or 0) <= 30


def test_googles_hint_to_wait_is_read() -> None:
    error: Json = {"code": 429, "message": "m", "details": [{"@type": "x/RetryInfo", "retryDelay": "34s"}]}
    assert read(429, [{"error": error}]).retry_after == 34.0


@pytest.mark.parametrize(
    ("kind", "status", "type", "code"),
    [
        ("invalid_request", 400, "invalid_request_error", None),
        ("context_overflow", 400, "invalid_request_error", "context_length_exceeded"),
        ("authentication", 401, "authentication_error", "invalid_api_key"),
        ("billing", 402, "insufficient_quota", "insufficient_quota"),
        ("permission", 403, "permission_error", None),
        ("not_found", 404, "invalid_request_error", "model_not_found"),
        ("timeout", 504, "timeout", "timeout"),
        ("too_large", 413, "invalid_request_error", "request_too_large"),
        ("rate_limit", 429, "rate_limit_error", "rate_limit_exceeded"),
        ("overloaded", 503, "server_error", "overloaded"),
        ("upstream", 502, "server_error", "upstream_error"),
    ],
)
def test_each_kind_has_its_status_type_and_code(kind: FaultKind, status: int, type: str, code: str | None) -> None:
    written = write_error(Fault(kind, MESSAGE, "p"))
    assert written.status == status
    assert written.body == {"error": {"message": MESSAGE, "type": type, "param": "p", "code": code}}


def test_a_complaint_names_its_field() -> None:
    written = write_error(BadRequest("bad", "tools[0].type", code="invalid_value").fault)
    assert written.body["error"] == {
        "message": "bad",
        "type": "invalid_request_error",
        "param": "tools[0].type",
        "code": "invalid_value",
    }


@pytest.mark.parametrize(
    ("kind", "given", "status"),
    [
        ("invalid_request", 422, 400),
        ("invalid_request", 409, 409),
        ("upstream", 500, 502),
        ("overloaded", 529, 503),
        ("billing", 429, 429),
    ],
)
def test_a_peers_status_is_told_only_where_it_says_more(kind: FaultKind, given: int, status: int) -> None:
    assert write_error(Fault(kind, "m", status=given)).status == status


def test_clients_are_told_when_to_try_again_and_when_not() -> None:
    assert write_error(Fault("rate_limit", "m", retry_after=1.2)).headers == {
        "retry-after": "2",
        "retry-after-ms": "1200",
    }
    assert write_error(Fault("upstream", "m")).headers == {"x-should-retry": "false"}
    assert write_error(Fault("overloaded", "m")).headers == {}
