"""Permission rules of Claude Code: `permissions: {allow, ask, deny}` in its `settings.json`.

    Bash(npm run test:*)   Bash(git * main)   Bash(exact command)
    Read(./src/**)   Edit(//abs/path/**)   Write(~/notes/*)   WebFetch(domain:example.com)
    mcp__server   mcp__server__tool   Tool(parameter:value)   Tool

Deny beats ask beats allow there too. Paths without a leading `//` or `~/` are meant from the workspace.
"""

import re
from collections.abc import Mapping
from typing import cast

import regex

from callgate.core.match import quoted
from callgate.core.messages import Json
from callgate.core.policy import VerdictKind
from callgate.core.shell import parse_command
from callgate.core.vscode_patterns import spelled_pattern, url_condition
from callgate.store.rule_import.report import Collecting, ImportReport

PROGRAM = "Claude Code"
_VERDICTS: tuple[VerdictKind, ...] = ("allow", "ask", "deny")
_RULE = re.compile(r"([A-Za-z_][\w.:*-]*)(?:\((.*)\))?", re.DOTALL)
_PARAMETER = re.compile(r"([A-Za-z_]\w*):(.*)", re.DOTALL)
_READERS = {"Read": "file_path", "NotebookRead": "notebook_path", "LS": "path", "Grep": "path", "Glob": "path"}
"""Tools that a rule for `Read` is about, each with the argument that it reads."""
_EDITORS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


def import_claude_code(settings: Mapping[str, Json], root: str) -> ImportReport:
    collecting = Collecting(PROGRAM)
    permissions = settings.get("permissions")
    for key, value in permissions.items() if isinstance(permissions, Mapping) else ():
        if key in _VERDICTS and isinstance(value, list):
            for item in value:
                if isinstance(item, str):
                    _rule(collecting, cast(VerdictKind, key), item.strip(), root)
                else:
                    collecting.skipped.append((str(item), "expected text"))
        else:
            collecting.skipped.append((f"permissions.{key}", "it is no rule, and Callgate has no counterpart"))
    return collecting.report()


def _rule(collecting: Collecting, verdict: VerdictKind, text: str, root: str) -> None:
    found = _RULE.fullmatch(text)
    if found is None:
        _unreadable(collecting, verdict, text)
        return
    name, detail = found[1], (found[2] or "").strip()
    for tool in _tools(name):
        if detail in ("", "*"):
            collecting.add(verdict, (tool,), "", text)
            continue
        try:
            when = _condition(name, tool, detail, verdict, root)
        except ValueError as why:
            collecting.inexact(verdict, (tool,), text if tool == name else f"{text} of {tool}", str(why))
        else:
            collecting.add(verdict, (tool,), when, text)


def _unreadable(collecting: Collecting, verdict: VerdictKind, text: str) -> None:
    known = re.match(r"[A-Za-z_]\w*", text)
    why = "it cannot be read"
    if known is None:
        collecting.skipped.append((text, why))
    else:
        collecting.inexact(verdict, _tools(known[0]), text, why)


def _tools(name: str) -> tuple[str, ...]:
    match name:
        case "Read":
            return tuple(_READERS)
        case "Edit" | "Write" | "MultiEdit":
            return _EDITORS
        case _ if name.startswith("mcp__") and name.count("__") == 1:
            return (f"{name}__*",)
        case _:
            return (name,)


def _condition(name: str, tool: str, detail: str, verdict: VerdictKind, root: str) -> str:
    allows = verdict == "allow"
    if name == "Bash":
        return _command(detail, allows)
    if name in _READERS:
        return _reads(tool, detail, allows, root)
    if name in _EDITORS:
        return _edits(detail, allows)
    found = _PARAMETER.fullmatch(detail)
    if found is None:
        raise ValueError(f"what {detail!r} means of {name} is not known here")
    parameter, value = found[1], found[2].strip()
    if name == "WebFetch" and parameter == "domain":
        return url_condition(value, approves=allows)
    return f"args.{parameter}:{quoted(value)}" if "*" in value else f"args.{parameter}={quoted(value)}"


# ---- commands ------------------------------------------------------------------------------------------------------


def _command(detail: str, allows: bool) -> str:
    prefix = detail.removesuffix(":*")
    if prefix != detail and "*" not in prefix:
        end = r"(?=\s|$)" if allows else r"(?!\w)"
        return f"command~{spelled_pattern(f'^{_escaped(prefix)}{end}')}"
    if "*" not in detail:
        return f"command={quoted(_uniform(detail))}"
    body = "(?s:.*)".join(_escaped(piece) for piece in prefix.split("*"))
    if detail.endswith(" *"):
        # `git *` also means git alone
        body = body.removesuffix(" (?s:.*)") + "(?: (?s:.*))?"
    return f"command~{spelled_pattern(f'^{body}$')}"


def _escaped(text: str) -> str:
    return regex.escape(text, literal_spaces=True)


def _uniform(detail: str) -> str:
    """An exact command in the spelling that commands are compared in."""
    parsed = parse_command(detail)
    return parsed.commands[0] if len(parsed.parts) == 1 and not parsed.concerns else detail


# ---- paths ---------------------------------------------------------------------------------------------------------


def _reads(tool: str, pattern: str, allows: bool, root: str) -> str:
    if allows and tool == "Glob":
        raise ValueError("its own pattern may lead out of the folder that it is given")
    globs = _below(root, pattern) if allows else _anywhere(pattern)
    return " or ".join(f"args.{_READERS[tool]}:{quoted(glob)}" for glob in globs)


def _edits(pattern: str, allows: bool) -> str:
    globs = _below("", pattern) if allows else _anywhere(pattern)
    return " or ".join(f"edits:{quoted(glob)}" for glob in globs)


def _below(root: str, pattern: str) -> tuple[str, ...]:
    """Globs for exactly what a pattern means."""
    if pattern.startswith("~"):
        raise ValueError("which folder is the agent's home is not known here")
    if set(pattern) & set("[]{}!\\"):
        raise ValueError("the pattern has signs that globs here do not have")
    if pattern.startswith("//"):
        place = pattern[1:]
    else:
        plain = pattern.removeprefix("./").removeprefix("/")
        # as in .gitignore: a name without a slash is meant in every folder
        depth = "**/" if "/" not in pattern.rstrip("/").removeprefix("./") and not pattern.startswith("./") else ""
        place = f"{root.rstrip('/')}/{depth}{plain}" if root else f"{depth}{plain}"
    place = place.rstrip("/")
    return (place,) if place.endswith("**") else (place, f"{place}/**")


def _anywhere(pattern: str) -> tuple[str, ...]:
    """Globs for at least what a pattern means, wherever the agent's folders are."""
    if set(pattern) & set("[]{}!\\"):
        raise ValueError("the pattern has signs that globs here do not have")
    plain = pattern.removeprefix("~").removeprefix("./").lstrip("/").rstrip("/")
    if not plain:
        raise ValueError("the pattern means everything")
    place = plain if plain.startswith("**/") else f"**/{plain}"
    return (place,) if place.endswith("**") else (place, f"{place}/**")
