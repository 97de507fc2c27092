"""What a model of this wire can do, where models differ. Guessed from its name; a caller that knows better says so."""

import re
from dataclasses import dataclass

_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)")
_UNFORCED = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1", "claude-mythos-5-1")

_ADAPTIVE_SINCE = (4, 6)
_STRUCTURED_SINCE = (4, 5)
_NO_SAMPLING_SINCE = (4, 7)
_LEAST_ROOM = 8192
"""Every model can write this much."""
_ROOM = 32_000
"""Newer models can write twice as much. Agents that name no limit (Codex) write whole files, and think too."""


@dataclass(frozen=True, slots=True)
class ModelTraits:
    forced_choice: bool = True
    """False: `tool_choice` `any` and `tool` are refused."""
    sampling: bool = True
    """False: `temperature`, `top_p` and `top_k` are refused."""
    adaptive_thinking: bool = False
    """True: thinking is `adaptive` with an effort; False: `enabled` with a budget."""
    structured: bool = True
    """False: it cannot be held to a schema, neither in its answer nor in calls of strict tools."""
    max_tokens: int = _LEAST_ROOM
    """Of an answer whose client has set no limit: the wire demands one."""


def guess_traits(model: str) -> ModelTraits:
    """Names that are not Claude's get the oldest form of the protocol: compatible servers know that one."""
    found = _VERSION.search(model.lower())
    if found is None:
        return ModelTraits()
    version = (int(found.group(1)), int(found.group(2) or 0))
    adaptive = version >= _ADAPTIVE_SINCE
    return ModelTraits(
        forced_choice=not any(name in model.lower() for name in _UNFORCED),
        sampling=version < _NO_SAMPLING_SINCE,
        adaptive_thinking=adaptive,
        structured=version >= _STRUCTURED_SINCE,
        max_tokens=_ROOM if adaptive else _LEAST_ROOM,
    )
