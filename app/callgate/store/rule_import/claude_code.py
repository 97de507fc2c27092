"""Permission rules of Claude Code: `permissions: {allow, ask, deny}` in its `settings.json`.

    Bash(npm run test:*)   Bash(git * main)   Bash(exact command)
    Read(./src/**)   Edit(//abs/path/**)   WebFetch(domain:example.com)
    mcp__server   mcp__server__tool   Tool(parameter:value)   Tool

Deny beats ask beats allow there too. Only Edit(path) and Read(path) count for files, whichever tool is used; a tool's
parameter and a glob in its name count only in rules that restrict.
"""

import re
from collections.abc import Callable, Mapping
from typing import cast

import regex

from callgate.core.messages import Json
from callgate.core.rules.match import quoted
from callgate.core.rules.policy import VerdictKind
from callgate.core.rules.vscode_patterns import spelled_pattern, url_condition
from callgate.core.shell import parse_command
from callgate.store.rule_import.claude_paths import (
    allowed_edits,
    allowed_reads,
    names_everything,
    restricted,
    restricted_commands,
)
from callgate.store.rule_import.report import Collecting, ImportReport

# Commands in the permission rules of Claude Code: a whole one, or one with `*` for any text.
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


PROGRAM = "Claude Code"
_VERDICTS: tuple[VerdictKind, ...] = ("allow", "ask", "deny")
_RULE = re.compile(r"([A-Za-z_*][\w.:*-]*)(?:\((.*)\))?", re.DOTALL)
_PARAMETER = re.compile(r"([A-Za-z_]\w*)\s*:\s*(.*)", re.DOTALL)
_READERS = {"Read": "file_path", "NotebookRead": "notebook_path", "LS": "path", "Grep": "path", "Glob": "path"}
"""Tools that a rule for `Read` is about, each with the argument that it reads."""
_EDITORS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_SHELL = "Bash"
_ANCHORED_GLOB = re.compile(r"mcp__[^*]+__.*\*")
"""The only globs that may stand in a tool's name of a rule that allows."""
_OTHER_SETTINGS = {
    "additionalDirectories": "Callgate has one workspace: the rules say what else may be reached",
    "defaultMode": "how the agent begins is its own business: here, what no rule settles asks",
    "disableBypassPermissionsMode": "Callgate has no mode in which nothing is judged",
    "disableAutoMode": "Callgate has no mode in which a model decides",
}


def import_claude_code(
    settings: Mapping[str, Json], root: str, *, source: str = "", anchored: bool = False
) -> ImportReport:
    """`root` is the folder that the agent works in; `anchored`: the settings file is that folder's own."""
    collecting = Collecting(PROGRAM, source)
    permissions = settings.get("permissions")
    for key, value in permissions.items() if isinstance(permissions, Mapping) else ():
        if key in _VERDICTS and isinstance(value, list):
            for item in value:
                if isinstance(item, str):
                    _Reading(collecting, cast(VerdictKind, key), item.strip(), root, anchored).read()
                else:
                    collecting.skip(str(item), "expected text")
        elif key in _VERDICTS:
            collecting.skip(f"permissions.{key}", "expected a list", at=key)
        else:
            why = _OTHER_SETTINGS.get(key, "it is no rule, and Callgate has no counterpart")
            collecting.skip(f"permissions.{key}", why, at=key)
            if key == "defaultMode" and value == "plan":
                collecting.add("ask", (_SHELL, *_EDITORS), "", "defaultMode: plan changes nothing")
    hooks = settings.get("hooks")
    if isinstance(hooks, Mapping) and hooks.get("PreToolUse"):
        collecting.skip(
            "hooks.PreToolUse", "Callgate runs no hooks: what one refused is not refused here", "PreToolUse"
        )
    return collecting.report()


class _Reading:
    """One rule, with all that it is about."""

    def __init__(self, collecting: Collecting, verdict: VerdictKind, text: str, root: str, anchored: bool) -> None:
        self._collecting = collecting
        self._verdict: VerdictKind = verdict
        self._allows = verdict == "allow"
        self._text = text
        self._root = root
        self._anchored = anchored

    def read(self) -> None:
        found = _RULE.fullmatch(self._text)
        if found is None:
            self._unreadable()
            return
        name, detail = found[1], (found[2] or "").strip()
        if name == "Cd":
            self._collecting.skip(self._text, "it is about a command of the person's, which no model can call")
        elif self._allows and "*" in name and not _ANCHORED_GLOB.fullmatch(name):
            self._collecting.skip(self._text, "Claude Code itself allows nothing by a glob that names no server")
        elif detail == "" or (detail == "*" and (name == _SHELL or not self._allows)):
            self._collecting.add(self._verdict, self._whole(name), "", self._text)
        elif name in _READERS or name in _EDITORS:
            self._paths(name, detail)
        else:
            self._one(name, name, lambda: self._condition(name, detail))

    def _unreadable(self) -> None:
        known = re.match(r"[A-Za-z_]\w*", self._text)
        if known is None:
            self._collecting.skip(self._text, "it cannot be read")
        else:
            self._collecting.inexact(self._verdict, self._whole(known[0]), self._text, "it cannot be read")

    def _whole(self, name: str) -> tuple[str, ...]:
        """The tools that a rule without a detail is about: one that allows means no other than it names."""
        if name.startswith("mcp__") and name.count("__") == 1 and not name.endswith("*"):
            return (f"{name}__*",)
        if self._allows:
            return (name,)
        return tuple(_READERS) if name == "Read" else _EDITORS if name == "Edit" else (name,)

    def _one(self, tool: str, about: str, condition: Callable[[], str]) -> None:
        try:
            when = condition()
        except ValueError as why:
            text = self._text if tool == about else f"{self._text} of {tool}"
            self._collecting.inexact(self._verdict, self._whole(tool), text, str(why), at=self._text)
        else:
            self._collecting.add(self._verdict, (tool,), when, self._text)

    # ---- files -----------------------------------------------------------------------------------------------------

    def _paths(self, name: str, pattern: str) -> None:
        reads = name in _READERS
        if self._allows and name not in ("Read", "Edit"):
            why = f"Claude Code looks for paths in Read and Edit only: this would be {'Read' if reads else 'Edit'}(…)"
            self._collecting.skip(self._text, why)
            return
        if self._allows:
            try:
                self._path(name, pattern)
            except ValueError as why:
                self._collecting.skip(self._text, str(why))
                return
        for tool in _READERS if reads else _EDITORS:
            self._one(tool, name, lambda tool=tool: self._path(tool, pattern))
        if self._allows:
            return
        if reads:
            # what may not be read may not be edited either: an edit shows what was there
            self._one("Edit", name, lambda: self._restricted("edits", pattern))
        if not names_everything(pattern):
            self._one(_SHELL, name, lambda: self._restricted_commands(pattern, only_changes=not reads))

    def _path(self, tool: str, pattern: str) -> str:
        if tool in _EDITORS:
            return (
                allowed_edits(pattern, anchored=self._anchored) if self._allows else self._restricted("edits", pattern)
            )
        if not self._allows:
            return self._restricted(f"args.{_READERS[tool]}", pattern)
        if tool == "Glob":
            raise ValueError("its own pattern may lead out of the folder that it is given")
        return allowed_reads(_READERS[tool], pattern, self._root, anchored=self._anchored)

    def _restricted(self, field: str, pattern: str) -> str:
        return restricted(field, pattern, self._root, anchored=self._anchored)

    def _restricted_commands(self, pattern: str, *, only_changes: bool) -> str:
        return restricted_commands(pattern, self._root, anchored=self._anchored, only_changes=only_changes)

    # ---- everything else -------------------------------------------------------------------------------------------

    def _condition(self, name: str, detail: str) -> str:
        found = _PARAMETER.fullmatch(detail)
        if name == _SHELL:
            command = command_condition(detail, allows=self._allows)
            is_parameter = found is not None and not self._allows and not detail.endswith(":*")
            return f"{command} or {_parameter(found)}" if found is not None and is_parameter else command
        if name == "PowerShell":
            raise ValueError("lines of PowerShell are not taken apart here")
        if found is None or found[2].startswith("//"):
            raise ValueError(f"what {detail!r} means of {name} is not known here")
        if name == "WebFetch" and found[1] == "domain":
            return self._domain(found[2])
        if self._allows:
            raise ValueError("Claude Code itself allows nothing by a single parameter")
        return _parameter(found)

    def _domain(self, domain: str) -> str:
        host = domain.strip().rstrip(".")
        if set(host) & set("/:"):
            raise ValueError("it is no name of a host")
        return url_condition(host, approves=self._allows)


def _parameter(found: "re.Match[str]") -> str:
    name, value = found[1], found[2].strip()
    if "*" not in value:
        return f"args.{name}={quoted(value)}"
    body = "(?s:.*)".join(re.escape(piece) for piece in value.split("*"))
    return f"args.{name}~" + spelled_pattern(rf"\A{body}\Z")
