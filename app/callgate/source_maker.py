"""Makes the sources that are configured or were added, and the desk that keeps them. Part of the composition root."""

from collections.abc import Mapping
from pathlib import Path

from callgate.core.doctor import Diagnosis
from callgate.core.settings import Settings, SourceSettings
from callgate.engine.bus import Bus
from callgate.engine.live_sources import LiveSources, Report
from callgate.engine.source_hooks import SourceHooks
from callgate.engine.source_vault import SourceVault
from callgate.engine.tasks import Tasks
from callgate.mcp_maker import McpMaker
from callgate.store.json_file import JsonFile
from callgate.store.secrets import Secrets
from callgate.store.source_file import SourceFile
from callgate.toolbox import command_source
from callgate.tools.command_doctor import examine_commands
from callgate.tools.confinement import Confinement
from callgate.tools.source import Source


def live_sources(
    settings: Settings, workspace: Confinement, data: Path, servers: McpMaker, bus: Bus, tasks: Tasks
) -> LiveSources:
    """The desk with a slot for each source; `attach` it to the catalog that is made of them."""

    def make(source: SourceSettings, hooks: SourceHooks) -> Source:
        if source.kind == "mcp":
            return servers.make(source, hooks)
        return command_source(source, settings, workspace, data)

    async def examine(source: SourceSettings, report: Report, values: Mapping[str, str]) -> Diagnosis:
        if source.kind == "mcp":
            return await servers.examine(source, report, values)
        return await examine_commands(source, workspace.root, report)

    file = SourceFile(JsonFile(data / "sources.json"))
    return LiveSources(settings.sources, file, SourceVault(Secrets()), make, examine, bus, tasks, workspace.root)
