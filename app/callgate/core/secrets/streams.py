"""Secrets in captured streams of events, where one is spread over the texts of several events. Pure.

`data: {"delta":"sk-an"}` and `data: {"delta":"t-12…"}` hold a key that no search of the bytes finds. The texts that
stand at the same place of each event are joined, looked through, and cut out of the events that they came from.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from callgate.core.messages import Json
from callgate.core.secrets.finding import Found, find_secrets, places, replace_secrets

Mark = Callable[[Found, bytes], bytes]
Place = tuple[str, ...]
SPREAD: Final = b": [redacted: a secret was spread over the events of this stream]\n\n"
_DATA: Final = re.compile(rb"^data: ?([{\[](?!DONE\])[^\r\n]*)", re.MULTILINE)
_LINE: Final = re.compile(rb"^[ \t]*(\{[^\r\n]*)", re.MULTILINE)
"""In a stream of JSON objects, one per line."""
_TELLING: Final = ("type", "index", "output_index", "content_index", "item_id", "event")
"""Fields that tell apart texts which stand at the same place of different events."""
_LEAST_PREFIX: Final = 3
"""Characters of a known secret at the end of what has come so far."""


@dataclass(slots=True)
class _Leaf:
    holder: dict[str, Json] | list[Json]
    key: str | int
    text: bytes
    event: int


def replace_spread(data: bytes, mark: Mark, known: Iterable[bytes] = (), before: bytes = b"") -> bytes:
    """The data with a mark in place of each secret, also of those that are spread over its events.

    `known`: secrets that are in it for sure; `before`: what of the same stream came earlier and is not changed.
    """
    data = replace_secrets(data, mark)
    secrets = [secret for secret in dict.fromkeys(known) if secret]
    pattern = _DATA if _DATA.search(before) or _DATA.search(data) else _LINE
    lines = [*pattern.finditer(before), *pattern.finditer(data)]
    earlier = len(lines) - len(pattern.findall(data))
    try:
        values: list[Json] = [orjson.loads(line[1]) for line in lines]
    except orjson.JSONDecodeError:
        return SPREAD if lines and secrets else data
    leaves: dict[Place, list[_Leaf]] = defaultdict(list)
    for number, value in enumerate(values):
        for place, holder, key, text in _leaves(value, ()):
            leaves[place].append(_Leaf(holder, key, text.encode("utf-8", "surrogatepass"), number))
    changed: set[int] = set()
    for chain in leaves.values():
        changed |= _clean_chain(chain, mark, secrets)
    pieces: list[bytes] = []
    end = 0
    for number in sorted(number for number in changed if number >= earlier):
        line = lines[number]
        pieces += (data[end : line.start(1)], orjson.dumps(values[number]))
        end = line.end(1)
    return b"".join((*pieces, data[end:])) if pieces else data


def _leaves(value: Json, place: Place) -> Iterator[tuple[Place, dict[str, Json] | list[Json], str | int, str]]:
    if isinstance(value, dict):
        told = tuple(f"{name}={value[name]}" for name in _TELLING if isinstance(value.get(name), str | int))
        for key, inner in value.items():
            here = (*place, *told, key)
            if isinstance(inner, str):
                yield here, value, key, inner
            else:
                yield from _leaves(inner, here)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            here = (*place, str(index))
            if isinstance(inner, str):
                yield here, value, index, inner
            else:
                yield from _leaves(inner, here)


def _clean_chain(chain: list[_Leaf], mark: Mark, secrets: list[bytes]) -> set[int]:
    """The numbers of the events that were changed."""
    whole = b"".join(leaf.text for leaf in chain)
    found = sorted((*find_secrets(whole), *_known(whole, secrets)))
    changed: set[int] = set()
    start = 0
    for leaf in chain:
        end = start + len(leaf.text)
        clean = cut(leaf.text, start, [one for one in found if one.start < end and one.end > start], whole, mark)
        if clean != leaf.text:
            leaf.holder[leaf.key] = clean.decode("utf-8", "replace")  # type: ignore[call-overload,index]
            changed.add(leaf.event)
        start = end
    return changed


def _known(whole: bytes, secrets: list[bytes]) -> Iterator[Found]:
    for secret in secrets:
        for at in places(whole, secret):
            yield Found(at, at + len(secret), "key")
        longest = min(len(secret) - 1, len(whole))
        for size in range(longest, _LEAST_PREFIX - 1, -1):
            if whole.endswith(secret[:size]):
                yield Found(len(whole) - size, len(whole), "key")
                break


def cut(piece: bytes, start: int, found: Iterable[Found], whole: bytes, mark: Mark) -> bytes:
    """A piece of a whole, which begins at `start`, without the secrets: a mark stands where each of them begins."""
    pieces: list[bytes] = []
    at = 0
    for one in found:
        first, last = max(one.start - start, 0), min(one.end - start, len(piece))
        if last <= at:
            continue
        pieces.append(piece[at : max(first, at)])
        if one.start >= start and first >= at:
            pieces.append(mark(one, whole[one.start : one.end]))
        at = last
    return b"".join((*pieces, piece[at:]))
