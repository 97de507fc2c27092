"""Why a reply ended, in this wire's words and in ours."""

from dataclasses import dataclass
from typing import assert_never

from callgate.core.messages import FinishReason, Json

WINDOW_EXCEEDED = "model_context_window_exceeded"

_READ: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    WINDOW_EXCEEDED: "length",
    "refusal": "refusal",
    "pause_turn": "pause",
}


@dataclass(frozen=True, slots=True)
class Stop:
    """A finish with its detail, and what had to be put right to say so."""

    finish: FinishReason
    detail: str = ""
    repair: str = ""


def is_known(reason: Json) -> bool:
    return isinstance(reason, str) and reason in _READ


def read_stop(reason: Json, sequence: Json, details: Json, *, called: bool) -> Stop:
    """`called`: the reply has calls for the client; it then waits for results, even if it says that it just ended."""
    finish: FinishReason = _READ.get(reason, "stop") if isinstance(reason, str) else "stop"
    if finish == "stop" and called:
        return Stop("tool_calls", repair=f"stop_reason was {reason!r} although there are calls")
    if finish == "tool_calls" and not called:
        return Stop("stop", repair="stop_reason was 'tool_use' although there are no calls")
    if reason == "stop_sequence" and isinstance(sequence, str):
        return Stop(finish, sequence)
    if reason == WINDOW_EXCEEDED:
        return Stop(finish, WINDOW_EXCEEDED)
    if finish == "refusal" and isinstance(details, dict) and isinstance(explanation := details.get("explanation"), str):
        return Stop(finish, explanation)
    return Stop(finish)


def write_stop(finish: FinishReason, detail: str, *, called: bool, refused: bool = False) -> dict[str, Json]:
    """`stop_reason` and what belongs to it. `refused`: the model's words of refusal were among the parts."""
    match finish:
        case "stop" | "tool_calls":
            if called:
                return _stop("tool_use")
            if refused:
                return _refusal(detail)
            return _stop("stop_sequence", detail) if finish == "stop" and detail else _stop("end_turn")
        case "length":
            return _stop(WINDOW_EXCEEDED if detail == WINDOW_EXCEEDED else "max_tokens")
        case "content_filter" | "refusal":
            return _refusal(detail)
        case "pause":
            return _stop("pause_turn")
        case _:
            assert_never(finish)


def _stop(reason: str, sequence: str | None = None) -> dict[str, Json]:
    return {"stop_reason": reason, "stop_sequence": sequence}


def _refusal(explanation: str) -> dict[str, Json]:
    details: dict[str, Json] = {"type": "refusal", "category": None, "explanation": explanation or None}
    return {"stop_reason": "refusal", "stop_sequence": None, "stop_details": details}
