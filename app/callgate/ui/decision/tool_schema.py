"""A call's tool, wherever it is kept: its schema and what is known of it. Asks the console; knows no widgets."""

from collections.abc import Mapping

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.tool_facts import ToolFacts, defined_by, facts_of, tool_of
from callgate.core.messages import Json
from callgate.core.tool import CLIENT_SOURCE, HostedTool, ToolSpec
from callgate.engine.console.console import Console


def schema_of(console: Console, invocation: Invocation) -> Mapping[str, Json] | None:
    """None: the tool is not known, or says nothing about its arguments."""
    if invocation.variant != "function":
        return None
    if invocation.source != CLIENT_SOURCE:
        tool = defined_by(invocation, console.tools())
        return tool.schema if tool is not None and tool.schema else None
    brought = _brought(console, invocation)
    return brought.schema or None if isinstance(brought, ToolSpec) else None


def facts_about(console: Console, invocation: Invocation) -> ToolFacts:
    return facts_of(invocation, tool_of(invocation, console.tools()), _brought(console, invocation), invocation.preview)


def _brought(console: Console, invocation: Invocation) -> ToolSpec | HostedTool | None:
    """The agent's own tool, as it was last offered."""
    if invocation.source != CLIENT_SOURCE:
        return None
    wanted = (invocation.agent, invocation.tool)
    return next((own.tool for own in console.client_tools() if (own.agent, own.name) == wanted), None)
