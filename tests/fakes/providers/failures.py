"""How each service fails: the status, the words and the hints that it really gives."""

from typing import Any

import orjson
from tests.fakes.providers.service import Reply, whole

WORDS = "Störung: 42 ☂"
"""Part of every message, so that it can be found again."""
RETRY_SECONDS = 34
OVERFLOWS = {
    "openai-chat": "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens.",
    "openai-responses": "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "anthropic": "prompt is too long: 210000 tokens > 200000 maximum",
    "gemini": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
}
_ANTHROPIC = {
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
    500: "api_error",
    400: "invalid_request_error",
}
_GEMINI = {
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    500: "INTERNAL",
    400: "INVALID_ARGUMENT",
}
_OPENAI = {
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("tokens", "rate_limit_exceeded"),
    503: ("server_error", None),
    500: ("server_error", None),
    400: ("invalid_request_error", "context_length_exceeded"),
}


def failure(wire: str, status: int, words: str = WORDS) -> Reply:
    """`status` 529 is Anthropic's own; the others say 503."""
    if status == 529 and wire != "anthropic":
        status = 503
    hint = {"retry_after": str(RETRY_SECONDS)} if status == 429 and wire != "gemini" else {}
    return whole(_body(wire, status, words), status, **hint)


def page() -> Reply:
    """What a gateway in front of a service says."""
    body = b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>nginx</h1></body>\r\n</html>"
    return Reply(body, 502, "text/html")


def under_200(wire: str, *, stream: bool) -> Reply:
    """An error in the clothes of a success."""
    match wire:
        case "openai-chat":
            body: dict[str, Any] = {"error": {"message": WORDS, "code": 502, "metadata": {"provider_name": "x"}}}
            return Reply(b"data: " + orjson.dumps(body) + b"\n\n") if stream else whole(body)
        case "openai-responses":
            error = {"code": "server_error", "message": WORDS}
            body = {"id": "resp_1", "object": "response", "created_at": 1, "status": "failed", "error": error}
            body |= {"model": "gpt-5.5", "output": [], "usage": None, "incomplete_details": None}
            return (
                Reply(_event({"type": "response.failed", "sequence_number": 0, "response": body}))
                if stream
                else whole(body)
            )
        case "anthropic":
            body = _body(wire, 500, WORDS)
            return Reply(_event(body)) if stream else whole(body)
        case _:
            body = _body(wire, 500, WORDS)
            return Reply(b"data: " + orjson.dumps(body) + b"\r\n\r\n") if stream else whole(body)


def _body(wire: str, status: int, words: str) -> dict[str, Any]:
    match wire:
        case "anthropic":
            error: dict[str, Any] = {"type": _ANTHROPIC[status], "message": words}
            return {"type": "error", "error": error, "request_id": "req_011"}
        case "gemini":
            error = {"code": status, "message": words, "status": _GEMINI[status]}
            if status == 429:
                kind = "type.googleapis.com/google.rpc.RetryInfo"
                error["details"] = [{"@type": kind, "retryDelay": f"{RETRY_SECONDS}s"}]
            return {"error": error}
        case _:
            kind, code = _OPENAI[status]
            return {"error": {"message": words, "type": kind, "param": None, "code": code}}


def _event(value: dict[str, Any]) -> bytes:
    return b"event: " + value["type"].encode() + b"\ndata: " + orjson.dumps(value) + b"\n\n"
