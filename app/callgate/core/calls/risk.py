"""Which calls need more than a click. Pure: what the tool says of itself, what a rule's note says of it, and what the
command line that it holds or the file that it changes would do."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from callgate.core.calls.command_risk import outline
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, DiffPreview
from callgate.core.calls.previews import previews_of
from callgate.core.calls.targets import targets_of
from callgate.core.calls.tool_kinds import edits_files
from callgate.core.tool import Tool

# Places that belong to the computer or to the person's account, and to no project: whoever writes there changes more
# than a workspace. Pure; for agents whose workspace is not known. A place that is not named here may still be
# outside.
_SYSTEM: Final = re.compile(
    r"/(bin|boot|dev|etc|lib|lib32|lib64|opt|proc|sbin|sys|usr|System|Library|Applications|private/etc)(/|$)"
    r"|[A-Za-z]:/(Windows|Program Files( \(x86\))?|ProgramData)(/|$)",
    re.IGNORECASE,
)
_ACCOUNT: Final = re.compile(
    r"(~[^/]*|/root|/home/[^/]+|/Users/[^/]+|[A-Za-z]:/Users/[^/]+)/(\.[^/]+|AppData|Library)(/|$)", re.IGNORECASE
)
"""What programs of the account read by themselves: start-up files, keys, settings."""
_HARMLESS: Final = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})


def is_of_account(path: str) -> bool:
    plain = path.strip().replace("\\", "/")
    if plain.lower().startswith("file://"):
        plain = "/" + plain[7:].lstrip("/")
    plain = posixpath.normpath(plain.replace("${HOME}", "~").replace("$HOME", "~"))
    if plain in _HARMLESS:
        return False
    return plain.startswith("../") or plain == ".." or bool(_SYSTEM.match(plain) or _ACCOUNT.match(plain))


_NOTED = re.compile(r"\bhigh[- ]risk\b", re.IGNORECASE)
_OUTSIDE = "names a place outside the workspace"
_WRITES = "it writes to a file: "
_READ = 200_000
"""Characters of arguments that are taken apart for a path; no list of files is longer."""


def high_risk(invocation: Invocation, tool: Tool | None) -> str:
    """Why approving needs more than a click; empty = it does not. `tool`: as the catalog has it, if it does."""
    return risk_of(invocation, tool) if invocation.state == "WaitingForConfirmation" else ""


def risk_of(invocation: Invocation, tool: Tool | None) -> str:
    """The same, whether or not the call waits."""
    verdict = invocation.verdict
    if verdict is not None and verdict.rule and _NOTED.search(verdict.reason):
        return verdict.reason
    told = _in_commands(invocation, tool) or _in_edits(invocation, tool)
    if told:
        return told
    if verdict is not None and verdict.suspends:
        return "Its definition has changed since you allowed it"
    destructive = invocation.owner == "gate" and tool is not None and tool.annotations.destructive
    return "It is declared destructive" if destructive else ""


def _in_commands(invocation: Invocation, tool: Tool | None) -> str:
    """What one of its commands would do that should not happen by a slip."""
    for preview in previews_of(invocation, tool):
        if isinstance(preview, CommandPreview):
            found = outline(preview.command, preview.folder)
            risks = [risk for step in found.steps for risk in step.risks]
            grave = (f"It {risk.words}" for risk in risks if risk.grave)
            outside = (f"It {risk.words}" for risk in risks if risk.words.startswith(_OUTSIDE))
            words = next(chain(grave, _redirected(found.concerns), outside), "")
            if words:
                return words
    return ""


def _redirected(concerns: tuple[str, ...]) -> Iterator[str]:
    for concern in concerns:
        if concern.startswith("a redirection out of"):
            yield f"It has {concern}"
        elif concern.startswith(_WRITES) and is_of_account(concern.removeprefix(_WRITES)):
            yield f"It writes outside of any workspace: {concern.removeprefix(_WRITES)}"


def _in_edits(invocation: Invocation, tool: Tool | None) -> str:
    """What is previewed has been read already; only a call without a preview is taken apart for its paths."""
    paths: Sequence[str] = [one.path for one in previews_of(invocation, tool) if isinstance(one, DiffPreview)]
    tags = () if tool is None else tool.tags
    if not paths and edits_files(invocation.tool, tags) and len(invocation.effective_arguments) <= _READ:
        paths = targets_of(invocation.tool, invocation.effective_arguments, tags).edits
    place = next((path for path in paths if is_of_account(path)), "")
    return f"It changes a file outside of any workspace: {place}" if place else ""
