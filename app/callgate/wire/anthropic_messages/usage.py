"""Tokens: this wire counts cached input apart, the neutral form includes it."""

from collections.abc import Mapping

from callgate.core.messages import Json, Usage, token_count

COUNTED = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens_details",
)


def read_usage(usage: Mapping[str, Json]) -> Usage:
    cached = token_count(usage.get("cache_read_input_tokens"))
    written = token_count(usage.get("cache_creation_input_tokens"))
    details = usage.get("output_tokens_details")
    return Usage(
        input=token_count(usage.get("input_tokens")) + cached + written,
        output=token_count(usage.get("output_tokens")),
        cached=cached,
        cache_written=written,
        reasoning=token_count(details.get("thinking_tokens")) if isinstance(details, dict) else 0,
    )


def write_usage(usage: Usage | None) -> dict[str, Json]:
    if usage is None:
        return {"input_tokens": 0, "output_tokens": 0}
    written: dict[str, Json] = {
        "input_tokens": max(0, usage.input - usage.cached - usage.cache_written),
        "cache_creation_input_tokens": usage.cache_written,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
    }
    if usage.reasoning:
        written["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    return written


def merge_usage(before: Mapping[str, Json], later: Json) -> dict[str, Json]:
    """Counts are cumulative: later ones replace earlier ones, absent ones leave them."""
    if not isinstance(later, dict):
        return dict(before)
    return {**before, **{key: value for key, value in later.items() if value is not None}}
