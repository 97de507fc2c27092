"""Failures: as HTTP answers, as the error of a failed response, as an event of a stream."""

import re
from collections.abc import Mapping

from callgate.core.errors import STATUS_OF, Fault, FaultKind
from callgate.core.json.text import error_object
from callgate.core.messages import Json
from callgate.wire.codec import WrittenError
from callgate.wire.openai_responses.lenient import object_at, text_at
from callgate.wire.overflow import in_openai_words, tells_overflow
from callgate.wire.retry_hint import delay_in, hinted_seconds, whole_seconds

MAX_MESSAGE = 2048
"""Characters of a body that is no JSON which are kept as the message."""

_TYPES: dict[FaultKind, str] = {
    "invalid_request": "invalid_request_error",
    "context_overflow": "invalid_request_error",
    "authentication": "authentication_error",
    "billing": "insufficient_quota",
    "permission": "permission_error",
    "not_found": "invalid_request_error",
    "timeout": "timeout",
    "too_large": "invalid_request_error",
    "rate_limit": "rate_limit_error",
    "overloaded": "server_error",
    "upstream": "server_error",
}
_CODES: dict[FaultKind, str] = {
    "context_overflow": "context_length_exceeded",
    "authentication": "invalid_api_key",
    "billing": "insufficient_quota",
    "not_found": "model_not_found",
    "rate_limit": "rate_limit_exceeded",
    "overloaded": "overloaded",
    "upstream": "upstream_error",
}
_EVENT_CODES: dict[FaultKind, str] = {
    "invalid_request": "invalid_prompt",
    "context_overflow": "context_length_exceeded",
    "billing": "insufficient_quota",
    "rate_limit": "rate_limit_exceeded",
    "overloaded": "server_is_overloaded",
    "permission": "invalid_prompt",
    "authentication": "invalid_prompt",
    "not_found": "invalid_prompt",
    "too_large": "invalid_prompt",
}
"""What clients look for in a failed response; anything else is `server_error`. Codex tries again by itself after any
code that it does not know: what would fail again, or what a person has stopped, has the one that it gives up at."""
_KIND_OF_STATUS: dict[int, FaultKind] = {
    400: "invalid_request",
    401: "authentication",
    402: "billing",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "too_large",
    422: "invalid_request",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_KIND_OF_CODE: dict[str, FaultKind] = {
    "context_length_exceeded": "context_overflow",
    "exceed_context_size_error": "context_overflow",
    "insufficient_quota": "billing",
    "rate_limit_exceeded": "rate_limit",
    "rate_limit_error": "rate_limit",
    "invalid_api_key": "authentication",
    "authentication_error": "authentication",
    "permission_error": "permission",
    "model_not_found": "not_found",
    "not_found_error": "not_found",
    "invalid_prompt": "invalid_request",
    "invalid_request_error": "invalid_request",
    "invalid_encrypted_content": "invalid_request",
    "server_is_overloaded": "overloaded",
    "slow_down": "overloaded",
    "overloaded": "overloaded",
    "overloaded_error": "overloaded",
    "timeout": "timeout",
    "vector_store_timeout": "timeout",
}
_OVERLOADED = re.compile(r"\boverloaded\b|\bat capacity\b", re.IGNORECASE)


def read_error(status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
    """A provider's refusal; any body will do, also none."""
    value = error_object(body)
    if value is None:
        message = body[: 4 * MAX_MESSAGE].decode("utf-8", "replace").strip()[:MAX_MESSAGE]
        value = {"message": message} if message else {}
    return _read(value, status, hinted_seconds(headers))


def read_fault(value: Mapping[str, Json]) -> Fault:
    """The error of a failed response or of an `error` event, nested or flat."""
    return _read(value, 0, None)


def write_error(fault: Fault) -> WrittenError:
    status = _status(fault)
    headers: dict[str, str] = {}
    if fault.retry_after is not None:
        headers["retry-after"] = whole_seconds(fault.retry_after)
    elif status >= 500:
        headers["x-should-retry"] = "false"  # Callgate has tried; SDKs would try again twice
    return WrittenError(
        status,
        {
            "error": {
                "message": _message(fault),
                "type": _TYPES[fault.kind],
                "param": fault.param,
                "code": _code(fault),
            }
        },
        headers,
    )


def _code(fault: Fault) -> str | None:
    usual = _CODES.get(fault.kind)
    # these are what clients look for, whatever the peer called it
    return usual if fault.kind in ("context_overflow", "overloaded") else fault.code or usual


def event_error(fault: Fault) -> dict[str, Json]:
    """The `error` of a response that failed after it began."""
    return {"code": _EVENT_CODES.get(fault.kind) or fault.code or "server_error", "message": _message(fault)}


def _message(fault: Fault) -> str:
    overflows = fault.kind == "context_overflow"
    return in_openai_words(fault.message, "exceeds the context window") if overflows else fault.message


def _status(fault: Fault) -> int:
    """The peer's own where it blames the client, else the usual one: never 5xx for a client's mistake."""
    kept = 400 <= fault.status < 500 and fault.status not in (408, 422) and fault.kind != "context_overflow"
    return fault.status if kept else STATUS_OF[fault.kind]


def _read(value: Mapping[str, Json], status: int, retry_after: float | None) -> Fault:
    error = object_at(value, "error") or value
    message = text_at(error, "message") or text_at(value, "error") or text_at(value, "detail")
    code = text_at(error, "code")
    kind = _kind(status, code, "" if error is value else text_at(error, "type"), message)
    return Fault(
        kind,
        message or f"The provider answered with status {status}." if status else message or "The provider failed.",
        text_at(error, "param") or None,
        code or None,
        status,
        delay_in(error.get("details")) if retry_after is None else retry_after,
    )


def _kind(status: int, code: str, error_type: str, message: str) -> FaultKind:
    by_code = _KIND_OF_CODE.get(code)
    overflows = _KIND_OF_CODE.get(error_type) == "context_overflow" or tells_overflow(message)
    if overflows and by_code in (None, "invalid_request") and status in (0, 400, 413, 422, 500):
        return "context_overflow"
    kind = by_code or _KIND_OF_STATUS.get(status) or _KIND_OF_CODE.get(error_type)
    if kind is None and 400 <= status < 500:
        return "invalid_request"
    if kind is None and _OVERLOADED.search(message):
        return "overloaded"
    return kind or "upstream"
