"""What changed between two JSON values: added, removed and changed, each with its path. Pure.

Items of lists are matched before they are compared: equal ones first, then those that go by the same name, so that a
tool that was put in front of others is one addition and not a change of all of them. `patched(a, diff(a, b))` is `b`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

import orjson

from callgate.core.messages import Json

ChangeKind = Literal["added", "removed", "changed"]

MATCHED_ITEMS: Final = 1500
"""Matching takes the square of a list's length at worst; longer lists are compared place by place."""
NAMES: Final = ("name", "id", "call_id", "tool_call_id", "tool_use_id", "item_id")
"""Fields by which an item of a list is known."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item of a list stands, before and after; None = it was not there, or is no longer."""

    old: int | None
    new: int | None

    def __str__(self) -> str:
        if self.old == self.new or self.new is None:
            return f"[{self.old}]"
        return f"[{self.new}]" if self.old is None else f"[{self.old}→{self.new}]"


Step = str | Place
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Change:
    path: Path
    kind: ChangeKind
    before: Json = None
    after: Json = None

    @property
    def where(self) -> str:
        return spelled(self.path)


def spelled(path: Path) -> str:
    """A path as people write it: `tools[3].function.name`; empty = the whole value."""
    out: list[str] = []
    for step in path:
        if isinstance(step, Place):
            out.append(str(step))
        elif step.isidentifier() or (step.replace("-", "_").isidentifier()):
            out.append(f".{step}" if out else step)
        else:
            out.append(f"[{orjson.dumps(step).decode() if _speakable(step) else ascii(step)}]")
    return "".join(out)


def diff(before: Json, after: Json) -> tuple[Change, ...]:
    """Everything that makes one value the other, in the order of the values."""
    return tuple(_diff(before, after, ()))


def patched(value: Json, changes: Sequence[Change]) -> Json:
    """The value after its changes."""
    return _patched(value, [(change.path, change) for change in changes])


# ---- comparing -----------------------------------------------------------------------------------------------------


def _diff(before: Json, after: Json, path: Path) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _diff_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _diff_lists(before, after, path)
    elif not same(before, after):
        yield Change(path, "changed", before, after)


def _diff_objects(before: dict[str, Json], after: dict[str, Json], path: Path) -> Iterator[Change]:
    for key, value in before.items():
        if key in after:
            yield from _diff(value, after[key], (*path, key))
        else:
            yield Change((*path, key), "removed", value)
    for key, value in after.items():
        if key not in before:
            yield Change((*path, key), "added", after=value)


def _diff_lists(before: list[Json], after: list[Json], path: Path) -> Iterator[Change]:
    for old, new in pairs(before, after):
        place = (*path, Place(old, new))
        if old is None and new is not None:
            yield Change(place, "added", after=after[new])
        elif new is None and old is not None:
            yield Change(place, "removed", before[old])
        elif old is not None and new is not None:
            yield from _diff(before[old], after[new], place)


def pairs(before: list[Json], after: list[Json]) -> Iterator[tuple[int | None, int | None]]:
    """Which item became which; pairs never cross."""
    if max(len(before), len(after)) > MATCHED_ITEMS:
        yield from _in_place((0, len(before)), (0, len(after)))
        return
    matcher = SequenceMatcher(None, [_print(item) for item in before], [_print(item) for item in after], autojunk=False)
    for tag, old, old_end, new, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(range(old, old_end), range(new, new_end), strict=True)
        else:
            yield from _by_name(before, after, (old, old_end), (new, new_end))


def _by_name(
    before: list[Json], after: list[Json], old: tuple[int, int], new: tuple[int, int]
) -> Iterator[tuple[int | None, int | None]]:
    """Within a stretch without equal items: those that go by the same name, the rest place by place."""
    old_names = [_name(before[index]) for index in range(*old)]
    new_names = [_name(after[index]) for index in range(*new)]
    at_old, at_new = old[0], new[0]
    for block in SequenceMatcher(None, old_names, new_names, autojunk=False).get_matching_blocks():
        start_old, start_new = old[0] + block.a, new[0] + block.b
        yield from _in_place((at_old, start_old), (at_new, start_new))
        yield from zip(range(start_old, start_old + block.size), range(start_new, start_new + block.size), strict=True)
        at_old, at_new = start_old + block.size, start_new + block.size


def _in_place(old: tuple[int, int], new: tuple[int, int]) -> Iterator[tuple[int | None, int | None]]:
    shared = min(old[1] - old[0], new[1] - new[0])
    yield from zip(range(old[0], old[0] + shared), range(new[0], new[0] + shared), strict=True)
    for index in range(old[0] + shared, old[1]):
        yield index, None
    for index in range(new[0] + shared, new[1]):
        yield None, index


def _name(item: Json) -> str:
    """What an item is known by: its name or id, also one level down (`function.name`), else its kind and role."""
    if not isinstance(item, dict):
        return type(item).__name__
    inner = [value for value in item.values() if isinstance(value, dict)]
    for holder in (item, *inner):
        for field in NAMES:
            value = holder.get(field)
            if isinstance(value, str) and value:
                return f"{field}:{value}"
    return "|".join(str(item.get(field, "")) for field in ("type", "role", "kind"))


def same(before: Json, after: Json) -> bool:
    """Equal also in kind: 1, 1.0 and true are three things on a wire."""
    return type(before) is type(after) and before == after


def _print(item: Json) -> bytes:
    """The same for equal values only; the order of keys does not count."""
    try:
        return orjson.dumps(item, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # huge integers, deep nesting, half surrogate pairs
        return repr(_ordered(item)).encode("ascii", "backslashreplace")


def _ordered(item: Json) -> object:
    match item:
        case dict():
            return sorted((key, _ordered(value)) for key, value in item.items())
        case list():
            return [_ordered(value) for value in item]
        case _:
            return item


def _speakable(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


# ---- applying ------------------------------------------------------------------------------------------------------

_Pending = tuple[Path, Change]


def _patched(value: Json, pending: list[_Pending]) -> Json:
    for path, change in pending:
        if not path:
            return change.after
    if not pending:
        return value
    if isinstance(value, dict):
        return _patched_object(value, pending)
    if isinstance(value, list):
        return _patched_list(value, pending)
    raise ValueError(f"{spelled(pending[0][0])} leads into a plain value")


def _patched_object(value: Mapping[str, Json], pending: list[_Pending]) -> Json:
    result = dict(value)
    for key, inner in _by_step(pending).items():
        assert isinstance(key, str)
        path, change = inner[0]
        if not path and change.kind == "removed":
            del result[key]
        else:
            result[key] = _patched(result.get(key), inner)
    return result


def _patched_list(value: list[Json], pending: list[_Pending]) -> Json:
    steps = _by_step(pending)
    places = {place.old: inner for place, inner in steps.items() if isinstance(place, Place) and place.old is not None}
    result: list[Json] = []
    for index, item in enumerate(value):
        inner = places.get(index, [])
        if inner and not inner[0][0] and inner[0][1].kind == "removed":
            continue
        result.append(_patched(item, inner))
    fresh = [(place.new, inner) for place, inner in steps.items() if isinstance(place, Place) and place.old is None]
    for index, inner in sorted(fresh, key=lambda pair: pair[0] or 0):
        result.insert(index or 0, inner[0][1].after)
    return result


def _by_step(pending: list[_Pending]) -> dict[Step, list[_Pending]]:
    steps: dict[Step, list[_Pending]] = {}
    for path, change in pending:
        steps.setdefault(path[0], []).append((path[1:], change))
    return steps
