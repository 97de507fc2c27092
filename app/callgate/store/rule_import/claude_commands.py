"""Commands in the permission rules of Claude Code: a whole one, or one with `*` for any text.

git push         exactly that                  npm run *   the same as npm run:*, and npm run alone
git * main       anything between              ls*         also lsof
"""

import re

import regex

from callgate.core.match import quoted
from callgate.core.shell import parse_command
from callgate.core.vscode_patterns import spelled_pattern

_STAR = re.compile(r"(?<!\\)\*")
_NEVER = {
    ("flock", "ionice", "setsid", "watch"): r"^(?:\S*/)?(?:flock|ionice|setsid|watch)(?=\s|\Z)",
    ("find",): r"^(?:\S*/)?find\s(?s:.*)(?<=\s)-(?:exec|execdir|ok|okdir|delete)(?=\s|\Z)",
}
"""What Claude Code asks about whatever a pattern says: only a rule for the whole command allows it."""


def command_condition(detail: str, *, allows: bool) -> str:
    """Raises `ValueError` where it can't be said."""
    text = f"{detail.removesuffix(':*')} *" if detail.endswith(":*") else detail
    pieces = _STAR.split(text)
    if len(pieces) == 1:
        return f"command={quoted(_uniform(_unescaped(text)))}"
    escaped = [regex.escape(_unescaped(piece), literal_spaces=True) for piece in pieces]
    if text.endswith(" *"):
        escaped[-2] = escaped[-2].removesuffix(" ")
        body = "(?s:.*)".join(escaped[:-1]) + _end(allows, alone=len(pieces) == 2)
    else:
        body = "(?s:.*)".join(escaped) + r"\Z"
    condition = f"command~{spelled_pattern('^' + body)}"
    if not allows:
        return condition
    start = pieces[0]
    for names, never in _NEVER.items():
        if "/" in start or any(name.startswith(start) or start.startswith(name) for name in names):
            condition += f" and not command~{spelled_pattern(never)}"
    return condition


def _end(allows: bool, *, alone: bool) -> str:
    """Behind a blank and a star: a word ends there. The command without anything behind it is meant too, where the
    star is the only one."""
    if not allows:
        return r"(?!\w)"
    return r"(?=\s|\Z)" if alone else r"(?=\s)"


def _unescaped(text: str) -> str:
    return text.replace(r"\*", "*")


def _uniform(detail: str) -> str:
    """An exact command in the spelling that commands are compared in."""
    parsed = parse_command(detail)
    return parsed.commands[0] if len(parsed.parts) == 1 and not parsed.concerns else detail
