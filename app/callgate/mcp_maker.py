"""Makes sources of MCP servers, each plugged into everything it needs. Part of the composition root."""

from functools import partial
from pathlib import Path

from callgate.core.settings import SourceSettings
from callgate.engine.questions import Questions
from callgate.engine.source_hooks import NO_HOOKS, SourceHooks
from callgate.engine.tasks import Tasks
from callgate.store.json_file import JsonFile
from callgate.store.secrets import Secrets
from callgate.tools.mcp_source.era_memory import EraMemory
from callgate.tools.mcp_source.source import McpSource
from callgate.tools.mcp_source.status import Status


class McpMaker:
    def __init__(self, workspace: Path, data: Path, tasks: Tasks, questions: Questions) -> None:
        self._workspace = workspace
        self._tasks = tasks
        self._questions = questions
        self._eras = EraMemory(JsonFile(data / "mcp-eras.json"))
        self._tokens = Secrets()

    def make(self, settings: SourceSettings, hooks: SourceHooks = NO_HOOKS) -> McpSource:
        """A source that is not open yet; its era is remembered whenever it gets ready."""
        source = McpSource(
            settings,
            self._workspace,
            self._tasks.start,
            ask=self._questions.ask,
            input_value=hooks.input_value,
            on_frame=hooks.on_frame,
            on_stderr=hooks.on_stderr,
            tokens=self._tokens,
            era=settings.era or self._eras.era_of(settings),
        )
        source.on_status(partial(self._moved, source))
        return source

    def _moved(self, source: McpSource, status: Status) -> None:
        if status.state == "ready":
            self._eras.remember(source.settings, source.era)
