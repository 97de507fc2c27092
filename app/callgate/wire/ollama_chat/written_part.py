"""The pieces of an answer, streamed or whole, as clients of this wire know them."""

from datetime import UTC, datetime

from callgate.core.messages import FinishReason, Json, Part, Reasoning, Refusal, Text, ToolCall, Usage
from callgate.wire.ollama_chat.calls import write_call

Spelled = dict[str, Json]
_WORDS: dict[FinishReason, str] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "stop",
    "pause": "stop",
    # Ollama itself filters nothing; clients take any word
    "content_filter": "content_filter",
    "refusal": "content_filter",
}


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def end(reason: FinishReason, usage: Usage | None, nanoseconds: int, *, refused: bool) -> Spelled:
    """What the last piece says besides its message. Programs divide tokens by durations, so none is missing or 0."""
    took = max(1, nanoseconds)
    counted = usage or Usage()
    return {
        "done": True,
        "done_reason": _WORDS["refusal" if refused and reason == "stop" else reason],
        "total_duration": took,
        "load_duration": 0,
        "prompt_eval_count": counted.input,
        "prompt_eval_duration": 1,
        "eval_count": counted.output,
        "eval_duration": took,
    }


def part_of_message(part: Part) -> Spelled:
    """What a part adds to a message; nothing where the wire has no word for it.

    No images: the official package fails at those of an answer, as it knows only its own way of holding them.
    """
    match part:
        case Text() | Refusal():
            return {"content": part.text}
        case Reasoning():
            return {"thinking": part.text} if part.text else {}
        case ToolCall():
            return {"tool_calls": [write_call(part, own=False)]}
        case _:
            return {}
