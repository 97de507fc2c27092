"""Errors, both ways: a provider's answer → `Fault` → the answer to a client, in Google's shape."""

import re
from collections.abc import Mapping

from callgate.core.errors import STATUS_OF, Fault, FaultKind
from callgate.core.json.text import mend, parse
from callgate.core.messages import Json
from callgate.wire.codec import WrittenError
from callgate.wire.overflow import tells_overflow, used_and_limit
from callgate.wire.retry_hint import hinted_seconds, seconds_in, whole_seconds

MAX_MESSAGE = 2048
"""Of an answer that is not JSON (an HTML page, a stack trace), this much is shown."""

_TYPE = "type.googleapis.com/google.rpc."
_BY_NAME: dict[str, FaultKind] = {
    "INVALID_ARGUMENT": "invalid_request",
    "FAILED_PRECONDITION": "invalid_request",
    "OUT_OF_RANGE": "invalid_request",
    "ALREADY_EXISTS": "invalid_request",
    "UNIMPLEMENTED": "invalid_request",
    "UNAUTHENTICATED": "authentication",
    "PERMISSION_DENIED": "permission",
    "NOT_FOUND": "not_found",
    "RESOURCE_EXHAUSTED": "rate_limit",
    "DEADLINE_EXCEEDED": "timeout",
    "CANCELLED": "timeout",
    "UNAVAILABLE": "overloaded",
    "ABORTED": "overloaded",
    "INTERNAL": "upstream",
    "UNKNOWN": "upstream",
    "DATA_LOSS": "upstream",
}
_BY_STATUS: dict[int, FaultKind] = {
    401: "authentication",
    402: "billing",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "too_large",
    429: "rate_limit",
    499: "timeout",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_NAMES: dict[FaultKind, str] = {
    "invalid_request": "INVALID_ARGUMENT",
    "context_overflow": "INVALID_ARGUMENT",
    "authentication": "UNAUTHENTICATED",
    "billing": "FAILED_PRECONDITION",
    "permission": "PERMISSION_DENIED",
    "not_found": "NOT_FOUND",
    "timeout": "DEADLINE_EXCEEDED",
    "too_large": "INVALID_ARGUMENT",
    "rate_limit": "RESOURCE_EXHAUSTED",
    "overloaded": "UNAVAILABLE",
    "upstream": "INTERNAL",
}
_CLIENTS_READ = "exceeds the maximum number of tokens allowed"
"""The words by which LangChain, Pydantic AI and Strands know an overflow."""
_BUSY = re.compile(r"\boverloaded\b|at capacity", re.IGNORECASE)
_BAD_KEY = ("API_KEY_INVALID", "API_KEY_EXPIRED")
_SECRET = re.compile(r"\bAIza[\w-]{20,}|(?i:(?<=bearer ))\S{8,}|(?<=[?&]key=)[^&\s]+|\b(?:sk|ya29)[-.][\w.-]{12,}")


def read_error(status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
    """`status` is 0 where an error came inside a stream."""
    try:
        value = parse(body)
    except ValueError:
        value = mend(body[:MAX_MESSAGE].decode("utf-8", "replace")).strip()
    return fault_of(value, status, headers)


def fault_of(value: Json, status: int = 0, headers: Mapping[str, str] | None = None) -> Fault:
    """The fault in an error body, which may be in a list, as streams have it, or no JSON at all."""
    if isinstance(value, list) and value:
        value = value[0]
    error = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(error, dict):
        error = {"message": error if isinstance(error, str) else None}
    code = error.get("code")
    if not 400 <= status < 600 and isinstance(code, int):
        status = code
    details = _details(error.get("details"))
    said = error.get("message") or error.get("detail")
    message = said if isinstance(said, str) and said else f"the provider gave no reason (status {status})"
    name = error.get("status")
    kind = _kind(status, name if isinstance(name, str) else "", message, details.reason)
    usual = kind == "authentication" and status == 400  # how Google refuses a key; no other wire would know it
    return Fault(
        kind,
        _SECRET.sub("[key]", message[:MAX_MESSAGE]),
        details.field,
        details.reason,
        status if 400 <= status < 600 and not usual else 0,
        details.retry_after if details.retry_after is not None else hinted_seconds(headers or {}),
    )


class _Details:
    """What Google's typed details say."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.field: str | None = None
        self.retry_after: float | None = None


def _details(given: Json) -> _Details:
    details = _Details()
    for detail in given if isinstance(given, list) else ():
        match detail:
            case {"retryDelay": str(delay)}:
                details.retry_after = seconds_in(delay)
            case {"reason": str(reason)}:
                details.reason = reason
            case {"fieldViolations": [{"field": str(field)}, *_]}:
                details.field = field
            case _:
                pass
    return details


def _kind(status: int, name: str, message: str, reason: str | None) -> FaultKind:
    if reason in _BAD_KEY:
        return "authentication"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status in (0, 400, 422, 500) and tells_overflow(message):
        return "context_overflow"
    if (status == 0 or status >= 500) and _BUSY.search(message):
        return "overloaded"
    if name in _BY_NAME:
        return _BY_NAME[name]
    return "invalid_request" if 400 <= status < 500 else "upstream"


def write_error(fault: Fault) -> WrittenError:
    headers: dict[str, str] = {}
    if fault.retry_after is not None:
        headers["retry-after"] = whole_seconds(fault.retry_after)
    return WrittenError(STATUS_OF[fault.kind], error_body(fault), headers)


def error_body(fault: Fault) -> dict[str, Json]:
    """The body of an error, and of an error inside a stream."""
    details: list[Json] = []
    if fault.code:
        details.append({"@type": f"{_TYPE}ErrorInfo", "reason": fault.code, "domain": "callgate"})
    if fault.param:
        violation: Json = {"field": fault.param, "description": fault.message}
        details.append({"@type": f"{_TYPE}BadRequest", "fieldViolations": [violation]})
    if fault.retry_after is not None:
        details.append({"@type": f"{_TYPE}RetryInfo", "retryDelay": f"{round(fault.retry_after, 3):.15g}s"})
    error: dict[str, Json] = {
        "code": STATUS_OF[fault.kind],
        "message": _message(fault),
        "status": _NAMES[fault.kind],
    }
    return {"error": {**error, "details": details} if details else error}


def _message(fault: Fault) -> str:
    """Clients print only this, so it must name the field; and know a prompt that is too long by nothing else."""
    if fault.kind == "context_overflow":
        return _overflow_message(fault.message)
    if fault.param and fault.param not in fault.message:
        return f"{fault.param}: {fault.message}"
    return fault.message


def _overflow_message(text: str) -> str:
    if _CLIENTS_READ in text:
        return text
    if found := used_and_limit(text):
        used, limit = found
        return f"The input token count ({used}) {_CLIENTS_READ} ({limit})."
    return f"The input token count {_CLIENTS_READ}: {text}"
