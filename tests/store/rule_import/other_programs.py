"""How Claude Code, VS Code and Zed decide by themselves, written from their documentation and not from the importers.

Only as much as the properties need: sub-commands come as a list, paths and addresses as plain texts.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pathspec import GitIgnoreSpec

Kind = Literal["allow", "ask", "deny"]
Rules = Mapping[str, Sequence[str]]
WORK, SETTINGS, HOME = "/w", "/w/.claude-home", "/home/me"

# ---- Claude Code ---------------------------------------------------------------------------------------------------


def claude_command(rules: Rules, commands: Sequence[str]) -> Kind:
    for kind in ("deny", "ask"):
        if any(_claude_fits(rule, command) for rule in rules.get(kind, ()) for command in commands):
            return kind  # type: ignore[return-value]
    allowed = all(any(_claude_allows(rule, command) for rule in rules.get("allow", ())) for command in commands)
    return "allow" if allowed else "ask"


def _claude_allows(rule: str, command: str) -> bool:
    words = command.split(" ")
    never = words[0] in ("watch", "setsid", "ionice", "flock")
    never = never or (words[0] == "find" and bool({"-exec", "-execdir", "-ok", "-okdir", "-delete"} & set(words)))
    return _claude_fits(rule, command) and not (never and "*" in rule)


def _claude_fits(rule: str, command: str) -> bool:
    text = rule.removesuffix(":*") + " *" if rule.endswith(":*") else rule
    if text.endswith(" *") and text.count("*") == 1:
        return command == text[:-2] or command.startswith(text[:-1])
    return re.fullmatch(".*".join(map(re.escape, text.split("*"))), command, re.DOTALL) is not None


def claude_path(rules: Rules, path: str) -> Kind:
    for kind in ("deny", "ask", "allow"):
        if any(_claude_covers(rule, path, kind) for rule in rules.get(kind, ())):
            return kind  # type: ignore[return-value]
    return "ask"


def _claude_covers(rule: str, path: str, kind: str) -> bool:
    anchors = {"//": "/", "~/": HOME, "/": SETTINGS, "./": WORK, "": WORK}
    prefix = next(prefix for prefix in anchors if rule.startswith(prefix))
    folder, pattern = anchors[prefix], ("/" if prefix else "") + rule[len(prefix) :]
    base = folder.rstrip("/") + "/"
    if not path.startswith(base):
        return False
    below = path[len(base) :]
    if kind != "allow":
        pattern, below = pattern.lower(), below.lower()
    return GitIgnoreSpec.from_lines([pattern]).match_file(below)


# ---- VS Code -------------------------------------------------------------------------------------------------------


def vscode_command(entries: Mapping[str, bool], commands: Sequence[str]) -> Kind:
    for key, value in entries.items():
        if not value and any(_vscode_begins(key, command) for command in commands):
            return "ask"
    approved = all(any(value and _vscode_begins(key, one) for key, value in entries.items()) for one in commands)
    return "allow" if approved else "ask"


def _vscode_begins(key: str, command: str) -> bool:
    if key.startswith("/") and key.endswith("/"):
        return re.search(key[1:-1], command, re.ASCII) is not None
    text = re.escape(key)
    if "/" in key:
        text = r"(?:\.[/\\])?" + text.replace("/", r"[/\\]")
    return re.match(text + r"\b", command, re.ASCII) is not None


def vscode_edit(entries: Mapping[str, bool], path: str) -> Kind:
    """The last pattern that fits wins; `path` is relative to the workspace."""
    fitting = [value for glob, value in entries.items() if _segments_fit(glob.split("/"), path.split("/"))]
    return "allow" if fitting and fitting[-1] else "ask"


def _segments_fit(globs: Sequence[str], steps: Sequence[str]) -> bool:
    if not globs:
        return not steps
    if globs[0] == "**":
        return any(_segments_fit(globs[1:], steps[cut:]) for cut in range(len(steps) + 1))
    if not steps:
        return False
    one = re.escape(globs[0]).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    return re.fullmatch(one, steps[0]) is not None and _segments_fit(globs[1:], steps[1:])


def vscode_url(entries: Mapping[str, bool], scheme: str, host: str, path: str) -> Kind:
    """The first pattern that fits wins."""
    for pattern, value in entries.items():
        own, mark, rest = pattern.partition("://")
        rest = rest if mark else own
        glob_host, slash, glob_path = rest.partition("/")
        fits = (not mark or own == scheme) and _url_part(glob_host, host)
        if fits and _url_part((slash + glob_path).rstrip("/"), path.rstrip("/")):
            return "allow" if value else "ask"
    return "ask"


def _url_part(glob: str, text: str) -> bool:
    if not text:
        return not glob
    if not glob:
        return text[0] == "/"
    if glob[0] == text[0] and _url_part(glob[1:], text[1:]):
        return True
    if glob.startswith("*.") and ((text[0] not in "/:" and _url_part(glob, text[1:])) or _url_part(glob[2:], text)):
        return True
    if glob[0] != "*":
        return False
    taken = _url_part(glob[1:], "") if len(text) == 1 else _url_part(glob, text[1:])
    return taken or _url_part(glob[1:], text)


# ---- Zed -----------------------------------------------------------------------------------------------------------


def zed(tool: Mapping[str, object], general: str, inputs: Sequence[str]) -> Kind:
    def fits(key: str, text: str) -> bool:
        patterns = tool.get(key, ())
        assert isinstance(patterns, Sequence)
        return any(re.search(one["pattern"], text, re.IGNORECASE) for one in patterns)  # type: ignore[index]

    if any(fits("always_deny", text) for text in inputs):
        return "deny"
    if any(fits("always_confirm", text) for text in inputs):
        return "ask"
    if inputs and all(fits("always_allow", text) for text in inputs):
        return "allow"
    kinds: dict[object, Kind] = {"allow": "allow", "confirm": "ask", "deny": "deny"}
    return kinds[tool.get("default", general)]
