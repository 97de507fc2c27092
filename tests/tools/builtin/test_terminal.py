import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from callgate.core.config.settings import ToolsSettings
from callgate.tools.builtin import terminal as terminal_module
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.terminal import Terminal, terminal_tools
from callgate.tools.confinement import Confinement, OutsideWorkspace
from callgate.tools.process import job as job_module
from callgate.tools.process import watching
from callgate.tools.process.job import marked_processes
from callgate.tools.process.sandbox import Sandbox
from callgate.tools.source import CallContext

Scenario = Callable[[Terminal], Coroutine[Any, Any, None]]
SECONDS = 5.0
"""Bound of every wait."""
CALL_SECONDS = 30.0


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(watching, "REPORT_SECONDS", 0.02)


class Listener:
    def __init__(self) -> None:
        self.heard: list[str] = []
        self.context = CallContext("call_1", "conv_1", lambda text, done, total: self.heard.append(text))


@pytest.fixture
def play(workspace: Confinement, tmp_path: Path) -> Callable[[Scenario], None]:
    """Plays a scenario on a loop of its own and closes the terminal after it."""

    def run(scenario: Scenario) -> None:
        async def whole() -> None:
            terminal = Terminal(
                workspace,
                tmp_path / "commands",
                call_seconds=CALL_SECONDS,
                environ={"PATH": "/usr/bin:/bin", "OPENAI_API_KEY": "sk-1", "XAI": "k", "NAMED": "given"},
                named={"NAMED"},
            )
            try:
                async with asyncio.timeout(SECONDS):
                    await scenario(terminal)
            finally:
                await terminal.close()

        asyncio.run(whole())

    return run


def test_a_command_runs_in_the_workspace_and_tells_its_exit_code(play, workspace: Confinement) -> None:
    async def scenario(terminal: Terminal) -> None:
        context = Listener().context
        assert await terminal.run_command({"command": "pwd; exit 2"}, context) == f"{workspace.root}\n[exit code 2]"
        below = await terminal.run_command({"command": "pwd", "directory": "sub"}, context)
        assert below == f"{workspace.root}/sub\n[exit code 0]"
        assert await terminal.run_command({"command": "printf x"}, context) == "x\n[exit code 0]"
        assert await terminal.run_command({"command": "true"}, context) == "[exit code 0]"
        assert await terminal.run_command({"command": "kill -9 $$"}, context) == "[ended by SIGKILL]"

    play(scenario)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"command": "  "}, "command is empty"),
        ({"command": "echo a\x00b"}, "NUL"),
        ({"command": "pwd", "directory": "missing"}, "no directory 'missing'"),
    ],
)
def test_what_cannot_be_run_is_explained(play, arguments: dict, says: str) -> None:
    async def scenario(terminal: Terminal) -> None:
        with pytest.raises(ToolProblem, match=says):
            await terminal.run_command(arguments, Listener().context)
        with pytest.raises(OutsideWorkspace):
            await terminal.run_command({"command": "pwd", "directory": "up"}, Listener().context)

    play(scenario)


def test_no_secret_reaches_a_command(play) -> None:
    async def scenario(terminal: Terminal) -> None:
        said = await terminal.run_command({"command": "env"}, Listener().context)
        assert "PATH=" in said
        assert "NAMED=given" in said
        assert "sk-1" not in said and "XAI" not in said

    play(scenario)


def test_output_is_reported_line_by_line_while_the_command_runs(play, workspace: Confinement) -> None:
    async def scenario(terminal: Terminal) -> None:
        listener = Listener()
        call = asyncio.ensure_future(
            terminal.run_command(
                {"command": "echo first; while [ ! -e go ]; do sleep 0.01; done; printf last"}, listener.context
            )
        )
        while listener.heard != ["first\n"]:
            await asyncio.sleep(0.01)
        (workspace.root / "go").touch()
        assert await call == "first\nlast\n[exit code 0]"
        assert listener.heard == ["first\n", "last"]

    play(scenario)


def test_a_flood_is_not_reported_in_full_but_can_be_read_afterwards(
    play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MOST_REPORTED", 20_000)

    async def scenario(terminal: Terminal) -> None:
        listener = Listener()
        said = await terminal.run_command({"command": "seq 1 2000000"}, listener.context)
        assert len("".join(listener.heard)) < 40_000
        assert said.startswith("1\n2\n") and "2000000\n[the full output" in said and len(said) < 70_000
        (saved,) = (tmp_path / "commands").iterdir()
        assert str(saved) in said and saved.stat().st_size == 14_888_896
        lines = terminal.read_job_output(
            {"job_id": saved.stem, "start_line": 1_000_000, "end_line": 1_000_001}, asyncio.Event()
        )
        assert lines == "1000000\n1000001\n[exit code 0 after " + lines.partition("after ")[2]

    play(scenario)


def test_a_command_that_takes_too_long_is_stopped_and_tells_what_it_wrote(play) -> None:
    async def scenario(terminal: Terminal) -> None:
        said = await terminal.run_command(
            {"command": "echo begun; sleep 100", "timeout_seconds": 0.3}, Listener().context
        )
        assert said.startswith("begun\n[stopped after 0.3 seconds; use background: true")
        assert said.endswith("[ended by SIGTERM]")

    play(scenario)


def test_the_limit_of_every_call_comes_after_that_of_a_command(workspace: Confinement, tmp_path: Path) -> None:
    async def scenario() -> str:
        terminal = Terminal(workspace, tmp_path / "commands", call_seconds=0)
        try:
            return await terminal.run_command({"command": "sleep 100", "timeout_seconds": 99}, Listener().context)
        finally:
            await terminal.close()

    assert "stopped after 1 seconds" in asyncio.run(scenario())


def test_a_cancelled_command_is_ended(play, workspace: Confinement) -> None:
    async def scenario(terminal: Terminal) -> None:
        call = asyncio.ensure_future(
            terminal.run_command({"command": "trap '' TERM; touch begun; sleep 100; sleep 100"}, Listener().context)
        )
        while not (workspace.root / "begun").exists():
            await asyncio.sleep(0.01)
        (job,) = terminal._jobs.values()
        assert marked_processes(f"CALLGATE_JOB={job.id}".encode())
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(job.wait, 5)
        assert not marked_processes(f"CALLGATE_JOB={job.id}".encode())

    play(scenario)


def test_a_background_job_is_listed_read_and_killed(play, workspace: Confinement) -> None:
    async def scenario(terminal: Terminal) -> None:
        context, go_on = Listener().context, asyncio.Event()
        assert terminal.list_jobs({}, go_on) == "No command has been run"
        said = await terminal.run_command({"command": "echo up; touch begun; sleep 100", "background": True}, context)
        job_id = said.split()[1]
        while not (workspace.root / "begun").exists():
            await asyncio.sleep(0.01)
        assert f"{job_id}  running for 0 s  echo up" in terminal.list_jobs({}, go_on)
        while "up" not in terminal.read_job_output({"job_id": job_id}, go_on):
            await asyncio.sleep(0.01)
        assert await terminal.kill_job({"job_id": job_id}, context) == f"{job_id} was ended"
        assert "ended by SIGTERM" in terminal.list_jobs({}, go_on)
        assert "had ended already" in await terminal.kill_job({"job_id": job_id}, context)
        assert terminal.read_job_output({"job_id": job_id, "start_line": 1}, go_on).startswith("up\n[ended by")
        with pytest.raises(ToolProblem, match="comes before"):
            terminal.read_job_output({"job_id": job_id, "start_line": 2, "end_line": 1}, go_on)
        with pytest.raises(ToolProblem, match="There is no job 'x'"):
            await terminal.kill_job({"job_id": "x"}, context)

    play(scenario)


def test_closing_leaves_nothing_behind(workspace: Confinement, tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        terminal = Terminal(workspace, tmp_path / "commands", call_seconds=CALL_SECONDS)
        for _ in range(3):
            await terminal.run_command(
                {"command": "trap '' TERM; (trap '' TERM; sleep 100)& sleep 100; sleep 100", "background": True},
                Listener().context,
            )
        ids = list(terminal._jobs)
        await terminal.close()
        return ids

    ids = asyncio.run(asyncio.wait_for(scenario(), SECONDS))
    assert len(ids) == 3
    assert not [pid for job_id in ids for pid in marked_processes(f"CALLGATE_JOB={job_id}".encode())]


def test_too_many_jobs_at_once_are_refused_and_old_ones_forgotten(play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_module, "MOST_RUNNING", 2)
    monkeypatch.setattr(terminal_module, "MOST_REMEMBERED", 3)

    async def scenario(terminal: Terminal) -> None:
        context = Listener().context
        for _ in range(5):
            await terminal.run_command({"command": "true"}, context)
        assert len(terminal.list_jobs({}, asyncio.Event()).splitlines()) == 3
        for _ in range(2):
            await terminal.run_command({"command": "sleep 100", "background": True}, context)
        with pytest.raises(ToolProblem, match="2 commands are running already"):
            await terminal.run_command({"command": "true"}, context)

    play(scenario)


def test_running_says_that_it_may_do_anything_and_reading_that_it_does_not(
    workspace: Confinement, tmp_path: Path
) -> None:
    tools = {entry.tool.name: entry.tool for entry in terminal_tools(Terminal(workspace, tmp_path, call_seconds=60))}
    assert tools.keys() == {"run_command", "list_jobs", "read_job_output", "kill_job"}
    run = tools["run_command"].annotations
    assert run.destructive is True and run.open_world is True and run.read_only is False
    assert tools["list_jobs"].annotations.read_only and tools["read_job_output"].annotations.read_only


async def _run_in_sandbox(workspace: Confinement, folder: Path, command: str) -> tuple[str, str]:
    """What comes back, and which wall it ran behind."""
    sandbox = Sandbox(workspace, ToolsSettings(), home=folder)
    environ = {"PATH": "/usr/bin:/bin"}
    terminal = Terminal(workspace, folder / "commands", call_seconds=CALL_SECONDS, environ=environ, sandbox=sandbox)
    try:
        return await terminal.run_command({"command": command}, Listener().context), sandbox.kind
    finally:
        await terminal.close()


def test_a_guarded_file_is_written_only_by_a_line_that_says_so(workspace: Confinement, tmp_path: Path) -> None:
    hooks = workspace.root / ".git" / "hooks"
    hooks.mkdir(parents=True)
    script = workspace.root / "plant.sh"
    script.write_text("echo evil > .git/hooks/pre-commit\n", "utf-8")
    planted, kind = asyncio.run(_run_in_sandbox(workspace, tmp_path, "sh plant.sh"))
    if kind != "bubblewrap":
        pytest.skip("bubblewrap does not work on this machine")
    assert "Read-only" in planted and "[the sandbox blocked writing" in planted and not list(hooks.iterdir())
    named, _ = asyncio.run(_run_in_sandbox(workspace, tmp_path, "echo mine > .git/hooks/pre-commit"))
    assert named == "[exit code 0]" and (hooks / "pre-commit").read_text("utf-8") == "mine\n"
