"""A call that somebody made up to see what the rules say of it. Runs nothing."""

from callgate.core.call_targets import targets_of
from callgate.core.policy import Call
from callgate.core.tool import CLIENT_SOURCE
from callgate.engine.console import Console


def made_up_call(console: Console, tool: str, arguments: str, agent: str = "") -> Call:
    """As the tool of that name would be called; a name that the catalog does not know is taken for an agent's own."""
    known = next((one for one in console.tools() if one.name == tool), None)
    given = arguments.strip() or "{}"
    source, fingerprint, tags = (known.source, known.fingerprint, known.tags) if known else (CLIENT_SOURCE, "", ())
    proven = console.agents.is_registered(agent)  # as a client with its token would call it
    return Call(tool, source, agent, "", given, fingerprint, targets_of(tool, given, tags), proven)
