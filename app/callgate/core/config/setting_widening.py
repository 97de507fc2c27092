"""Which changes of a setting narrow. Every other change widens, so that a new setting is safe before it is listed here.

Pure. A predicate is given the value that was accepted and the one that was found.
"""

import json
from collections.abc import Callable, Mapping
from typing import Final, Literal, cast

from callgate.core.config.items import canonical
from callgate.core.messages import Json

Narrows = Callable[[Json, Json], bool]
Winner = Literal["first", "last"]
"""Of the patterns of one map that fit, the one that decides."""

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600}
_WALLS: Final = ("off", "auto", "required")


def _becomes(wanted: Json) -> Narrows:
    return lambda _old, new: new == wanted


def _rises(old: Json, new: Json) -> bool:
    return isinstance(old, int | float) and isinstance(new, int | float) and new >= old


def _falls(old: Json, new: Json) -> bool:
    return _rises(new, old)


def _per_second(rate: Json) -> float:
    count, _, unit = str(rate or "").partition("/")
    return int(count) / _SECONDS.get(unit, 1) if count.isdecimal() else float("inf")


def _slower(old: Json, new: Json) -> bool:
    return _per_second(new) <= _per_second(old)


def _fewer(old: Json, new: Json) -> bool:
    return isinstance(old, list) and isinstance(new, list) and all(item in old for item in new)


def _more(old: Json, new: Json) -> bool:
    return _fewer(new, old)


def _fewer_but_some(old: Json, new: Json) -> bool:
    """A list that is empty lists everything."""
    return bool(new) and (not old or _fewer(old, new))


def _higher_wall(old: Json, new: Json) -> bool:
    return old in _WALLS and new in _WALLS and _WALLS.index(str(new)) >= _WALLS.index(str(old))


def _shorter_everything(old: Json, new: Json) -> bool:
    """`chat.tools.global`: off, or the same for a shorter time."""
    was, now = _mapping(old), _mapping(new)
    if now.get("autoApprove") is not True:
        return True
    same = was.get("autoApprove") is True and was.get("acknowledged") == now.get("acknowledged")
    return same and _falls(was.get("minutes", 15), now.get("minutes", 15))


NARROWS: Final[dict[str, Narrows]] = {
    "server.host": lambda _old, new: new in _LOOPBACK,
    "server.token": lambda old, new: not old and bool(new),
    "server.rate_limit": _slower,
    "server.allowed_origins": _fewer,
    "server.tool_history": _becomes("strict"),
    "server.relay_unjudged": _becomes(False),
    "gate.client_tools": lambda old, new: new == "ask" or (old == "observe" and new is None),
    "gate.deadline_seconds": _rises,  # sooner is not safer: a rule may let a call run when nobody decided in time
    "gate.tool_timeout_seconds": _falls,
    "gate.tools_enabled": _becomes(False),
    "gate.allow_tools": _fewer_but_some,
    "gate.block_tools": _more,
    "gate.group_tools_above": lambda _old, _new: True,  # how tools are offered, not which
    "gate.result_tokens": lambda old, new: _falls(old or float("inf"), new or float("inf")),
    "demo.pace_ms": lambda _old, _new: True,
    "builtin.web": _becomes(False),
    "tools.sandbox": _higher_wall,
    "tools.sandbox_network": _becomes(False),
    "tools.environment": _fewer,
    "journal.keep_secrets": _becomes(False),
    "chat.tools.global": _shorter_everything,
}

_WINNERS: Final[dict[str, Winner]] = {
    "chat.tools.edits": "last",
    "chat.tools.urls": "first",
    "chat.tools.terminal": "first",
    "chat.tools.eligibleForAutoApproval": "first",
}
"""Maps from a pattern to whether it is approved."""


def compare_setting(path: str, old: Json, new: Json) -> tuple[Json, bool]:
    """The value that holds until the difference is accepted, and whether there is one that widens."""
    if json.dumps(old) == json.dumps(new):
        return new, False
    if path in _WINNERS:
        return _compare_approvals(path, old, new)
    narrows = NARROWS.get(path)
    return (new, False) if narrows is not None and narrows(old, new) else (old, True)


# ---- approvals by pattern ------------------------------------------------------------------------------------------


def _compare_approvals(path: str, old: Json, new: Json) -> tuple[Json, bool]:
    """Of a map whose entries approve or refuse: approvals that are gone and refusals that are new count at once."""
    flat = path == "chat.tools.eligibleForAutoApproval"
    was = _mapping(old) if flat else _mapping(_mapping(old).get("autoApprove"))
    now = _mapping(new) if flat else _mapping(_mapping(new).get("autoApprove"))
    kept_old = [(key, value) for key, value in was.items() if _refuses(value) or _same(now.get(key), value)]
    kept_new = [(key, value) for key, value in now.items() if _approves(value) or _same(was.get(key), value)]
    if _texts(kept_old) == _texts(kept_new):
        return new, False
    refusals = {key: value for key, value in now.items() if not _approves(value)}
    rest = {key: value for key, value in kept_old if key not in refusals}
    holding = {**rest, **refusals} if _WINNERS[path] == "last" else {**refusals, **rest}
    return (holding if flat else {**_mapping(old), "autoApprove": holding}), True


def _approves(value: Json) -> bool:
    """Whether some part of an entry approves something."""
    return any(side is True for side in value.values()) if isinstance(value, Mapping) else value is True


def _refuses(value: Json) -> bool:
    return any(side is False for side in value.values()) if isinstance(value, Mapping) else value is False


def _same(one: Json, other: Json) -> bool:
    return canonical(one) == canonical(other)


def _texts(entries: list[tuple[str, Json]]) -> list[str]:
    return [canonical([key, value]) for key, value in entries]


def _mapping(value: Json) -> dict[str, Json]:
    return cast(dict[str, Json], value) if isinstance(value, Mapping) else {}
