"""Which calls need more than a click. Pure: what the tool says of itself, what a rule's note says of it, and what the
command line that it holds would do."""

import re
from itertools import chain

from callgate.core.command_risk import outline
from callgate.core.invocation import Invocation
from callgate.core.preview import CommandPreview
from callgate.core.previews_of import previews_of
from callgate.core.tool import Tool

_NOTED = re.compile(r"\bhigh[- ]risk\b", re.IGNORECASE)


def high_risk(invocation: Invocation, tool: Tool | None) -> str:
    """Why approving needs more than a click; empty = it does not. `tool`: as the catalog has it, if it does."""
    if invocation.state != "WaitingForConfirmation":
        return ""
    verdict = invocation.verdict
    if verdict is not None and verdict.rule and _NOTED.search(verdict.reason):
        return verdict.reason
    in_commands = _in_commands(invocation, tool)
    if in_commands:
        return in_commands
    destructive = invocation.owner == "gate" and tool is not None and tool.annotations.destructive
    return "It may overwrite or delete" if destructive else ""


def _in_commands(invocation: Invocation, tool: Tool | None) -> str:
    """What one of its commands would do that should not happen by a slip."""
    for preview in previews_of(invocation, tool):
        if isinstance(preview, CommandPreview):
            found = outline(preview.command, preview.folder)
            grave = (risk.words for step in found.steps for risk in step.risks if risk.grave)
            outside = (concern for concern in found.concerns if concern.startswith("a redirection out of"))
            words = next(chain(grave, outside), "")
            if words:
                return f"It {words}" if not words.startswith("a ") else f"It has {words}"
    return ""
