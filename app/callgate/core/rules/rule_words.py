"""A rule in plain words: what it does, how long it holds, and why it may not hold now. Pure."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from callgate.core.calls.invocation import GRANT_SCOPES
from callgate.core.rules.match import Always, ExpressionError, parse
from callgate.core.rules.policy import Rule
from callgate.core.tool import CLIENT_SOURCE, Tool

Standing = Literal["active", "expired", "used_up", "suspended", "unreadable"]

_ORIGINS = {
    "config": "configuration file",
    "turn": "this turn",
    "conversation": "this conversation",
    "session": "this session",
    "workspace": "this workspace",
    "always": "always",
    "setting": "setting",
}
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


@dataclass(frozen=True, slots=True)
class RuleState:
    """Whether a rule counts now."""

    standing: Standing
    reason: str = ""
    """Why it does not, in words; empty = it does."""


def about_words(rule: Rule) -> str:
    """What a rule is about: `read_file of built-in for claude-code`."""
    parts = ["every tool" if rule.tool == "*" else rule.tool]
    if rule.source != "*":
        parts.append(f"of {rule.source}")
    if rule.agent != "*":
        parts.append(f"for {rule.agent}")
    return " ".join(parts)


def when_words(when: str) -> str:
    """An expression explained; empty = it always holds. Raises `ExpressionError`."""
    expression = parse(when)
    return "" if isinstance(expression, Always) else expression.words()


def rule_words(rule: Rule) -> str:
    """The whole rule as a sentence without its full stop."""
    try:
        when = when_words(rule.when)
    except ExpressionError:
        when = rule.when
    words = f"{rule.verdict} {about_words(rule)}" + (f" when {when}" if when else "")
    if rule.within is not None:
        words += " until the agent's next user message" if rule.within.turn else ", in this conversation only"
    if rule.spares_sub_agents:
        words += ", but not for sub-agents"
    words = f"{words}, and review the result" if rule.review else words
    return words if rule.at_deadline == "deny" else f"{words}, and {rule.at_deadline} it if nobody decides in time"


def is_grant(rule: Rule) -> bool:
    """Whether a person saved it, and may take it away again; others stand in a file."""
    return rule.origin in GRANT_SCOPES


def origin_words(rule: Rule) -> str:
    return _ORIGINS.get(rule.origin, rule.origin)


def limit_words(rule: Rule, now: float) -> str:
    """Uses and time that are left; empty = it has no limit."""
    parts: list[str] = []
    if rule.uses is not None:
        parts.append("1 use left" if rule.uses == 1 else f"{rule.uses} uses left")
    if rule.expires is not None:
        parts.append(f"for {span_words(rule.expires - now)}" if rule.expires > now else "time is over")
    return ", ".join(parts)


def span_words(seconds: float) -> str:
    """A stretch of time that is left, rounded up so that it never says nothing is left while something is."""
    if seconds < _HOUR:
        return f"{max(1, -int(-seconds // _MINUTE))} min"
    if seconds < 2 * _DAY:
        return f"{round(seconds / _HOUR)} h"
    return f"{round(seconds / _DAY)} days"


def state_of(rule: Rule, tools: Iterable[Tool], now: float) -> RuleState:
    """Whether it counts now; a suspended grant can be told only for tools that the catalog knows."""
    try:
        parse(rule.when)
    except ExpressionError as bad:
        return RuleState("unreadable", f"can't be read, so it asks: {bad.message}")
    if rule.expires is not None and rule.expires <= now:
        return RuleState("expired", f"expired {time.strftime('%Y-%m-%d %H:%M', time.localtime(rule.expires))}")
    if rule.uses is not None and rule.uses <= 0:
        return RuleState("used_up", "all its uses are used up")
    if rule.fingerprint and rule.source != CLIENT_SOURCE:
        known = [tool for tool in tools if tool.name == rule.tool and rule.source in ("*", tool.source)]
        if known and all(tool.fingerprint != rule.fingerprint for tool in known):
            return RuleState("suspended", "suspended: the tool's definition has changed since it was granted")
    return RuleState("active")
