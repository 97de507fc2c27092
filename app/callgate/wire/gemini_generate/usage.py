"""Tokens: this wire counts thinking beside the answer, the neutral form within it."""

from callgate.core.messages import Json, Usage, token_count

COUNTED = (
    "promptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
    "toolUsePromptTokenCount",
    "cachedContentTokenCount",
    "totalTokenCount",
)


def read_usage(usage: Json) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    prompt, answer, thoughts, tool_use, cached, total = (token_count(usage.get(name)) for name in COUNTED)
    # some models count thinking within the answer already; the total tells
    within = total > 0 and prompt + answer + tool_use == total
    return Usage(
        input=prompt + tool_use,
        output=answer if within else answer + thoughts,
        cached=cached,
        reasoning=thoughts,
    )


def write_usage(usage: Usage) -> dict[str, Json]:
    written: dict[str, Json] = {
        "promptTokenCount": usage.input,
        "candidatesTokenCount": max(0, usage.output - usage.reasoning),
        "totalTokenCount": usage.total,
    }
    if usage.reasoning:
        written["thoughtsTokenCount"] = usage.reasoning
    if usage.cached:
        written["cachedContentTokenCount"] = usage.cached
    return written
