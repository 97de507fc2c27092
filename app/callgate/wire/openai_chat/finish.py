"""Why a choice ended: the provider's word and its neighbours' words ↔ the neutral one."""

from callgate.core.messages import FinishReason

_MEANINGS: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
_NEIGHBOURS: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "tool_use": "tool_calls",
    "tool_call": "tool_calls",
    "max_tokens": "length",
    "model_length": "length",
    "safety": "content_filter",
    "recitation": "content_filter",
    "refusal": "content_filter",
}
_BROKEN = ("error", "abort", "insufficient_system_resource", "function_call_filter")
_WORDS: dict[FinishReason, str] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "content_filter",
    "pause": "stop",
}


def is_broken(word: str) -> bool:
    """The provider says that it failed, in the clothes of a finish."""
    return word.partition(":")[0].lower() in _BROKEN


def is_native(word: str) -> bool:
    return word in _MEANINGS


def read_finish(word: str, *, called: bool) -> FinishReason:
    """`stop` after calls means that they are to be run: some servers say so, OpenAI itself after a forced call."""
    meaning = _MEANINGS.get(word) or _NEIGHBOURS.get(word.lower(), "stop")
    return "tool_calls" if called and meaning == "stop" else meaning


def write_finish(reason: FinishReason, *, called: bool, legacy: bool) -> str:
    word = _WORDS[reason]
    if word in ("stop", "tool_calls"):
        word = "tool_calls" if called else "stop"
    return "function_call" if legacy and word == "tool_calls" else word
