"""Running commands in the workspace: at once or in the background, watched, bounded and ended without remainder."""

import asyncio
import logging
import os
import threading
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import cast

from callgate.core.ids import new_id
from callgate.core.messages import Json
from callgate.core.shell import parse_command
from callgate.core.tool import Annotations
from callgate.tools.builtin.definition import READS, count, define, flag, number, string, text
from callgate.tools.builtin.previews import preview_command
from callgate.tools.builtin.source import BuiltinTool, ToolProblem
from callgate.tools.builtin.walking import folder_at
from callgate.tools.confinement import Confinement
from callgate.tools.process.environment import command_environment
from callgate.tools.process.job import ENDING_SECONDS, Job
from callgate.tools.process.job_output import JobOutput, prune
from callgate.tools.process.launch import Launch
from callgate.tools.process.sandbox import NoSandbox, Sandbox
from callgate.tools.process.watching import Waiter, exit_words, waker, watch
from callgate.tools.source import CallContext

log = logging.getLogger(__name__)

MOST_RUNNING = 16
MOST_REMEMBERED = 64
MOST_SAVED_BYTES = 512 * 1024 * 1024
"""All saved outputs together."""
SHORTEST_SECONDS = 1.0
MOST_LINES = 500
_RUNS = Annotations(read_only=False, destructive=True, idempotent=False, open_world=True)
_ENDS = Annotations(read_only=False, destructive=True, idempotent=True, open_world=False)
_TAGS = ("terminal", "execute")
_SHELL = ("/bin/sh", "-c")
_TO_HIDDEN = "a redirection to a hidden file: "
"""How the reader of command lines words it."""


class Terminal:
    def __init__(
        self,
        workspace: Confinement,
        folder: Path,
        *,
        call_seconds: float,
        environ: Mapping[str, str] = os.environ,
        named: Collection[str] = (),
        sandbox: Sandbox | None = None,
    ) -> None:
        """`folder` keeps long outputs; `call_seconds` is what any tool call may take.

        `named`: variables of `environ` that commands get in addition to the usual ones. Without a `sandbox` nothing
        confines.
        """
        self._workspace = workspace
        self._sandbox = sandbox
        self._folder = folder
        self._longest = max(call_seconds - ENDING_SECONDS, SHORTEST_SECONDS)
        self._environ = environ
        self._named = tuple(named)
        self._jobs: dict[str, Job] = {}
        self._closed = False

    async def close(self) -> None:
        """Ends everything that still runs."""
        self._closed = True
        for job in self._jobs.values():
            job.stop()
        for job in self._jobs.values():
            if not await asyncio.to_thread(job.wait, 2 * ENDING_SECONDS):
                log.error("%s could not be ended: %s", job.id, _command(job))

    async def run_command(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        asked = arguments.get("timeout_seconds")
        if arguments.get("background"):
            job = await self._start(arguments, None if asked is None else float(cast(float, asked)))
            return f"Started {job.id} in the background. Read its output with read_job_output, end it with kill_job."
        seconds = self._longest if asked is None else min(float(cast(float, asked)), self._longest)
        ended = asyncio.Event()
        job = await self._start(arguments, seconds, (asyncio.get_running_loop(), ended))
        await watch(job, ended, context)
        return _result(job, seconds, self._hint(job))

    def list_jobs(self, arguments: Mapping[str, Json], stop: threading.Event) -> str:
        rows = [f"{job.id}  {_state(job)}  {_command(job)}" for job in tuple(self._jobs.values())]
        return "\n".join(rows) if rows else "No command has been run"

    def read_job_output(self, arguments: Mapping[str, Json], stop: threading.Event) -> str:
        job = self._job(arguments)
        if "start_line" not in arguments and "end_line" not in arguments:
            body = job.output.text() or "[no output yet]"
        else:
            first = number(arguments, "start_line", 1)
            last = min(number(arguments, "end_line", first + MOST_LINES - 1), first + MOST_LINES - 1)
            if last < first:
                raise ToolProblem(f"end_line {last} comes before start_line {first}")
            body = "\n".join(job.output.lines(first, last)) or f"[no line {first}]"
        notes = (*job.notes, self._hint(job), f"{_state(job)}; {job.output.size:,} bytes so far")
        return f"{body.rstrip()}\n" + "\n".join(f"[{note}]" for note in notes if note)

    async def kill_job(self, arguments: Mapping[str, Json], context: CallContext) -> str:
        job = self._job(arguments)
        if job.is_over:
            return f"{job.id} had ended already: {_state(job)}"
        job.stop()
        if not await asyncio.to_thread(job.wait, 2 * ENDING_SECONDS):
            raise ToolProblem(f"{job.id} could not be ended")
        return f"{job.id} was ended"

    @property
    def folder(self) -> str:
        """The workspace."""
        return str(self._workspace.root)

    @property
    def wall(self) -> str:
        """What confines commands."""
        return self._sandbox.fact if self._sandbox is not None else ""

    # ---- steps -----------------------------------------------------------------------------------------------------

    async def _start(
        self,
        arguments: Mapping[str, Json],
        seconds: float | None,
        waiter: Waiter | None = None,
    ) -> Job:
        command = string(arguments, "command")
        if not command.strip():
            raise ToolProblem("command is empty")
        if "\x00" in command:
            raise ToolProblem("a command cannot contain a NUL character")
        folder = folder_at(self._workspace, string(arguments, "directory", "."))
        launch = await self._launch(command, folder)
        if self._closed or sum(not job.is_over for job in self._jobs.values()) >= MOST_RUNNING:
            launch.abandon()
            running = f"{MOST_RUNNING} commands are running already; end one with kill_job first"
            raise ToolProblem("Callgate is closing" if self._closed else running)
        self._forget_oldest()
        prune(self._folder, MOST_SAVED_BYTES)
        job_id = new_id("job")[:12]
        try:
            output = JobOutput(self._folder / f"{job_id}.log")
        except OSError:
            launch.abandon()
            raise
        try:
            job = Job(job_id, launch, output, seconds=seconds, on_end=waker(waiter))
        except OSError:
            output.close()
            raise
        self._jobs[job_id] = job
        return job

    async def _launch(self, command: str, folder: Path) -> Launch:
        argv, environment = (*_SHELL, command), command_environment(self._environ, self._named)
        if self._sandbox is None:
            return Launch(argv, folder, environment)
        try:
            return await self._sandbox.prepare(argv, folder, environment, _written(command, self.folder))
        except NoSandbox as none:
            raise ToolProblem(str(none)) from none

    def _hint(self, job: Job) -> str:
        return self._sandbox.hint(job.output.text(), job.exit_code) if self._sandbox is not None and job.is_over else ""

    def _forget_oldest(self) -> None:
        over = [job for job in self._jobs.values() if job.is_over]
        for job in over[: max(len(self._jobs) - MOST_REMEMBERED + 1, 0)]:
            del self._jobs[job.id]

    def _job(self, arguments: Mapping[str, Json]) -> Job:
        job = self._jobs.get(string(arguments, "job_id"))
        if job is None:
            raise ToolProblem(f"There is no job {string(arguments, 'job_id')!r}; list_jobs names those there are")
        return job


def terminal_tools(terminal: Terminal) -> tuple[BuiltinTool, ...]:
    """None on Windows, where there is no `/bin/sh`."""
    if os.name != "posix":
        return ()
    job_id = text("Id of the job, such as run_command or list_jobs give it")
    return (
        _run_command(terminal),
        define(
            terminal.list_jobs,
            "list_jobs",
            "List jobs",
            "List the commands that were run, with their ids and whether they still run.",
            {},
            tags=("terminal", "read-only"),
        ),
        define(
            terminal.read_job_output,
            "read_job_output",
            "Read job output",
            "Read what a command has written so far: the beginning and end of it, or some lines of it.",
            {
                "job_id": job_id,
                "start_line": count("First line to read, counted from 1"),
                "end_line": count(f"Last line to read, included; at most {MOST_LINES} lines at once"),
            },
            required=("job_id",),
            tags=("terminal", "read-only"),
            annotations=READS,
        ),
        define(
            terminal.kill_job,
            "kill_job",
            "Kill job",
            "End a command that runs in the background, with all processes that it has started.",
            {"job_id": job_id},
            required=("job_id",),
            tags=_TAGS,
            annotations=_ENDS,
        ),
    )


def _run_command(terminal: Terminal) -> BuiltinTool:
    return define(
        terminal.run_command,
        "run_command",
        "Run command",
        "Run a shell command in the workspace and return its output and exit code. There is no input: commands "
        "must not ask. Long-running commands need background: true, which returns a job id at once.",
        {
            "command": text("The command line, for /bin/sh"),
            "directory": text("Directory to run in, relative to the workspace", default="."),
            "timeout_seconds": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "End the command after this time",
            },
            "background": flag("Return at once with a job id and let the command run on"),
        },
        required=("command",),
        tags=_TAGS,
        annotations=_RUNS,
        prepare=partial(preview_command, folder=terminal.folder),
        wall=terminal.wall,
    )


def _written(command: str, root: str) -> tuple[str, ...]:
    """What the line itself says that it writes: if that is guarded, a person was asked about just that."""
    read = parse_command(command, root)
    hidden = (concern.removeprefix(_TO_HIDDEN) for concern in read.concerns if concern.startswith(_TO_HIDDEN))
    return (*read.writes, *read.files, *hidden)


def _result(job: Job, seconds: float, hint: str) -> str:
    notes: list[str] = [*job.notes]
    if not job.output.is_whole:
        held = job.output.saved_note()
        notes.append(
            f"the full output ({job.output.size:,} bytes) is in {job.output.path}{f' ({held})' if held else ''}; "
            f"read more with read_job_output, job_id {job.id}"
        )
    if job.ending == "timeout":
        notes.append(f"stopped after {seconds:g} seconds; use background: true for what takes longer")
    elif job.ending == "stopped":
        notes.append("stopped by kill_job")
    elif job.left_processes:
        notes.append("processes that it left running were ended; use background: true to keep them")
    if hint:
        notes.append(hint)
    notes.append(exit_words(job))
    body = job.output.text()
    if body and not body.endswith("\n"):
        body += "\n"
    return body + "\n".join(f"[{note}]" for note in notes)


def _state(job: Job) -> str:
    if not job.is_over:
        return f"running for {job.seconds:.0f} s"
    return f"{exit_words(job)} after {job.seconds:.1f} s"


def _command(job: Job) -> str:
    return job.argv[-1]
