"""Which waiting calls may be approved together with one that is shown, and what tells them apart. Pure."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.rules.grant import grant
from callgate.core.rules.narrow_rule import narrow_for
from callgate.core.rules.policy import Rule
from callgate.core.tool import PERSON_SOURCE, Tool

MOST = 50
"""Calls in one step, the oldest first: more can't be looked through."""


def rule_like(invocation: Invocation, tool: Tool | None) -> Rule:
    """The rule that remembering the call for this turn would save (for the conversation, where there is no turn)."""
    scope = "turn" if invocation.turn else "conversation"
    when = narrow_for(invocation.effective_arguments, tool, invocation.tool).when
    return grant(invocation, Decision("approve", scope=scope, when=when))


def like(
    shown: Invocation,
    waiting: Iterable[Invocation],
    covered: Callable[[Invocation], bool],
    risky: Callable[[Invocation], bool],
) -> tuple[Invocation, ...]:
    """The call that is shown and those that are like it, oldest first; empty where there is no other.

    Like it is a call by the same agent to the same tool, run by the same thing, that has the very same arguments or is
    `covered` by `rule_like`. What may do harm, has changed or could not be granted is never among them.
    """
    if not _simple(shown) or risky(shown):
        return ()
    mark = _mark(shown)
    found = [
        call
        for call in waiting
        if call.id == shown.id
        or (
            _mark(call) == mark
            and _simple(call)
            and (call.effective_arguments == shown.effective_arguments or covered(call))
            and not risky(call)
        )
    ]
    if len(found) < 2 or all(call.id != shown.id for call in found):
        return ()
    first = [call for call in found if call.id == shown.id]
    others = [call for call in found if call.id != shown.id][: MOST - 1]
    return tuple(sorted((*first, *others), key=lambda call: call.phases[-1].since if call.phases else 0.0))


def told_apart(calls: Sequence[Invocation]) -> list[str]:
    """For each call, all that its arguments do not share with every other one; empty = they are the same in all.

    Where the arguments are no plain objects, or could be read in two ways, the whole text of each.
    """
    texts = [call.effective_arguments for call in calls]
    if len(set(texts)) == 1:
        return ["" for _ in texts]
    read = [_object(text) for text in texts]
    known = [arguments for arguments in read if arguments is not None]
    if len(known) < len(read):
        return texts
    keys = dict.fromkeys(key for arguments in known for key in arguments)
    differing = [key for key in keys if len({_canonical(arguments, key) for arguments in known}) > 1]
    if not differing:
        return texts
    return ["\n".join(_line(key, arguments) for key in differing) for arguments in known]


def _mark(call: Invocation) -> tuple[object, ...]:
    return (
        call.tool,
        call.owner,
        call.source,
        call.fingerprint,
        call.executor,
        call.agent,
        call.agent_proven,
        call.sub_agent,
        call.variant,
        call.wall,
    )


def _simple(call: Invocation) -> bool:
    """Whether nothing about it has to be looked at by itself."""
    verdict = call.verdict
    known = verdict is None or (verdict.grantable and not verdict.unrecorded and not verdict.suspends)
    return (
        call.state == "WaitingForConfirmation"
        and call.change is None
        and call.edited_arguments is None
        and call.source != PERSON_SOURCE
        and known
    )


def _object(text: str) -> dict[str, object] | None:
    """None: no JSON object, or one that says a thing twice."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key stands twice")
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, object], value) if isinstance(value, dict) else None


def _canonical(arguments: dict[str, object], key: str) -> str | None:
    return json.dumps(arguments[key], sort_keys=True) if key in arguments else None


def _line(key: str, arguments: dict[str, object]) -> str:
    """Exact: no two different values look the same, nor does a value look like another key."""
    name = key if key.isidentifier() else json.dumps(key, ensure_ascii=False)
    return f"{name}: {json.dumps(arguments[key], ensure_ascii=False)}" if key in arguments else f"{name}: not given"
