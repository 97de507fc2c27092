"""Why a candidate ended: the provider's words ↔ the neutral ones."""

from typing import assert_never

from callgate.core.errors import Fault
from callgate.core.messages import FinishReason, Json

UNSAID = ("", "FINISH_REASON_UNSPECIFIED", "BLOCKED_REASON_UNSPECIFIED")

_FILTERED = (
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "LANGUAGE",
    "OTHER",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "IMAGE_OTHER",
    "NO_IMAGE",
)
_BROKEN = (
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "MALFORMED_RESPONSE",
    "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
)
_CUT_OFF = ("MAX_TOKENS", "CONTINUATION")


def read_finish(word: str, message: Json, *, called: bool) -> tuple[FinishReason, str] | Fault:
    """The reason and its detail, or a fault where the provider failed in the clothes of a finish."""
    said = message if isinstance(message, str) else ""
    if word == "STOP":
        return ("tool_calls" if called else "stop"), ""
    if word in _CUT_OFF:
        return "length", ""
    if word in _FILTERED or word.startswith("IMAGE_"):
        return "content_filter", _detail(word, said)
    if word in _BROKEN:
        explained = f": {said}" if said else ""
        return Fault("upstream", f"the model's answer could not be used ({word}){explained}", code=word)
    # a new reason may mean anything: to call it a normal end would hide a failure
    return Fault("upstream", f"the provider ended the answer for an unknown reason: {_detail(word, said)}", code=word)


def read_block(feedback: Json) -> str:
    """Why the prompt was refused; empty if it was not."""
    if not isinstance(feedback, dict):
        return ""
    word, message = feedback.get("blockReason"), feedback.get("blockReasonMessage")
    if not isinstance(word, str) or word in UNSAID:
        return ""
    return _detail(word, message if isinstance(message, str) else "")


def write_finish(reason: FinishReason, detail: str, *, refused: bool) -> dict[str, Json]:
    """`finishReason` and its message. `refused`: the model's words of refusal were among the parts."""
    match reason:
        case "stop" | "tool_calls" | "pause":
            return {"finishReason": "SAFETY" if refused and reason == "stop" else "STOP"}
        case "length":
            return {"finishReason": "MAX_TOKENS"}
        case "content_filter":
            word, _, message = detail.partition(": ")
            if word not in _FILTERED:
                word, message = "SAFETY", detail
            return {"finishReason": word, "finishMessage": message} if message else {"finishReason": word}
        case "refusal":
            return {"finishReason": "SAFETY"}
        case _:
            assert_never(reason)


def _detail(word: str, message: str) -> str:
    return f"{word}: {message}" if message else word
