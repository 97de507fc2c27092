"""The schema of a call's tool, wherever it is kept. Asks the console; knows no widgets."""

from collections.abc import Mapping

from callgate.core.invocation import Invocation
from callgate.core.messages import Json
from callgate.core.tool import ToolSpec
from callgate.engine.console import Console


def schema_of(console: Console, invocation: Invocation) -> Mapping[str, Json] | None:
    """None: the tool is not known, or says nothing about its arguments."""
    if invocation.variant != "function":
        return None
    if invocation.owner == "gate":
        tool = next((tool for tool in console.tools() if tool.name == invocation.tool), None)
        return tool.schema if tool is not None and tool.schema else None
    for brought in console.client_tools():
        if (brought.agent, brought.name) == (invocation.agent, invocation.tool) and isinstance(brought.tool, ToolSpec):
            return brought.tool.schema or None
    return None
