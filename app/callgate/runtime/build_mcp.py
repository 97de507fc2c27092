"""Makes sources of MCP servers, each plugged into everything it needs. Part of the composition root.

The MCP SDK takes the better part of a second to load, so that is done when there is a server to speak to.
"""

import importlib
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.engine.background_import import load_aside
from callgate.engine.sources.questions import Questions
from callgate.engine.sources.source_hooks import NO_HOOKS, SourceHooks
from callgate.engine.tasks import Tasks
from callgate.store.files.json_file import JsonFile
from callgate.store.secrets import Secrets
from callgate.tools.mcp_source.server import McpServer
from callgate.tools.mcp_source.status import Status
from callgate.tools.mcp_source.version_cache import VersionCache

SOURCE = "callgate.tools.mcp_source.source"
DOCTOR = "callgate.tools.mcp_source.doctor"


class McpBuilder:
    def __init__(
        self, workspace: Path, data: Path, tasks: Tasks, questions: Questions, environ: Mapping[str, str] = os.environ
    ) -> None:
        self._workspace = workspace
        self._tasks = tasks
        self._questions = questions
        self._environ = environ
        self._eras = VersionCache(JsonFile(data / "mcp-eras.json"))
        self._tokens = Secrets()
        self._loaded: ModuleType | None = None

    async def load(self) -> None:
        """Comes before `make` wherever a loop runs that must not stand still."""
        if self._loaded is None:
            self._loaded = await load_aside(SOURCE)

    def make(self, settings: SourceSettings, hooks: SourceHooks = NO_HOOKS) -> McpServer:
        """A source that is not open yet; its era is remembered whenever it gets ready."""
        if self._loaded is None:
            self._loaded = importlib.import_module(SOURCE)
        server: McpServer = self._loaded.McpSource(
            settings,
            self._workspace,
            self._tasks.start,
            ask=self._questions.ask,
            input_value=hooks.input_value,
            on_frame=hooks.on_frame,
            on_stderr=hooks.on_stderr,
            tokens=self._tokens,
            era=settings.era or self._eras.era_of(settings),
            environ=self._environ,
        )
        server.on_status(partial(self._moved, server))
        return server

    async def examine(
        self, settings: SourceSettings, report: Callable[[DoctorStep], None], values: Mapping[str, str]
    ) -> Diagnosis:
        """Tries the server step by step, beside the one that may run."""
        loaded = await load_aside(DOCTOR)
        doctor = loaded.Doctor(settings, self._workspace, self._tasks.start, report, values, environ=self._environ)
        return await doctor.examine()

    def _moved(self, server: McpServer, status: Status) -> None:
        if status.state == "ready":
            self._eras.remember(server.settings, server.era)
