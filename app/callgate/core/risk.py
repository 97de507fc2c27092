"""Which calls need more than a click. Pure: what the tool says of itself, and what a rule's note says of it."""

import re

from callgate.core.invocation import Invocation
from callgate.core.tool import Tool

_NOTED = re.compile(r"\bhigh[- ]risk\b", re.IGNORECASE)


def high_risk(invocation: Invocation, tool: Tool | None) -> str:
    """Why approving needs more than a click; empty = it does not. `tool`: as the catalog has it, if it does."""
    if invocation.state != "WaitingForConfirmation":
        return ""
    verdict = invocation.verdict
    if verdict is not None and verdict.rule and _NOTED.search(verdict.reason):
        return verdict.reason
    if invocation.owner == "gate" and tool is not None and tool.annotations.destructive:
        return "It may overwrite or delete"
    return ""
