"""Commands behind each wall that this machine has: what they cannot do, what they still can."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from callgate.core.config.settings import ToolsSettings
from callgate.core.ids import new_id
from callgate.tools.confinement import Confinement
from callgate.tools.process import bubblewrap
from callgate.tools.process import job as job_module
from callgate.tools.process import landlock as landlock_module
from callgate.tools.process.job import Job
from callgate.tools.process.job_output import JobOutput
from callgate.tools.process.sandbox import NoSandbox, Sandbox

SECONDS = 20.0
"""Bound of every wait."""
SECRET = "TOPSECRET"
Run = Callable[..., Job]


class Machine:
    """A home with keys, Callgate's own folder, a workspace with a repository, and things beside it."""

    def __init__(self, top: Path) -> None:
        self.home = top / "home"
        self.data = self.home / ".local" / "share" / "callgate"
        self.beside = self.home / "other"
        self.root = self.home / "work"
        for folder in (self.home / ".ssh", self.data, self.beside, self.root):
            folder.mkdir(parents=True)
        (self.home / ".ssh" / "id_ed25519").write_text(SECRET, "utf-8")
        (self.home / ".netrc").write_text(SECRET, "utf-8")
        (self.home / "notes.txt").write_text("readable", "utf-8")
        (self.data / "rules.toml").write_text(SECRET, "utf-8")
        (self.beside / "file").write_text("theirs", "utf-8")
        git("init", "-q", str(self.root), folder=self.root)
        git("config", "user.email", "a@example.com", folder=self.root)
        git("config", "user.name", "A", folder=self.root)
        (self.root / ".vscode").mkdir()
        (self.root / ".vscode" / "settings.json").write_text("{}", "utf-8")
        (self.root / "test_it.py").write_text("def test_it():\n    assert 1\n", "utf-8")

    def sandbox(self, alarm: Callable[[str], None] | None = None, **settings: object) -> Sandbox:
        workspace = Confinement(self.root, closed=[self.data])
        return Sandbox(workspace, ToolsSettings.model_validate(settings), home=self.home, alarm=alarm)


def git(*arguments: str, folder: Path) -> None:
    subprocess.run(("git", *arguments), cwd=folder, check=True, capture_output=True)


def only_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> tuple[None, str]:
        return None, bubblewrap.MISSING

    monkeypatch.setattr(bubblewrap, "find", missing)


def no_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    only_landlock(monkeypatch)
    monkeypatch.setattr(landlock_module, "find", lambda *_, **__: None)


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Not where temporary files are: a sandbox hides those, whatever they are."""
    build = Path(__file__).resolve().parents[3] / "build"
    if str(build).startswith(("/tmp/", "/var/tmp/", "/run/")):
        pytest.skip(f"{build} is in a folder that every sandbox empties")
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sandbox-", dir=build) as top:
        yield Machine(Path(top))


@pytest.fixture(params=["bubblewrap", "Landlock"])
def wall(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, machine: Machine) -> str:
    if request.param == "Landlock":
        only_landlock(monkeypatch)
    if machine.sandbox().kind != request.param:
        pytest.skip(f"{request.param} does not work on this machine: {machine.sandbox().fact}")
    return request.param


@pytest.fixture
def bwrap(machine: Machine) -> None:
    if machine.sandbox().kind != "bubblewrap":
        pytest.skip(f"bubblewrap does not work on this machine: {machine.sandbox().fact}")


@pytest.fixture
def start(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Starts commands in a sandbox and sees to it that none outlives the test."""
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.3)
    jobs: list[Job] = []

    def begin(
        command: str, sandbox: Sandbox | None = None, seconds: float | None = None, writes: tuple[str, ...] = ()
    ) -> Job:
        environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(machine.home)}
        launch = (sandbox or machine.sandbox()).launch(("/bin/sh", "-c", command), machine.root, environment, writes)
        job = Job(new_id("job")[:12], launch, JobOutput(tmp_path / "out" / f"{len(jobs)}.log"), seconds=seconds)
        jobs.append(job)
        return job

    yield begin
    for job in jobs:
        job.stop()
        assert job.wait(SECONDS)


@pytest.fixture
def run(start: Run) -> Run:
    def whole(command: str, sandbox: Sandbox | None = None, **more: object) -> Job:
        job = start(command, sandbox, **more)
        assert job.wait(SECONDS)
        return job

    return whole


# ---- what no wall lets through -------------------------------------------------------------------------------------


def test_nothing_is_written_outside_the_workspace(wall: str, run: Run, machine: Machine) -> None:
    targets = [machine.beside / "file", machine.beside / "new", machine.home / ".bashrc", Path("/etc/callgate-test")]
    for target in targets:
        assert run(f"echo x > {target}").exit_code != 0, target
    assert run(f"rm {machine.beside}/file").exit_code != 0
    assert run(f"ln -s {machine.beside} out && echo x > out/file").exit_code != 0
    assert run(f"mv test_it.py {machine.beside}/").exit_code != 0
    assert (machine.beside / "file").read_text("utf-8") == "theirs"
    assert not any(target.exists() for target in targets[1:])


@pytest.mark.parametrize("path", [".ssh/id_ed25519", ".netrc", ".local/share/callgate/rules.toml"])
def test_keys_and_own_files_are_not_read(wall: str, run: Run, machine: Machine, path: str) -> None:
    (machine.root / "link").symlink_to(machine.home / path)
    for way in (machine.home / path, "link", f"/proc/self/root{machine.home / path}"):
        assert SECRET not in run(f"cat {way}; cp {way} copy; cat copy").output.text()


def test_what_is_made_after_the_start_is_hidden_too(wall: str, run: Run, machine: Machine) -> None:
    sandbox = machine.sandbox()
    assert sandbox.fact
    keys = machine.home / ".aws"
    keys.mkdir()
    (keys / "credentials").write_text(SECRET, "utf-8")
    assert SECRET not in run("cat ~/.aws/credentials", sandbox).output.text()


def test_what_is_hidden_lies_in_a_workspace_that_is_the_home(wall: str, run: Run, machine: Machine) -> None:
    machine.root = machine.home
    job = run("cat .ssh/id_ed25519 .netrc .local/share/callgate/rules.toml; echo x > other/new")
    assert SECRET not in job.output.text()
    assert (machine.beside / "new").exists()


def test_a_workspace_within_the_own_folder_works_and_the_folder_is_hidden(
    wall: str, run: Run, machine: Machine
) -> None:
    machine.root = machine.data / "work"
    machine.root.mkdir()
    job = run("cat ../rules.toml; echo made > file; cat file")
    assert SECRET not in job.output.text() and "made" in job.output.text()


def test_a_server_of_this_machine_is_not_reached(wall: str, run: Run, machine: Machine) -> None:
    """The port for agents above all."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(SECONDS)
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('connected')"
        command = f'{sys.executable} -c "{code}"'
        assert "connected" not in run(command).output.text()
        allowed = run(command, machine.sandbox(sandbox_network=True))
        assert "connected" in allowed.output.text()
    assert "network allowed" in machine.sandbox(sandbox_network=True).fact


def test_a_command_does_not_outlive_its_parent(wall: str, machine: Machine, tmp_path: Path) -> None:
    """Callgate is killed: what it runs for a tool ends too."""
    script = f"""
import sys, time
from pathlib import Path
from callgate.core.config.settings import ToolsSettings
from callgate.tools.confinement import Confinement
from callgate.tools.process import bubblewrap
from callgate.tools.process.job import Job
from callgate.tools.process.job_output import JobOutput
from callgate.tools.process.sandbox import Sandbox
if {wall == "Landlock"}:
    bubblewrap.find = lambda *a, **k: (None, "")
root = Path({str(machine.root)!r})
sandbox = Sandbox(Confinement(root), ToolsSettings(), home=Path({str(machine.home)!r}))
argv = ("/bin/sh", "-c", "while :; do echo x >> ticks; sleep 0.05; done")
launch = sandbox.launch(argv, root, {{"PATH": "/usr/bin:/bin"}})
job = Job("job_outlive", launch, JobOutput(Path({str(tmp_path / "log")!r})), seconds=None)
time.sleep(60)
"""
    parent = subprocess.Popen((sys.executable, "-c", script))
    ticks = machine.root / "ticks"
    try:
        assert until(lambda: ticks.exists() and ticks.stat().st_size > 4)
    finally:
        parent.kill()
        parent.wait(SECONDS)
    assert until(lambda: not runs_in(machine.root))


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def runs_in(folder: Path) -> bool:
    """Whether any process has a folder as its own."""
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if str(entry.readlink()) == str(folder):
                return True
        except OSError:
            continue  # gone meanwhile, or another person's
    return False


def until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        threading.Event().wait(0.01)
    return True


# ---- what bubblewrap does beyond that ------------------------------------------------------------------------------


@pytest.mark.usefixtures("bwrap")
def test_other_processes_are_not_seen(run: Run) -> None:
    assert int(run("ls /proc | grep -c '^[0-9]'").output.text()) < 10
    assert run(f"kill -0 {os.getpid()}").exit_code != 0


@pytest.mark.usefixtures("bwrap")
def test_there_are_no_sockets_of_the_desktop_and_no_rights(run: Run) -> None:
    told = run("ls -A /tmp /run /var/tmp; grep CapEff /proc/self/status; env").output.text()
    assert "CapEff:\t0000000000000000" in told
    assert "DBUS" not in told and "DISPLAY" not in told and "X11" not in told


@pytest.mark.usefixtures("bwrap")
@pytest.mark.parametrize(
    "command",
    [
        "echo evil > .git/hooks/pre-commit",
        "rm -rf .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/pre-commit",
        "mv .git g; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit",
        "mv .git/hooks h; mkdir .git/hooks; echo evil > .git/hooks/pre-commit",
        "git config core.hooksPath /tmp",
        "echo evil >> .git/config",
        "echo evil > c; mv c .git/config",
        "echo evil > .vscode/settings.json",
        "rm .vscode/settings.json; echo evil > .vscode/settings.json",
        "mv .vscode v; mkdir .vscode; echo evil > .vscode/settings.json",
    ],
)
def test_guarded_files_of_the_workspace_stay_as_they_are(run: Run, machine: Machine, command: str) -> None:
    watched = [machine.root / ".git" / "config", machine.root / ".vscode" / "settings.json"]
    before = [file.read_text("utf-8") for file in watched]
    job = run(command)
    assert job.exit_code != 0
    assert [file.read_text("utf-8") for file in watched] == before
    assert not (machine.root / ".git" / "hooks" / "pre-commit").exists()
    assert machine.sandbox().hint(job.output.text(), job.exit_code) or "busy" in job.output.text()


@pytest.mark.usefixtures("bwrap")
def test_a_call_that_names_a_guarded_file_can_change_it(run: Run, machine: Machine) -> None:
    job = run("echo mine > .git/hooks/pre-commit; echo evil > .git/config", writes=(".git/hooks/pre-commit",))
    assert (machine.root / ".git" / "hooks" / "pre-commit").read_text("utf-8") == "mine\n"
    assert "evil" not in (machine.root / ".git" / "config").read_text("utf-8")
    assert job.notes == ()


@pytest.mark.usefixtures("bwrap")
def test_a_link_among_guarded_files_shows_nothing_hidden(run: Run, machine: Machine) -> None:
    (machine.root / ".vscode" / "settings.json").unlink()
    (machine.root / ".vscode" / "settings.json").symlink_to(machine.home / ".ssh" / "id_ed25519")
    (machine.root / ".claude").symlink_to(machine.home / ".ssh")
    assert SECRET not in run("cat .vscode/settings.json .claude/*").output.text()


def test_a_guarded_file_that_appears_is_told(wall: str, run: Run, machine: Machine) -> None:
    alarms: list[str] = []
    job = run(
        "mkdir -p sub/.vscode; echo x > .vscode/tasks.json > sub/.vscode/mcp.json", machine.sandbox(alarms.append)
    )
    told = "\n".join(job.notes)
    assert (
        "sub/.vscode/mcp.json was created: it configures VS Code" in told and ".vscode/tasks.json was created" in told
    )
    assert len(alarms) == 1 and "sub/.vscode/mcp.json was created" in alarms[0]
    assert run("echo fine > ordinary.txt", machine.sandbox(alarms.append)).notes == () and len(alarms) == 1


# ---- what still works ----------------------------------------------------------------------------------------------


def test_a_command_works_in_the_workspace(wall: str, run: Run, machine: Machine) -> None:
    job = run("mkdir -p a/b && echo hi > a/b/f && mv a/b/f a/g && cat a/g && pwd && rm -r a/b && cat ~/notes.txt")
    assert job.exit_code == 0 and job.output.text() == f"hi\n{machine.root}\nreadable"
    assert (machine.root / "a" / "g").read_text("utf-8") == "hi\n"


def test_temporary_files_are_its_own(wall: str, run: Run) -> None:
    job = run('f=$(mktemp) && echo x > "$f" && cat "$f" && echo "$f" >&2')
    assert job.exit_code == 0 and job.output.text().startswith("x\n")
    assert not Path(job.output.text().splitlines()[1]).exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_works(wall: str, run: Run) -> None:
    job = run("git status --short && git add . && git commit -qm first && git log --oneline && git checkout -qb other")
    assert job.exit_code == 0 and "first" in job.output.text(), job.output.text()


def test_tests_run(wall: str, run: Run) -> None:
    job = run(f"{sys.executable} -m pytest test_it.py")
    assert job.exit_code == 0 and "1 passed" in job.output.text(), job.output.text()


def test_a_server_of_its_own_is_reached(run: Run, bwrap: None) -> None:
    code = "import socket as s; a=s.create_server(('127.0.0.1',0)); s.create_connection(a.getsockname()); print('ok')"
    assert run(f'{sys.executable} -c "{code}"').output.text() == "ok\n"


@pytest.mark.parametrize(("command", "code"), [("exit 3", 3), ("kill -9 $$", -9), ("kill -15 $$", -15), ("true", 0)])
def test_how_it_ended_is_told_as_without_a_wall(wall: str, run: Run, command: str, code: int) -> None:
    job = run(command)
    assert job.exit_code == code and job.output.text() == "" and not job.left_processes


def test_it_has_time_to_end_by_itself(wall: str, start: Run) -> None:
    job = start("trap 'echo cleaned up; exit 4' TERM; echo begun; while :; do :; done", seconds=0.5)
    assert job.wait(SECONDS)
    assert job.ending == "timeout" and job.output.text() == "begun\ncleaned up\n" and job.exit_code == 4


def test_what_does_not_end_is_ended(wall: str, start: Run, machine: Machine) -> None:
    job = start("trap '' TERM; setsid sleep 100 & while :; do sleep 0.01; done", seconds=0.5)
    assert job.wait(SECONDS) and job.exit_code == -signal.SIGKILL
    assert not runs_in(machine.root)


def test_what_it_leaves_running_is_ended_and_told(wall: str, run: Run, machine: Machine) -> None:
    job = run("sleep 100 & echo started")
    assert job.exit_code == 0 and job.left_processes and job.output.text() == "started\n"
    assert not runs_in(machine.root)


def test_there_is_nothing_to_read_from_and_no_terminal(wall: str, run: Run) -> None:
    assert run("read line; echo \"got '$line'\"").output.text() == "got ''\n"
    assert run("echo x > /dev/tty").exit_code != 0


def test_nothing_stays_open_or_lies_around(wall: str, run: Run) -> None:
    run("true")
    before = open_descriptors()
    for _ in range(5):
        run("true")
    assert open_descriptors() <= before


def test_a_missing_program_is_told_before_anything_runs(wall: str, machine: Machine) -> None:
    before = open_descriptors()
    with pytest.raises(FileNotFoundError):
        machine.sandbox().launch(("no-such-program",), machine.root, {"PATH": "/usr/bin"})
    assert open_descriptors() == before


# ---- which wall, in words ------------------------------------------------------------------------------------------


def test_the_wall_is_named(wall: str, machine: Machine) -> None:
    assert machine.sandbox().fact.startswith(f"Sandbox: {wall} · writes only to the workspace · no ")
    assert machine.sandbox(sandbox="off").fact == "No sandbox: it is switched off"
    assert machine.sandbox(sandbox="required").refusal == ""


def test_a_failure_by_the_wall_says_which_setting_changes_it(run: Run, machine: Machine, bwrap: None) -> None:
    sandbox = machine.sandbox()
    job = run(f"echo x > {machine.beside}/file")
    assert "outside the workspace" in sandbox.hint(job.output.text(), job.exit_code)
    offline = run(f"{sys.executable} -c \"import socket; socket.create_connection(('192.0.2.1', 9), 5)\"")
    assert "sandbox_network" in sandbox.hint(offline.output.text(), offline.exit_code)
    assert sandbox.hint("Read-only file system", 0) == "" and sandbox.hint("any failure", 1) == ""


def test_without_a_wall_commands_run_unless_one_is_required(
    run: Run, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_wall(monkeypatch)
    assert machine.sandbox().fact == "No sandbox on this machine: install bubblewrap"
    assert run(f"echo x > {machine.beside}/new").exit_code == 0
    refusal = machine.sandbox(sandbox="required").refusal
    assert "Nothing was run" in refusal and "bubblewrap" in refusal


def test_a_required_wall_that_is_missing_refuses(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    no_wall(monkeypatch)
    sandbox = machine.sandbox(sandbox="required")
    with pytest.raises(NoSandbox, match="Nothing was run"):
        asyncio.run(sandbox.prepare(("true",), machine.root, {}))
