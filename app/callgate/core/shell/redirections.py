"""Where the redirections of a command lead: within the workspace, or somewhere that a person should look at."""

import posixpath

from callgate.core.shell.words import Word, shown

_HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"})


def redirection_concern(target: Word, operator: str, root: str, *, moves: bool) -> str:
    """Why a redirection needs a person; empty = it does not. `moves` = the line changes its folder by itself.

    Links are not followed here, as nothing is looked up: whoever knows the workspace does that.
    """
    path = target.literal
    if _is_descriptor(path, operator):
        return ""
    if not target.is_certain:
        return f"a redirection to a place that is known only when it runs: {shown(path)}"
    astray = leads_astray(path, root, moves=moves)
    return f"a redirection {astray}: {shown(path)}" if astray else ""


def leads_astray(path: str, root: str, *, moves: bool) -> str:
    """Where a file that is written lies, if a person should look at it; empty = within the workspace."""
    if path in _HARMLESS:
        return ""
    place = posixpath.normpath(path)
    if place.startswith("/"):
        home = posixpath.normpath(root) if root else ""
        if not home or not place.startswith(f"{home.rstrip('/')}/"):
            return "out of the workspace"
        place = place[len(home.rstrip("/")) + 1 :]
    elif moves:
        return "after a change of folder"
    if place.startswith(("..", "~")):
        return "out of the workspace"
    if any(step.startswith(".") and step != "." for step in place.split("/")):
        return "to a hidden file"
    return ""


def is_file(target: Word, operator: str) -> bool:
    """Whether a redirection leads to a file at all."""
    return not _is_descriptor(target.literal, operator) and target.literal not in _HARMLESS


def _is_descriptor(path: str, operator: str) -> bool:
    return operator.endswith("&") and (path.isdecimal() or path == "-")
