"""The response object around the output: what it is called, how it ended, and an echo of what was asked."""

import time
from collections.abc import Sequence

from callgate.core.messages import FinishReason, Json, Usage
from callgate.core.request import ChatRequest
from callgate.wire.openai_responses.marks import CHOICE, INSTRUCTIONS, WIRE, mapping, own
from callgate.wire.openai_responses.tools import write_tool_choice, write_tools
from callgate.wire.openai_responses.write_request import write_format, write_thinking

ECHOED = (
    "background",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
)
"""Fields of a response that repeat the request; never taken from a provider, whose request may have been another."""

_DEFAULTS: dict[str, Json] = {
    "background": False,
    "max_tool_calls": None,
    "metadata": {},
    "prompt_cache_key": None,
    "safety_identifier": None,
    "top_logprobs": 0,
    "truncation": "disabled",
    "user": None,
}
_REASONS: dict[FinishReason, str] = {
    "length": "max_output_tokens",
    "content_filter": "content_filter",
    "refusal": "content_filter",
}


class Envelope:
    """Writes the response object of one exchange, at whatever point it is."""

    def __init__(self, request: ChatRequest) -> None:
        self._echo = _echo(request)
        self._model = request.model

    def response(
        self,
        identifier: str,
        model: str,
        created: int,
        status: str,
        *,
        output: Sequence[Json] = (),
        usage: Usage | None = None,
        reason: str | None = None,
        error: dict[str, Json] | None = None,
    ) -> dict[str, Json]:
        return {
            "id": identifier,
            "object": "response",
            "created_at": created,
            "status": status,
            "error": error,
            "incomplete_details": {"reason": reason} if reason else None,
            "model": model or self._model,
            "output": list(output),
            "usage": None if usage is None else write_usage(usage),
            **self._echo,
        }


def ending(finish: FinishReason) -> tuple[str, str | None]:
    """Status and the reason of incompleteness."""
    reason = _REASONS.get(finish)
    return ("incomplete", reason) if reason else ("completed", None)


def created_at(said: int) -> int:
    """When the provider says it began; now, where it does not say."""
    return said or int(time.time())


def write_usage(usage: Usage) -> dict[str, Json]:
    """Every detail present: clients read them without looking."""
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.cache_written},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }


def _echo(request: ChatRequest) -> dict[str, Json]:
    native = request.wire == WIRE
    extras = own(request.extras) if native else {}
    choice = request.tool_choice
    marks = request.extras.get(CHOICE) if native else None
    sampling = request.sampling
    thinking = {} if request.thinking is None else write_thinking(request.thinking)
    shape: dict[str, Json] = {"type": "text"} if request.reply_format is None else write_format(request.reply_format)
    return {
        **{name: default if extras.get(name) is None else extras[name] for name, default in _DEFAULTS.items()},
        "instructions": _instructions(request),
        "max_output_tokens": sampling.max_tokens,
        "parallel_tool_calls": True if request.parallel_calls is None else request.parallel_calls,
        "previous_response_id": request.previous_id or None,
        "reasoning": {"effort": None, "summary": None, **mapping(extras.get("reasoning")), **thinking},
        "store": True if request.store is None else request.store,
        "temperature": 1.0 if sampling.temperature is None else sampling.temperature,
        "text": {**own(mapping(extras.get("text"))), "format": shape},
        "tool_choice": extras.get("tool_choice") or "auto"
        if choice is None
        else write_tool_choice(choice, request.tools, marks),
        "tools": write_tools(
            [tool for tool in request.tools if tool.kind == "spec" or tool.wire == WIRE], native=native
        ),
        "top_p": 1.0 if sampling.top_p is None else sampling.top_p,
    }


def _instructions(request: ChatRequest) -> str | None:
    first = request.messages[0] if request.messages else None
    return first.text if first is not None and first.extras.get(INSTRUCTIONS) is True else None
