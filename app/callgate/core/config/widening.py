"""What a file that was changed outside Callgate would allow, and what holds until a person has accepted it. Pure.

What widens does not count before it is accepted; what narrows counts at once. A kind of item that is not known here
widens whenever it is new or different.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from callgate.core.config.items import Items, canonical, default_of
from callgate.core.config.rule_widening import compare_rules
from callgate.core.config.setting_widening import compare_setting
from callgate.core.config.widening_words import item_text, words_of
from callgate.core.messages import Json


class _Absent:
    """There is no such item."""


ABSENT: Final = _Absent()
Value = Json | _Absent


@dataclass(frozen=True, slots=True)
class Widening:
    """One difference that would allow more."""

    file: str
    what: str
    """The key of the item."""
    words: str
    """What it would allow, in plain words."""
    old: str
    """The accepted text, empty where there is none."""
    new: str
    """The text that was found, empty where it was removed."""
    value: Value = ABSENT
    """What was found: this is accepted, whatever the file says by then."""

    @property
    def id(self) -> str:
        return canonical([self.file, self.what, None if isinstance(self.value, _Absent) else [self.value]])


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one file would allow that was changed outside Callgate."""

    file: str
    path: str
    widenings: tuple[Widening, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    widenings: tuple[Widening, ...]
    holding: Items
    """What counts: the accepted state with everything that narrows it."""


def compare(file: str, accepted: Items, found: Items) -> Comparison:
    holding, widening = compare_rules(_of(accepted, rules=True), _of(found, rules=True))
    plain_old, plain_new = _of(accepted, rules=False), _of(found, rules=False)
    for key in dict.fromkeys((*plain_new, *plain_old)):
        kept, widens = _compare_item(key, plain_old, plain_new)
        if not isinstance(kept, _Absent):
            holding[key] = kept
        if widens:
            widening.append(key)
    return Comparison(tuple(_widening(file, key, accepted, found) for key in widening), holding)


def accept(holding: Items, chosen: Collection[Widening]) -> Items:
    """The accepted state after a person has accepted what was shown."""
    after = dict(holding)
    for one in chosen:
        if isinstance(one.value, _Absent):
            after.pop(one.what, None)
        else:
            after[one.what] = one.value
    return after


def carry(accepted: Items, before: Items, after: Items) -> Items:
    """The accepted state after Callgate itself has changed a file from `before` to `after` for the person.

    Only what was accepted can be changed this way: a change to an item that is not could make it count unseen.
    """
    gone = [key for key in before if key not in after]
    changed = [key for key in before if key in after and canonical(before[key]) != canonical(after[key])]
    carried = {key: value for key, value in accepted.items() if key not in gone}
    if any(key not in accepted for key in (*gone, *changed)):
        return carried
    for key in changed:
        carried[key] = _with_changes(accepted[key], before[key], after[key])
    return carried | {key: value for key, value in after.items() if key not in before}


def _with_changes(accepted: Json, before: Json, after: Json) -> Json:
    """Field by field, so that a field which was changed outside Callgate is not accepted along with another."""
    if not (isinstance(accepted, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping)):
        return after
    touched = {name for name in (*before, *after) if canonical([before.get(name)]) != canonical([after.get(name)])}
    kept = {name: value for name, value in accepted.items() if name not in touched}
    return kept | {name: value for name, value in after.items() if name in touched}


def _of(items: Items, *, rules: bool) -> Items:
    return {key: value for key, value in items.items() if key.startswith("rule:") is rules}


def _widening(file: str, key: str, accepted: Items, found: Items) -> Widening:
    old, new = accepted.get(key), found.get(key)
    value: Value = found.get(key, ABSENT)
    texts = (item_text(key, old) if key in accepted else "", item_text(key, new) if key in found else "")
    return Widening(file, key, words_of(key, old, new, texts), *texts, value)


# ---- one item ------------------------------------------------------------------------------------------------------


def _compare_item(key: str, accepted: Items, found: Items) -> tuple[Value, bool]:
    kind, _, name = key.partition(":")
    if kind == "setting":
        default = default_of(name)
        held, widens = compare_setting(name, accepted.get(key, default), found.get(key, default))
        return (ABSENT if canonical(held) == canonical(default) else held), widens
    old: Value = accepted.get(key, ABSENT)
    new: Value = found.get(key, ABSENT)
    if old == new and type(old) is type(new):
        return new, False
    return _JUDGES.get(kind, _compare_thing)(old, new)


def _compare_thing(old: Value, new: Value) -> tuple[Value, bool]:
    """A source, an endpoint or a tool: new or different widens, unless only something was taken from it."""
    if isinstance(new, _Absent):
        return ABSENT, False
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        changed = {name for name in (*old, *new) if canonical([old.get(name)]) != canonical([new.get(name)])}
        less = {name for name in changed if _takes_away(name, old.get(name), new.get(name))}
        kept = {name: value for name, value in old.items() if name not in less}
        return kept | {name: value for name, value in new.items() if name in less}, less != changed
    return old, True


def _takes_away(field: str, old: Json, new: Json) -> bool:
    match field:
        case "enabled":
            return new is False
        case "tools" | "models":
            if not isinstance(old, list) or not isinstance(new, list) or not new:
                return False
            return old == ["*"] or all(one in old for one in new)
        case "strict_tool_choice":
            return new is True
        case _:
            return False


def _compare_switch(old: Value, new: Value) -> tuple[Value, bool]:
    """Off narrows; what is no longer said to be on falls back to what is said of all."""
    return (new, False) if new is False or (old is True and isinstance(new, _Absent)) else (old, True)


def _compare_denial(old: Value, new: Value) -> tuple[Value, bool]:
    """What denies counts at once, and goes on counting when it is gone."""
    return (new, False) if isinstance(old, _Absent) else (old, True)


def _compare_order(old: Value, new: Value) -> tuple[Value, bool]:
    """The first of two things that fit is taken, so their order decides too."""
    was = old if isinstance(old, list) else []
    now = new if isinstance(new, list) else []
    stayed = [name for name in was if name in now]
    if stayed == [name for name in now if name in was]:
        return (new, False) if now else (ABSENT, False)
    return [*stayed, *(name for name in now if name not in was)], True


def _compare_uses(old: Value, new: Value) -> tuple[Value, bool]:
    """How often a rule was used: fewer uses than before would be left to use again."""
    was = old if isinstance(old, int) else 0
    now = new if isinstance(new, int) else 0
    return max(was, now), now < was


def _compare_moment(old: Value, new: Value) -> tuple[Value, bool]:
    """When something was switched on that ends by itself: a later moment lets it last longer."""
    if not isinstance(old, int | float):
        return new, False
    earlier = isinstance(new, int | float) and new <= old
    return (new, False) if earlier else (old, True)


_JUDGES: Final[dict[str, Callable[[Value, Value], tuple[Value, bool]]]] = {
    "enabled": _compare_switch,
    "switch": _compare_switch,
    "denied": _compare_denial,
    "order": _compare_order,
    "spent": _compare_uses,
    "on": _compare_moment,
}
