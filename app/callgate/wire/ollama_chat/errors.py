"""Errors: whatever a server answers → `Fault`, and `Fault` → `{"error": "…"}`, which is all that clients look for."""

from collections.abc import Mapping

from callgate.core.errors import STATUS_OF, Fault, FaultKind
from callgate.core.json.text import dump_text, parse
from callgate.core.messages import Json
from callgate.wire.codec import WrittenError
from callgate.wire.overflow import tells_overflow
from callgate.wire.retry_hint import delay_in, hinted_seconds, whole_seconds

MAX_TEXT = 2048
"""Of a body that is no JSON so much is kept as the message."""
_BY_STATUS: dict[int, FaultKind] = {
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
_OVERFLOW = "the input exceeds the context window"


def read_error(status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
    """`status` is 0 where an error came inside a stream."""
    try:
        value = parse(body)
    except ValueError:
        value = body[:MAX_TEXT].decode("utf-8", "replace").strip()
    return fault_of(value, status, headers)


def fault_of(value: Json, status: int = 0, headers: Mapping[str, str] | None = None) -> Fault:
    """A body in Ollama's shape, or in one of the gateways before it: Google's array, FastAPI's `detail`, bare text."""
    if isinstance(value, list) and value:
        value = value[0]
    error = value.get("error") or value.get("detail") or value if isinstance(value, dict) else value
    delay = None
    if isinstance(error, dict):
        delay = delay_in(error.get("details"))
        error = error.get("message") or dump_text(error)
    told = value.get("status_code") if isinstance(value, dict) else None
    if status == 0 and isinstance(told, int) and 400 <= told < 600:
        status = told
    hinted = hinted_seconds(headers or {})
    message = (error if isinstance(error, str) else dump_text(error) if error else "")[:MAX_TEXT]
    return Fault(
        _kind(status, message),
        message or f"the provider answered with status {status}",
        status=status if 400 <= status < 600 else 0,
        retry_after=delay if hinted is None else hinted,
    )


def _kind(status: int, message: str) -> FaultKind:
    if status in (0, 400, 413, 422, 500) and tells_overflow(message):
        return "context_overflow"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status == 0 and ("busy" in message or "overloaded" in message):
        return "overloaded"
    return "invalid_request" if 400 <= status < 500 else "upstream"


def write_error(fault: Fault) -> WrittenError:
    headers: dict[str, str] = {}
    if fault.retry_after is not None:
        headers["retry-after"] = whole_seconds(fault.retry_after)
    return WrittenError(STATUS_OF[fault.kind], error_body(fault), headers)


def error_under_200(fault: Fault) -> dict[str, Json]:
    """Of an answer whose status is spent, with the one that it should have had, as newer servers say it."""
    return {**error_body(fault), "status_code": STATUS_OF[fault.kind]}


def error_body(fault: Fault) -> dict[str, Json]:
    """The field is named in the words, as there is no other place for it."""
    message = fault.message
    if fault.param and fault.param not in message:
        message = f"{fault.param}: {message}"
    if fault.kind == "context_overflow" and not tells_overflow(message):
        message = f"{_OVERFLOW}: {message}"
    return {"error": message}
