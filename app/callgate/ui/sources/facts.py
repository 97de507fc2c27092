"""What is known of a source, as names and values."""

from callgate.engine.source_desk import SourceView
from callgate.ui import figures
from callgate.ui.sources.state_look import ERA_WORDS, KIND_WORDS, ORIGIN_WORDS, TRANSPORT_WORDS

NAMES = ("Address", "Command", "Programs", "Kind", "Server", "Protocol", "Process", "From", "Last error")
CODE = frozenset({"Command", "Address"})


def facts_of(view: SourceView, now: float) -> dict[str, str]:
    """Those that there are, in the order in which one would ask."""
    said: dict[str, str] = {}
    if view.where:
        address = view.kind == "mcp" and view.where.startswith(("http://", "https://"))
        said["Address" if address else "Command" if view.kind == "mcp" else "Programs"] = view.where
    said["Kind"] = " over ".join(filter(None, (KIND_WORDS[view.kind], TRANSPORT_WORDS[view.transport])))
    if view.server:
        said["Server"] = f"{view.server} {view.version}".strip()
    if view.era:
        revision = f"MCP {view.protocol}, " if view.protocol else ""
        said["Protocol"] = f"{revision}{ERA_WORDS[view.era]}"
    if view.pid is not None:
        said["Process"] = str(view.pid)
    said["From"] = ORIGIN_WORDS[view.origin]
    if view.last_error and view.state != "failed":
        said["Last error"] = f"{view.last_error} ({figures.ago(view.last_error_at, now)})"
    return said
