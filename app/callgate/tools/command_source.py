"""Tools that the person declared as command lines: filled from checked arguments and run without a shell.

A command is a process group of its own in the workspace, with the listed part of the person's environment.
"""

import asyncio
import logging
import os
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from callgate.core.calls.binding import Executor, executor
from callgate.core.calls.preview import CommandPreview, Preview
from callgate.core.config.argv_template import BadValue
from callgate.core.config.command_settings import CommandToolSettings
from callgate.core.config.settings import SourceSettings
from callgate.core.ids import new_id
from callgate.core.messages import Json, Text
from callgate.core.tool import Annotations, Outcome, Tool
from callgate.tools.confinement import Confinement, OutsideWorkspace
from callgate.tools.process.environment import command_environment
from callgate.tools.process.job import ENDING_SECONDS, Job
from callgate.tools.process.job_output import JobOutput, prune
from callgate.tools.process.launch import Launch
from callgate.tools.process.sandbox import NoSandbox, Sandbox
from callgate.tools.process.watching import exit_words, waker, watch
from callgate.tools.source import CallContext

log = logging.getLogger(__name__)

MOST_RUNNING = 16
"""Of one source at once: a model in a loop must not fill the machine."""
MOST_SAVED_BYTES = 512 * 1024 * 1024
"""All saved outputs together."""
SHORTEST_SECONDS = 1.0
_CAN_RUN = os.name == "posix"
"""Ending a command with all that it started needs process groups."""


class CommandSource:
    def __init__(
        self,
        settings: SourceSettings,
        workspace: Confinement,
        folder: Path,
        *,
        call_seconds: float,
        environ: Mapping[str, str] = os.environ,
        named: Collection[str] = (),
        sandbox: Sandbox | None = None,
    ) -> None:
        """`folder` keeps long outputs; `call_seconds` is what a call may take that has no limit of its own.

        `named`: variables of `environ` that commands get in addition to the usual ones. Without a `sandbox` nothing
        confines.
        """
        self._sandbox = sandbox
        self.name = settings.name
        self._settings = settings
        self._workspace = workspace
        self._folder = folder
        self._seconds = max(call_seconds - ENDING_SECONDS, SHORTEST_SECONDS)
        self._environ = environ
        self._named = tuple(named)
        self._declared = {declared.name: declared for declared in settings.tools}
        self._tools = tuple(_tool(declared, settings, sandbox) for declared in settings.tools)
        self._running: dict[str, Job] = {}
        self._closed = False

    def tools(self) -> tuple[Tool, ...]:
        return self._tools

    def on_change(self, listener: Callable[[], None]) -> None:
        """What is declared changes with the configuration only."""

    async def open(self) -> None:
        self._closed = False

    async def close(self) -> None:
        """Ends everything that still runs."""
        self._closed = True
        jobs = tuple(self._running.values())
        for job in jobs:
            job.stop()
        for job in jobs:
            if not await asyncio.to_thread(job.wait, 2 * ENDING_SECONDS):
                log.error("%s could not be ended: %s", job.id, shlex.join(job.argv))

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Preview | None:
        """The command line that would be run."""
        try:
            return CommandPreview(shlex.join(self._declared[tool.name].template.fill(arguments)))
        except BadValue:
            return None  # the call itself says why, in words for the model

    def executor(self, tool: Tool) -> Executor:
        declared = self._declared[tool.name]
        folder = declared.cwd or self._settings.cwd
        where = (f"in {folder}",) if folder else ()
        return executor(
            "command",
            (f"Command of source {self.name}", shlex.join(declared.argv), *where),
            argv=list(declared.argv),
            env={**self._settings.env, **declared.env},
            pass_env=list(declared.pass_env),
            option_values=declared.option_values,
            workspace=str(self._workspace.root),
        )

    async def call(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> Outcome:
        declared = self._declared[tool.name]
        ended = asyncio.Event()
        try:
            job = await self._start(declared, arguments, waker((asyncio.get_running_loop(), ended)))
        except (BadValue, OutsideWorkspace, NoSandbox, _NotNow) as problem:
            return _failed(str(problem))
        except FileNotFoundError:
            return _failed(
                f"The program {declared.argv[0]!r} or the folder to run it in is not there; nothing was run."
            )
        except OSError as problem:
            return _failed(f"{declared.argv[0]!r} can't be started: {problem.strerror or problem}")
        await watch(job, ended, context)
        hint = self._sandbox.hint(job.output.text(), job.exit_code) if self._sandbox is not None else ""
        return _outcome(job, self._limit(declared), hint)

    async def _start(
        self, declared: CommandToolSettings, arguments: Mapping[str, Json], on_end: Callable[[], None] | None
    ) -> Job:
        argv = declared.template.fill(arguments)
        folder = self._workspace.resolve(declared.cwd or self._settings.cwd or ".")
        launch = await self._launch(argv, folder, self._environment(declared))
        self._running = {job.id: job for job in self._running.values() if not job.is_over}
        if self._closed or len(self._running) >= MOST_RUNNING:
            launch.abandon()
            running = f"{MOST_RUNNING} commands of '{self.name}' are running already; wait until one has ended."
            raise _NotNow("Callgate is closing." if self._closed else running)
        prune(self._folder, MOST_SAVED_BYTES)
        job_id = new_id("job")[:12]
        try:
            output = JobOutput(self._folder / f"{job_id}.log")
        except OSError:
            launch.abandon()
            raise
        try:
            job = Job(job_id, launch, output, seconds=self._limit(declared), on_end=on_end)
        except OSError:
            output.close()
            raise
        self._running[job_id] = job
        return job

    async def _launch(self, argv: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Launch:
        if self._sandbox is None:
            return Launch(argv, folder, environment)
        return await self._sandbox.prepare(argv, folder, environment, argv[1:])

    def _environment(self, declared: CommandToolSettings) -> dict[str, str]:
        own = command_environment(self._environ, (*self._named, *declared.pass_env))
        return {**own, **self._settings.env, **declared.env}

    def _limit(self, declared: CommandToolSettings) -> float:
        return declared.timeout_seconds or self._seconds


class _NotNow(Exception):
    """Too much runs already, or nothing may be started any more."""


def _tool(declared: CommandToolSettings, settings: SourceSettings, sandbox: Sandbox | None) -> Tool:
    hints = declared.annotations
    limit = declared.timeout_seconds
    folder = declared.cwd or settings.cwd
    return Tool(
        declared.name,
        settings.name,
        declared.model_description or declared.description or declared.user_description,
        declared.input_schema or {"type": "object", "properties": {}, "additionalProperties": False},
        title=declared.display_name,
        user_description=declared.user_description,
        reference_name=declared.reference_name,
        tags=declared.tags,
        annotations=Annotations(hints.read_only, hints.destructive, hints.idempotent, hints.open_world),
        enabled=_CAN_RUN,
        icons=(declared.icon,) if declared.icon else (),
        when=declared.when,
        unavailable="" if _CAN_RUN else "commands can't be run on this system",
        private=declared.private,
        referable=declared.referable,
        runs=shlex.join(declared.argv) + (f" (in {folder})" if folder else ""),
        timeout_seconds=None if limit is None else limit + ENDING_SECONDS,
        wording=declared.prepare.wording,
        wall=sandbox.fact if sandbox is not None else "",
    )


def _outcome(job: Job, seconds: float, hint: str) -> Outcome:
    notes: list[str] = [*job.notes]
    if not job.output.is_whole:
        held = job.output.saved_note()
        notes.append(
            f"the full output ({job.output.size:,} bytes) is in {job.output.path}{f' ({held})' if held else ''}"
        )
    if job.ending == "timeout":
        notes.append(f"stopped after {seconds:g} seconds, with all that it had started")
    elif job.ending == "stopped":
        notes.append("stopped: Callgate is closing")
    elif job.left_processes:
        notes.append("processes that it left running were ended")
    if hint:
        notes.append(hint)
    if job.exit_code != 0:
        notes.append(exit_words(job))
    body = job.output.text()
    if notes and body and not body.endswith("\n"):
        body += "\n"
    text = body + "\n".join(f"[{note}]" for note in notes)
    return Outcome((Text(text or "[no output]"),), is_error=job.exit_code != 0 or bool(job.ending))


def _failed(text: str) -> Outcome:
    return Outcome((Text(text),), is_error=True)
