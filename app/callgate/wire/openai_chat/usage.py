"""Tokens, as this wire counts them: what was cached is part of the prompt."""

from callgate.core.messages import Json, Usage, token_count

COUNTED = frozenset(
    (
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "prompt_tokens_details",
        "completion_tokens_details",
        "prompt_cache_hit_tokens",
        "prompt_cache_miss_tokens",
    )
)
"""Read, or parts of a sum that is."""


def read_usage(value: Json) -> Usage | None:
    """None where there is none: streams say `usage: null` in every chunk but one."""
    if not isinstance(value, dict):
        return None
    prompt = value.get("prompt_tokens_details")
    completion = value.get("completion_tokens_details")
    return Usage(
        input=_count(value, "prompt_tokens"),
        output=_count(value, "completion_tokens"),
        cached=_count(prompt, "cached_tokens") or _count(value, "prompt_cache_hit_tokens"),  # DeepSeek's name
        cache_written=_count(prompt, "cache_write_tokens"),
        reasoning=_count(completion, "reasoning_tokens"),
    )


def write_usage(usage: Usage) -> dict[str, Json]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.cache_written},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _count(value: Json, key: str) -> int:
    return token_count(value.get(key)) if isinstance(value, dict) else 0
