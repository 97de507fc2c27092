"""Errors: whatever a compatible server answers → `Fault`, and `Fault` → what OpenAI's clients understand."""

import re
from collections.abc import Mapping

from callgate.core.errors import STATUS_OF, Fault, FaultKind
from callgate.core.json.text import dump_text, parse
from callgate.core.messages import Json
from callgate.wire.codec import WrittenError
from callgate.wire.overflow import in_openai_words, tells_overflow
from callgate.wire.retry_hint import delay_in, hinted_seconds, whole_seconds

MAX_TEXT = 2048
"""Of a body that is no JSON (a gateway's page, say) so much is kept as the message."""

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
_BY_WORD: dict[str, FaultKind] = {
    "context_length_exceeded": "context_overflow",
    "exceed_context_size_error": "context_overflow",
    "model_max_prompt_tokens_exceeded": "context_overflow",  # Copilot
    "insufficient_quota": "billing",
    "invalid_api_key": "authentication",
    "authentication_error": "authentication",
    "permission_error": "permission",
    "model_not_found": "not_found",
    "not_found_error": "not_found",
    "rate_limit_error": "rate_limit",
    "rate_limit_exceeded": "rate_limit",
    "resource_exhausted": "rate_limit",
    "overloaded": "overloaded",
    "overloaded_error": "overloaded",
    "unavailable_error": "overloaded",
    "unavailable": "overloaded",
    "timeout": "timeout",
    "timeout_error": "timeout",
    "deadline_exceeded": "timeout",
    "request_too_large": "too_large",
    "invalid_request_error": "invalid_request",
    "badrequesterror": "invalid_request",  # vLLM
}
_BUSY = re.compile(r"overloaded|at capacity", re.IGNORECASE)
_SECRET = re.compile(r"(?i:bearer\s+)\S+|\b(?:sk|pk|gsk|xai|key)-[\w*-]{8,}|\bAIza[\w-]{20,}")

_SPELLED: dict[FaultKind, tuple[str, str | None]] = {
    "invalid_request": ("invalid_request_error", None),
    "context_overflow": ("invalid_request_error", "context_length_exceeded"),
    "authentication": ("authentication_error", "invalid_api_key"),
    "billing": ("insufficient_quota", "insufficient_quota"),
    "permission": ("permission_error", None),
    "not_found": ("invalid_request_error", "model_not_found"),
    "timeout": ("timeout", "timeout"),
    "too_large": ("invalid_request_error", "request_too_large"),
    "rate_limit": ("rate_limit_error", "rate_limit_exceeded"),
    "overloaded": ("server_error", "overloaded"),
    "upstream": ("server_error", "upstream_error"),
}


def read_error(status: int, body: bytes, headers: Mapping[str, str]) -> Fault:
    """`status` is 0 where an error came inside a stream."""
    try:
        value = parse(body)
    except ValueError:
        value = body[:MAX_TEXT].decode("utf-8", "replace").strip()
    return fault_of(value, status, headers)


def fault_of(value: Json, status: int = 0, headers: Mapping[str, str] | None = None) -> Fault:
    """A body in any of the shapes: OpenAI's, OpenRouter's, vLLM's, FastAPI's, Google's array, bare text."""
    if isinstance(value, list) and value:
        value = value[0]
    error = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(error, dict):
        error = {"message": error if isinstance(error, str) else None}
    code = error.get("code")
    if not 400 <= status < 600 and isinstance(code, int):
        status = code
    words = [error.get("code"), error.get("type"), error.get("status")]
    known: list[FaultKind] = [
        _BY_WORD[word.lower()] for word in words if isinstance(word, str) and word.lower() in _BY_WORD
    ]
    message = _SECRET.sub("[key]", _message(error) or f"the provider answered with status {status}")
    param = error.get("param")
    return Fault(
        _kind(status, known, message),
        message,
        param if isinstance(param, str) else None,
        code if isinstance(code, str) else None,
        status if 400 <= status < 600 else 0,
        _hinted(headers or {}, error),
    )


def _message(error: Mapping[str, Json]) -> str:
    message = error.get("message") or error.get("detail") or error.get("error_description")
    text = message if isinstance(message, str) else "" if message is None else _complaints(message)
    match error.get("metadata"):
        case {"raw": str(raw)} if raw and raw not in text:  # OpenRouter: what its provider said
            text = f"{text}: {raw}"
        case _:
            pass
    return text[:MAX_TEXT]


def _complaints(detail: Json) -> str:
    """FastAPI's list of what is wrong where; it quotes the request too, which nobody needs again."""
    told = [
        f"{'.'.join(str(step) for step in loc)}: {said}"
        for one in (detail if isinstance(detail, list) else ())
        if isinstance(one, dict) and isinstance(said := one.get("msg"), str) and isinstance(loc := one.get("loc"), list)
    ]
    return "; ".join(told) or dump_text(detail)


def _kind(status: int, known: list[FaultKind], message: str) -> FaultKind:
    if "context_overflow" in known or (status in (0, 400, 413, 422, 500) and tells_overflow(message)):
        return "context_overflow"
    if "billing" in known:  # OpenAI says it with status 429, which is no invitation to retry
        return "billing"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status in (0, 500, 502) and _BUSY.search(message):
        return "overloaded"
    if known:
        return known[0]
    return "invalid_request" if 400 <= status < 500 else "upstream"


def _hinted(headers: Mapping[str, str], error: Mapping[str, Json]) -> float | None:
    hinted = hinted_seconds(headers)
    return delay_in(error.get("details")) if hinted is None else hinted


def write_error(fault: Fault) -> WrittenError:
    headers: dict[str, str] = {}
    if fault.retry_after is not None:
        headers["retry-after"] = whole_seconds(fault.retry_after)
        headers["retry-after-ms"] = str(round(fault.retry_after * 1000))
    elif fault.kind in ("upstream", "timeout"):
        headers["x-should-retry"] = "false"  # clients would repeat a whole exchange, with its approvals
    return WrittenError(_status(fault), {"error": error_body(fault)}, headers)


def error_body(fault: Fault) -> dict[str, Json]:
    kind, code = _SPELLED[fault.kind]
    if fault.kind not in ("context_overflow", "overloaded"):  # their codes are what clients look for
        code = fault.code or code
    message = in_openai_words(fault.message) if fault.kind == "context_overflow" else fault.message
    return {"message": message, "type": kind, "param": fault.param, "code": code}


def _status(fault: Fault) -> int:
    """A peer's own status only where it says more than the kind does."""
    if fault.kind == "invalid_request" and 400 <= fault.status < 500 and fault.status != 422:
        return fault.status
    if fault.kind == "billing" and fault.status == 429:
        return 429
    return STATUS_OF[fault.kind]
