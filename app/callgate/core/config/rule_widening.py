"""Which of the differences between two sets of rules let more happen, and the rules that hold meanwhile. Pure.

A rule may permit (it allows, or it lets a call run when nobody decided in time), restrict (it denies, asks, or wants
results reviewed), or do both. Permitting more and restricting less both widen.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, cast

from callgate.core.config.items import Items
from callgate.core.messages import Json
from callgate.core.rules.match import ExpressionError, parse

Table = Mapping[str, Json]

_ANY: Final = {"tool": "*", "source": "*", "agent": "*", "when": "", "workspace": "", "fingerprint": ""}
"""What a rule says of nothing in particular."""
_FOREVER: Final = float("inf")


def compare_rules(accepted: Items, found: Items) -> tuple[Items, list[str]]:
    """The rules that hold until the difference is accepted, and the keys of what widens."""
    holding: Items = {}
    widening: list[str] = []
    old_tables = {key: _table(value) for key, value in accepted.items()}
    new_tables = {key: _table(value) for key, value in found.items()}
    for key, new in new_tables.items():
        old = old_tables.get(key)
        kept, widens = _added(new, old_tables) if old is None else _changed(old, new)
        if kept is not None:
            holding[key] = dict(kept)
        if widens:
            widening.append(key)
    for key, old in old_tables.items():
        if key in new_tables or not _restricts(old):
            continue
        if not any(_covers(_table(other), old) for other in holding.values()):
            holding[key] = dict(_strict(old))
            widening.append(key)
    return holding, widening


def _added(new: Table, accepted: Mapping[str, Table]) -> tuple[Table | None, bool]:
    if not _permits(new) or any(_within(new, old) for old in accepted.values()):
        return new, False
    return (_strict(new) if _restricts(new) else None), True


def _changed(old: Table, new: Table) -> tuple[Table, bool]:
    """The same rule with other limits. Its note and id decide nothing."""
    if _limits(old) == _limits(new) and old.get("verdict") == new.get("verdict") and _late(old) == _late(new):
        return new, False
    if _permits(new) and _restricts(new):
        return _limited(_strict(new), old, new, least=False), True
    if _restricts(new):
        kept = _limited(new, old, new, least=False)
        return kept, _limits(kept) != _limits(new)
    if old.get("verdict") != new.get("verdict"):  # held as a stricter twin until now
        return old, True
    kept = _limited(new, old, new, least=True)
    return kept, _limits(kept) != _limits(new)


def _permits(rule: Table) -> bool:
    """An allow rule whose expression cannot be read asks, so it permits nothing."""
    if _late(rule) == "allow":
        return True
    return rule.get("verdict") == "allow" and not _is_unreadable(rule)


def _restricts(rule: Table) -> bool:
    return rule.get("verdict") != "allow" or rule.get("review") is True or _is_unreadable(rule)


def _is_unreadable(rule: Table) -> bool:
    if rule.get("verdict") != "allow":
        return False
    try:
        parse(str(rule.get("when", "")))
    except ExpressionError:
        return True
    return False


def _strict(rule: Table) -> Table:
    """Only what a rule restricts."""
    verdict = "deny" if rule.get("verdict") == "deny" else "ask"
    return {**{key: value for key, value in rule.items() if key != "at_deadline"}, "verdict": verdict}


def _late(rule: Table) -> str:
    return str(rule.get("at_deadline", "deny"))


def _within(new: Table, old: Table) -> bool:
    """Whether a rule that allows lets nothing happen that an accepted one does not."""
    if new.get("verdict") != "allow" or old.get("verdict") != "allow" or "uses" in old or _is_unreadable(old):
        return False
    reviewed = new.get("review") is True or old.get("review") is not True
    children = old.get("sub_agents") is not False or new.get("sub_agents") is False
    return reviewed and children and _narrower(new, old) and _expires(new) <= _expires(old)


def _covers(other: Table, old: Table) -> bool:
    """Whether a rule restricts at least as much as one that is gone."""
    ranks = {"allow": 0, "ask": 1, "deny": 2}
    stricter = ranks[str(other.get("verdict"))] >= ranks[str(old.get("verdict"))]
    reviewed = other.get("review") is True or old.get("review") is not True
    in_time = _late(other) == "deny" or _late(old) == "allow"
    lasting = _expires(other) >= _expires(old) and ("uses" not in other or _uses(other) >= _uses(old))
    return _restricts(other) and stricter and reviewed and in_time and lasting and _narrower(old, other)


def _narrower(one: Table, other: Table) -> bool:
    return all(other.get(key, wide) in (wide, one.get(key, wide)) for key, wide in _ANY.items())


def _limits(rule: Table) -> tuple[float, float]:
    return _uses(rule), _expires(rule)


def _uses(rule: Table) -> float:
    uses = rule.get("uses")
    return uses if isinstance(uses, int) else _FOREVER


def _expires(rule: Table) -> float:
    text = rule.get("expires")
    if not isinstance(text, str) or not text:
        return _FOREVER
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _limited(rule: Table, old: Table, new: Table, *, least: bool) -> Table:
    """The rule with the smaller, or the larger, of both limits."""
    pick = min if least else max
    said = {key: value for key, value in rule.items() if key not in ("uses", "expires")}
    return said | dict(_one_limit("uses", pick(old, new, key=_uses))) | dict(
        _one_limit("expires", pick(old, new, key=_expires))
    )  # fmt: skip


def _one_limit(name: str, rule: Table) -> Iterator[tuple[str, Json]]:
    if rule.get(name) not in (None, ""):
        yield name, rule[name]


def _table(value: Json) -> Table:
    return cast(Table, value) if isinstance(value, Mapping) else {}
