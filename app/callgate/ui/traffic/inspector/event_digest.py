"""An event of a stream in a few words: what it says that the one before it did not. Pure.

Every event of a stream repeats its id, its model and its shape; what a person looks for is the piece that is new.
"""

from collections.abc import Iterator
from typing import Final

import orjson

from callgate.core.messages import Json

_MOST_LEAVES: Final = 60
_NAMES: Final = 2
"""Steps of a path that are told: `delta.content` says enough of `choices[0].delta.content`."""


def digest(value: Json, before: Json) -> str:
    """Each new value with the end of its path; empty = it says the same again, or is no structure."""
    if not isinstance(value, dict | list):
        return ""
    known = dict(_leaves(before)) if isinstance(before, dict | list) else {}
    fresh = [(path, leaf) for path, leaf in _leaves(value) if path not in known or known[path] != leaf]
    return "  ".join(f"{'.'.join(_named(path))} {_spelled(leaf)}" for path, leaf in fresh)


def _leaves(value: Json) -> Iterator[tuple[tuple[str, ...], Json]]:
    pending: list[tuple[tuple[str, ...], Json]] = [((), value)]
    told = 0
    while pending and told < _MOST_LEAVES:
        path, held = pending.pop()
        if isinstance(held, dict) and held:
            pending += [((*path, name), item) for name, item in reversed(held.items())]
        elif isinstance(held, list) and held:
            pending += [((*path, f"[{place}]"), item) for place, item in reversed(list(enumerate(held)))]
        else:
            told += 1
            yield path, held


def _named(path: tuple[str, ...]) -> list[str]:
    return [step for step in path if not step.startswith("[")][-_NAMES:]


def _spelled(leaf: Json) -> str:
    try:
        return orjson.dumps(leaf).decode()
    except TypeError:  # half a surrogate pair of some model
        return repr(leaf)
