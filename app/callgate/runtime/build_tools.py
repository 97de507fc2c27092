"""Everything that tools come from, put together for one workspace: sources, catalog, toolsets and what is offered.

Part of the composition root; it decides nothing itself.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import httpx

from callgate.core.config.settings import Settings, SourceSettings
from callgate.engine.gate.result_limit import ResultLimit
from callgate.engine.offer.offer import OfferConduct
from callgate.engine.offer.offering import Offering
from callgate.engine.offer.tool_groups import ToolGroups
from callgate.store.files.reviewed_files import ReviewedFiles, json_file
from callgate.tools.builtin.registry import RegistryOptions, builtin_source
from callgate.tools.catalog import Catalog, Lists
from callgate.tools.command_source import CommandSource
from callgate.tools.conditions import facts
from callgate.tools.confinement import Confinement
from callgate.tools.http_source import HttpSource
from callgate.tools.process.sandbox import Sandbox
from callgate.tools.source import Source
from callgate.tools.switches import Switches
from callgate.tools.toolsets import Toolsets
from callgate.upstream.transport import SafeTransport

WORKSPACE_FOLDERS = 1
"""There is always exactly one; conditions of VS Code's tools ask for it."""


class ToolRegistry:
    def __init__(
        self,
        settings: Settings,
        workspace: Confinement,
        data: Path,
        toolset_folders: Sequence[Path],
        sources: Sequence[Source] | None = None,
        added: Sequence[Source] = (),
        *,
        environ: Mapping[str, str] = os.environ,
        sandbox: Sandbox | None = None,
        files: ReviewedFiles | None = None,
    ) -> None:
        """`data` is the folder for what Callgate keeps; `sources`: those of the configuration (None = its commands).

        Those that were `added` come last, so that they take no name from a tool that was there before them.
        """
        gate = settings.gate
        self._switch_file = json_file(data / "switches.json", "switches", files)
        self._registered_file = json_file(data / "registered-tools.json", "tools", files)
        self.registered = HttpSource(self._registered_file, transport=SafeTransport(httpx.AsyncHTTPTransport()))
        options = RegistryOptions(
            gate.tool_timeout_seconds, environ, settings.tools.environment, settings.builtin.web, sandbox=sandbox
        )
        if sources is None:
            commands = (source for source in settings.sources if source.kind == "command" and source.enabled)
            sources = [
                command_source(source, settings, workspace, data, environ=environ, sandbox=sandbox)
                for source in commands
            ]
        self.catalog = Catalog(
            [builtin_source(workspace, data, options), *sources, self.registered, *added],
            switches=Switches(self._switch_file),
            lookup=facts(settings, WORKSPACE_FOLDERS),
            lists=Lists(gate.allow_tools, gate.block_tools),
        )
        self.toolsets = Toolsets(toolset_folders, self.catalog.tools)
        self.groups = ToolGroups()
        conduct = OfferConduct(gate.tools_enabled, most=gate.group_tools_above)
        self.offering = Offering(self.catalog, conduct, self.toolsets.sets, self.groups)
        self.result_limit = ResultLimit(data / "results", gate.result_tokens)

    def read_switches(self) -> None:
        """Takes them as they count now. Raises `UserFault`, and nothing has changed then."""
        self.catalog.replace_switches(self._switch_file.read_again())

    def read_registered(self) -> None:
        """Takes the kept tools as they count now. Raises `UserFault`, and nothing has changed then."""
        self.registered.replace_kept(self._registered_file.read_again())

    def problems(self) -> Iterator[tuple[str, str]]:
        """Where and what: files that can't be used as they are."""
        for file in (self._switch_file, self._registered_file):
            if file.problem:
                yield "tools", file.problem
        for problem in self.registered.problems:
            yield "registered tools", problem
        for note in self.toolsets.notes():
            yield "toolsets", note


def command_source(
    source: SourceSettings,
    settings: Settings,
    workspace: Confinement,
    data: Path,
    *,
    environ: Mapping[str, str] = os.environ,
    sandbox: Sandbox | None = None,
) -> CommandSource:
    return CommandSource(
        source,
        workspace,
        data / "commands",
        call_seconds=settings.gate.tool_timeout_seconds,
        environ=environ,
        named=settings.tools.environment,
        sandbox=sandbox,
    )
