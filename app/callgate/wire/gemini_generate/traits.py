"""What a model of this wire can do, where models differ. Guessed from its name; a caller that knows better says so."""

import re
from dataclasses import dataclass

_VERSION = re.compile(r"gemini-(\d+)(?:\.(\d+))?")
_LATEST = re.compile(r"gemini-[a-z-]*latest")

_NEWEST: tuple[int, int] = (3, 0)
_THINKS_SINCE = (2, 5)
_LEVELS_SINCE = (3, 0)


@dataclass(frozen=True, slots=True)
class ModelTraits:
    call_ids: bool = False
    """True: calls and responses may carry ids; older models refuse the field."""
    signatures: bool = False
    """True: the first call of every step of the current turn must be signed."""
    media_in_results: bool = False
    """True: images may stand inside a function response; else beside it."""
    thinking: bool = False
    thinking_levels: bool = False
    """True: thinking is a level; False: a budget of tokens."""
    thinking_off: bool = True
    """False: it cannot be switched off."""
    json_schema: bool = True
    """False: schemas only as the old OpenAPI subset."""


def guess_traits(model: str) -> ModelTraits:
    """Names that are not Gemini's get the plainest form of the protocol: compatible servers know that one."""
    name = model.lower()
    found = _VERSION.search(name)
    if found is None and not _LATEST.search(name):
        return ModelTraits()
    version = (int(found.group(1)), int(found.group(2) or 0)) if found else _NEWEST
    levels = version >= _LEVELS_SINCE
    return ModelTraits(
        call_ids=levels,
        signatures=levels,
        media_in_results=levels,
        thinking=version >= _THINKS_SINCE,
        thinking_levels=levels,
        thinking_off=not levels and "pro" not in name,
        json_schema=version >= (2, 0),
    )
