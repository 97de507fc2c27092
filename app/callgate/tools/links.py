"""What a call reaches once links are followed: text alone does not tell where `notes/today.txt` really is.

Used for calls that run here, whose paths begin in the workspace. Nothing is opened; a link that changes after this look
is the tools' own business, which check again where they open.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from callgate.core.calls.targets import GUARDED, Targets, guard_edits
from callgate.core.rules.guarded_files import GuardedFiles


def through_links(targets: Targets, root: str, files: GuardedFiles = GUARDED) -> Targets:
    """The same, with the files that links lead to beside those that are named, and what that makes a concern."""
    if not targets.edits and not targets.redirected and not targets.writes:
        return targets
    home = os.path.realpath(root)
    reached = tuple(dict.fromkeys(place for path in targets.edits for place in (path, _real(path, root, home))))
    written = (files.guard_of(_real(path, root, home), home) for path in (*targets.writes, *targets.redirected))
    guarded = (guard.concern for guard in written if guard is not None)
    concerns = dict.fromkeys((*targets.concerns, *_concerns(targets.redirected, root, home), *guarded))
    return guard_edits(replace(targets, edits=reached, concerns=tuple(concerns)), home, files)


def through_absolute_links(targets: Targets, files: GuardedFiles) -> Targets:
    """The same for a call that runs elsewhere on this machine: only where whole paths lead is known."""
    named = [path for path in (*targets.edits, *targets.writes, *targets.redirected) if Path(path).is_absolute()]
    guards = (files.guard_of(real) for path in named if "\0" not in path and (real := os.path.realpath(path)) != path)
    concerns = dict.fromkeys((*targets.concerns, *(guard.concern for guard in guards if guard is not None)))
    return replace(targets, concerns=tuple(concerns))


def _concerns(paths: tuple[str, ...], root: str, home: str) -> Iterator[str]:
    for path in paths:
        real = _real(path, root, home)
        if Path(real).is_absolute():
            yield f"a redirection through a link out of the workspace: {path} is {real}"
        elif any(step.startswith(".") for step in real.split("/")):
            yield f"a redirection through a link to a hidden file: {path} is {real}"


def _real(path: str, root: str, home: str) -> str:
    """Where a path leads: relative to the workspace if that is within it. A path that is none stays as it is."""
    if path.startswith("~") or "\0" in path:
        return path
    real = os.path.realpath(Path(root, path))  # `Path.resolve` raises on a link to itself
    if real == home:
        return "."
    inside = real.startswith(home.rstrip(os.sep) + os.sep)
    return os.path.relpath(real, home).replace(os.sep, "/") if inside else real
