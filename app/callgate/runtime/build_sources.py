"""Makes the sources that are configured or were added, and the desk that keeps them. Part of the composition root."""

import os
from collections.abc import Mapping
from pathlib import Path

from callgate.core.config.doctor import Diagnosis
from callgate.core.config.settings import Settings, SourceSettings
from callgate.engine.bus import Bus
from callgate.engine.sources.live_sources import LiveSources, Report
from callgate.engine.sources.source_hooks import SourceHooks
from callgate.engine.sources.source_secrets import SourceSecrets
from callgate.engine.tasks import Tasks
from callgate.runtime.build_mcp import McpBuilder
from callgate.runtime.build_tools import command_source
from callgate.store.files.reviewed_files import ReviewedFiles, json_file
from callgate.store.files.source_file import SourceFile
from callgate.store.secrets import Secrets
from callgate.tools.command_doctor import examine_commands
from callgate.tools.confinement import Confinement
from callgate.tools.process.sandbox import Sandbox
from callgate.tools.source import Source


class SourceBuilder:
    """Implements `Maker`."""

    def __init__(
        self,
        settings: Settings,
        workspace: Confinement,
        data: Path,
        servers: McpBuilder,
        *,
        environ: Mapping[str, str] = os.environ,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._settings, self._workspace, self._data, self._servers = settings, workspace, data, servers
        self._environ, self._sandbox = environ, sandbox

    async def prepare(self, settings: SourceSettings) -> None:
        if settings.kind == "mcp":
            await self._servers.load()

    def make(self, settings: SourceSettings, hooks: SourceHooks) -> Source:
        if settings.kind == "mcp":
            return self._servers.make(settings, hooks)
        return command_source(
            settings, self._settings, self._workspace, self._data, environ=self._environ, sandbox=self._sandbox
        )

    async def examine(self, settings: SourceSettings, report: Report, values: Mapping[str, str]) -> Diagnosis:
        if settings.kind == "mcp":
            return await self._servers.examine(settings, report, values)
        return await examine_commands(settings, self._workspace.root, report, self._environ)


def live_sources(
    settings: Settings,
    workspace: Confinement,
    servers: McpBuilder,
    bus: Bus,
    tasks: Tasks,
    *,
    files: ReviewedFiles,
    environ: Mapping[str, str] = os.environ,
    sandbox: Sandbox | None = None,
) -> LiveSources:
    """The desk with a slot for each source; `attach` it to the catalog that is made of them."""
    maker = SourceBuilder(settings, workspace, files.data, servers, environ=environ, sandbox=sandbox)
    file = SourceFile(json_file(files.data / "sources.json", "sources", files))
    return LiveSources(settings.sources, file, SourceSecrets(Secrets()), maker, bus, tasks, workspace.root)
