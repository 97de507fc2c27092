"""One configured source: its settings, where they stand, what it says, and what is to be seen of it."""

import shlex
import time
from dataclasses import dataclass, field
from typing import Literal

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets
from callgate.core.secrets.masking import mask
from callgate.engine.sources.source_log import SourceLog
from callgate.engine.sources.source_service import SourceKind, SourceState, SourceView
from callgate.tools.http_source import HttpSource
from callgate.tools.mcp_source.server import McpServer
from callgate.tools.mcp_source.status import Status
from callgate.tools.source import Source
from callgate.tools.source_slot import SourceSlot


@dataclass(slots=True, eq=False)
class SourceRecord:
    settings: SourceSettings
    origin: Literal["config", "added"]
    enabled: bool
    slot: SourceSlot
    voice: SourceLog
    last_error: str = field(default="")
    last_error_at: float = 0.0

    @property
    def name(self) -> str:
        return self.settings.name

    @property
    def server(self) -> McpServer | None:
        return self.slot.source if isinstance(self.slot.source, McpServer) else None

    def moved(self, status: Status) -> None:
        if status.reason and status.state in ("failed", "restarting"):
            self.last_error, self.last_error_at = status.reason, time.time()

    def view(self) -> SourceView:
        settings, server = self.settings, self.server
        tools = len(self.slot.tools())
        where = where_of(settings)
        if server is None:
            state: SourceState = "ready" if self.slot.source is not None else "off" if not self.enabled else "stopped"
            return SourceView(
                self.name, settings.kind, self.origin, state, enabled=self.enabled, where=where, tools=tools
            )
        status, about = server.status, server.server
        stopped = status.state == "stopped"
        return SourceView(
            self.name,
            settings.kind,
            self.origin,
            "off" if stopped and not self.enabled else status.state,
            status.reason,
            status.retry_at,
            self.enabled,
            where,
            server.transport,
            server.era,
            server.protocol,
            about.title if about is not None else "",
            about.version if about is not None else "",
            server.pid if status.state in ("starting", "ready") else None,
            tools,
            tuple(str(problem) for problem in server.problems),
            self.last_error,
            self.last_error_at,
        )


def view_of_own(source: Source) -> SourceView:
    """One that Callgate brings along."""
    kind: SourceKind = "registered" if isinstance(source, HttpSource) else "builtin"
    return SourceView(
        source.name, kind, "http" if kind == "registered" else "builtin", "ready", tools=len(source.tools())
    )


def where_of(settings: SourceSettings) -> str:
    """Its command line or address, without secrets."""
    if settings.kind == "command":
        return ", ".join(tool.argv[0] for tool in settings.tools)
    shown = hide_secrets(settings).settings
    return mask(shlex.join(shown.command) if shown.command else shown.url)
