"""Errors in words, which is all that this wire has."""

import pytest

from callgate.core.errors import Fault, FaultKind
from callgate.wire.ollama_chat.errors import error_body, read_error, write_error


@pytest.mark.parametrize(
    ("status", "body", "kind", "message"),
    [
        (404, b'{"error":"model \\"x\\" not found"}', "not_found", 'model "x" not found'),
        (500, b'{"error":"model requires more memory"}', "upstream", "model requires more memory"),
        (400, b'{"error":"input length exceeds the context length"}', "context_overflow", "input length exceeds"),
        (429, b'{"error":{"message":"slow"}}', "rate_limit", "slow"),
        (502, b"Bad gateway", "upstream", "Bad gateway"),
        (400, b"", "invalid_request", "status 400"),
        (0, b'{"error":"no","status_code":401}', "authentication", "no"),
    ],
)
def test_whatever_a_server_says_is_read(status: int, body: bytes, kind: FaultKind, message: str) -> None:
    fault = read_error(status, body, {})
    assert fault.kind == kind
    assert message in fault.message


def test_the_field_at_fault_is_named_once() -> None:
    assert error_body(Fault("invalid_request", "must be a list", "tools")) == {"error": "tools: must be a list"}
    assert error_body(Fault("invalid_request", "'tools' must be a list", "tools")) == {
        "error": "'tools' must be a list"
    }


def test_a_wait_is_told_in_the_header() -> None:
    assert write_error(Fault("rate_limit", "slow", retry_after=1.2)).headers == {"retry-after": "2"}
