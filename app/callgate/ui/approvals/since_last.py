"""What is different from the last call of the same tool, in one line. Pure; the arguments themselves stand below."""

import json
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.json.diff import Change, diff
from callgate.core.messages import Json
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.time_format import ago

_LISTED: Final = 3
"""Changes in the line; all of them are in its tool tip."""
_LONGEST: Final = 48
"""Characters of one value: it only has to be recognised."""
_COMPARED: Final = 200_000
"""Characters of arguments that are compared field by field."""


def since_last(last: Invocation, call: Invocation, now: float, listed: int = _LISTED) -> str:
    """`listed`: how many changes are told."""
    when = f"{_ending(last)} {ago(last.started, now)}".strip()
    before, after = last.effective_arguments, call.effective_arguments
    if before == after:
        return f"The same as the last call ({when})."
    changes = _changes(before, after)
    if not changes:
        return f"Other arguments than in the last call ({when})."
    told = [_told(change) for change in changes[:listed]]
    if len(changes) > listed:
        told.append(f"{len(changes) - listed} more")
    return f"Since the last call ({when}): {';  '.join(told)}"


def _changes(before: str, after: str) -> tuple[Change, ...]:
    if max(len(before), len(after)) > _COMPARED:
        return ()
    try:
        return diff(_read(before), _read(after))
    except (ValueError, RecursionError):
        return ()


def _read(arguments: str) -> Json:
    return json.loads(arguments)


def _told(change: Change) -> str:
    where = reveal(change.where) or "all of it"
    match change.kind:
        case "added":
            return f"{where} added: {_value(change.after)}"
        case "removed":
            return f"{where} left out"
        case "changed":
            return f"{where} {_value(change.before)} → {_value(change.after)}"


def _value(value: Json) -> str:
    text = reveal(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _ending(last: Invocation) -> str:
    if last.reason == "Timeout":
        return "timed out"
    if last.reason == "Skipped":
        return "skipped"
    if last.refused:
        return "denied"
    return "cancelled" if last.state == "Cancelled" else "allowed"
