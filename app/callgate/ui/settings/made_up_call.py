"""A call that somebody made up to see what the rules say of it. Runs nothing."""

from callgate.core.calls.targets import targets_of
from callgate.core.rules.policy import Call
from callgate.core.tool import CLIENT_SOURCE, ToolSpec
from callgate.engine.console.console import Console


def made_up_call(console: Console, tool: str, arguments: str, agent: str = "") -> Call:
    """As the tool of that name would be called: the agent's own if it brings one, else the catalog's."""
    own = next((one for one in console.client_tools() if (one.agent, one.name) == (agent, tool)), None)
    known = None if own is not None else next((one for one in console.tools() if one.name == tool), None)
    given = arguments.strip() or "{}"
    source, fingerprint, tags = (known.source, known.fingerprint, known.tags) if known else (CLIENT_SOURCE, "", ())
    if own is not None and isinstance(own.tool, ToolSpec):
        fingerprint = own.tool.fingerprint
    proven = console.agents.is_registered(agent)  # as a client with its token would call it
    return Call(tool, source, agent, "", given, fingerprint, targets_of(tool, given, tags), proven)
