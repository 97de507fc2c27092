"""Errors, both ways: a provider's answer → `Fault` → the answer to a client, in this wire's shape."""

import re
from collections.abc import Mapping

from callgate.core.errors import Fault, FaultKind
from callgate.core.ids import new_id
from callgate.core.json.text import error_object, mend
from callgate.core.messages import Json
from callgate.wire.codec import WrittenError
from callgate.wire.overflow import tells_overflow, used_and_limit
from callgate.wire.retry_hint import delay_in, hinted_seconds, whole_seconds

MAX_MESSAGE = 2048
"""Of an answer that is not JSON (an HTML page, a stack trace), this much is shown."""

_KIND_OF_TYPE: dict[str, FaultKind] = {
    "invalid_request_error": "invalid_request",
    "authentication_error": "authentication",
    "billing_error": "billing",
    "permission_error": "permission",
    "not_found_error": "not_found",
    "request_too_large": "too_large",
    "rate_limit_error": "rate_limit",
    "timeout_error": "timeout",
    "overloaded_error": "overloaded",
    "api_error": "upstream",
    "exceed_context_size_error": "context_overflow",
    "unavailable_error": "overloaded",
}
_KIND_OF_STATUS: dict[int, FaultKind] = {
    401: "authentication",
    402: "billing",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "too_large",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_SPELLED: dict[FaultKind, tuple[int, str]] = {
    "invalid_request": (400, "invalid_request_error"),
    "context_overflow": (400, "invalid_request_error"),
    "authentication": (401, "authentication_error"),
    "billing": (402, "billing_error"),
    "permission": (403, "permission_error"),
    "not_found": (404, "not_found_error"),
    "timeout": (504, "timeout_error"),
    "too_large": (413, "request_too_large"),
    "rate_limit": (429, "rate_limit_error"),
    "overloaded": (529, "overloaded_error"),
    "upstream": (502, "api_error"),
}
_OVERLOADED = re.compile(r"\boverloaded\b|at capacity", re.IGNORECASE)
_CLIENT_READS = re.compile(r"prompt is too long: \d+ tokens > \d+ maximum|exceed context limit: \d+ \+ \d+ > \d+")
"""Wordings that Claude Code takes apart to compact or to retry with less."""
_SECRET = re.compile(r"\b(?:sk|rk|pk)-[A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}|(?<=Bearer )[A-Za-z0-9._-]{12,}")


def read_error(status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
    value: Mapping[str, Json] | None = error_object(body)
    if value is None:
        text = mend(body[:MAX_MESSAGE].decode("utf-8", "replace")).strip()
        value = {"error": {"message": text or f"HTTP status {status} with an empty body"}}
    return fault_of(value, status, hinted_seconds(headers))


def fault_of(body: Mapping[str, Json], status: int, retry_after: float | None = None) -> Fault:
    """The fault in an error body. `status` 0: it came inside a stream or in the clothes of a success."""
    error = body.get("error")
    if not isinstance(error, dict):
        error = {"message": error if isinstance(error, str) else body.get("message") or body.get("detail")}
    type_, message = error.get("type"), error.get("message")
    code = error.get("code")
    details = error.get("details")
    if isinstance(details, dict) and isinstance(details.get("error_code"), str):
        code = details["error_code"]
    text = message if isinstance(message, str) and message else "the provider gave no reason"
    kind = _kind(type_ if isinstance(type_, str) else "", status or (code if isinstance(code, int) else 0))
    overflows = code == "context_length_exceeded" or tells_overflow(text)
    if overflows and kind in ("invalid_request", "too_large", "upstream"):
        kind = "context_overflow"
    elif kind == "upstream" and _OVERLOADED.search(text):
        kind = "overloaded"
    return Fault(
        kind,
        _SECRET.sub("[key]", text),
        code=code if isinstance(code, str) else None,
        status=status,
        retry_after=delay_in(details) if retry_after is None else retry_after,
    )


def write_error(fault: Fault) -> WrittenError:
    status, _ = _SPELLED[fault.kind]
    request_id = new_id("req")
    headers = {"request-id": request_id}
    if fault.retry_after is not None:
        headers["retry-after"] = whole_seconds(fault.retry_after)
    elif fault.kind in ("upstream", "timeout"):
        headers["x-should-retry"] = "false"  # clients would repeat a whole exchange, with its approvals
    return WrittenError(status, {**error_event(fault), "request_id": request_id}, headers)


def error_event(fault: Fault) -> dict[str, Json]:
    """The body of an error, and of the `error` event inside a stream."""
    error: dict[str, Json] = {"type": _SPELLED[fault.kind][1], "message": _message(fault)}
    if fault.code:
        error["details"] = {"error_code": fault.code}
    return {"type": "error", "error": error}


def _message(fault: Fault) -> str:
    if fault.kind == "context_overflow":
        return _overflow_message(fault.message)
    # this wire has no field for the path, so the text must name it
    if fault.param and fault.param not in fault.message:
        return f"{fault.param}: {fault.message}"
    return fault.message


def _overflow_message(text: str) -> str:
    if _CLIENT_READS.search(text):
        return text
    if found := used_and_limit(text):
        used, limit = found
        return f"prompt is too long: {used} tokens > {limit} maximum"
    return text if "prompt is too long" in text else f"prompt is too long: {text}"


def _kind(type: str, status: int) -> FaultKind:
    if kind := _KIND_OF_TYPE.get(type):
        return kind
    if kind := _KIND_OF_STATUS.get(status):
        return kind
    return "invalid_request" if 400 <= status < 500 else "upstream"
