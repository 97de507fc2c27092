"""Which wall stands between commands and the machine, and how a command is started behind it.

On Linux bubblewrap where it works, else Landlock where the kernel has it, else nothing; on other systems nothing. What
works is found out once, by trying it. A wall that fails later fails the command: none runs without the wall it was
shown with.
"""

import asyncio
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Final, Literal

from callgate.core.config.settings import ToolsSettings
from callgate.core.rules.guarded_files import GuardedFiles
from callgate.core.tool import wall_words
from callgate.tools.confinement import Confinement
from callgate.tools.process import bubblewrap, landlock
from callgate.tools.process.bubblewrap import Bubblewrap
from callgate.tools.process.guarded_paths import Found, GuardedPaths
from callgate.tools.process.landlock import Landlock
from callgate.tools.process.launch import Launch

log = logging.getLogger(__name__)

WallKind = Literal["bubblewrap", "Landlock", ""]

_SECRETS: Final = (
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".oci", ".password-store", ".vault-token"),
    *(
        ".config/gcloud",
        ".config/gh",
        ".config/hub",
        ".config/glab-cli",
        ".config/op",
        ".config/rclone",
        ".config/sops",
    ),
    *(".netrc", ".git-credentials", ".config/git/credentials", ".npmrc", ".pypirc", ".databrickscfg", ".boto"),
    *(".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d/credentials.tfrc.json"),
    *(".composer/auth.json", ".config/composer/auth.json", ".m2/settings.xml", ".gradle/gradle.properties"),
    *(".local/share/keyrings", ".local/share/kwalletd", ".config/1Password", ".config/keepassxc", ".config/Bitwarden"),
    *(".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware"),
    *(".config/microsoft-edge", ".config/vivaldi", ".config/opera", ".config/Signal", ".config/Slack"),
    *(".var/app", "snap/firefox", "snap/chromium", ".Xauthority", ".ICEauthority"),
    *(".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".local/share/opencode/auth.json"),
    *(".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history"),
)
"""Below the home directory: keys, passwords, browser profiles, what was typed."""
_OF_SYSTEM: Final = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh")
_DESKTOP: Final = (
    *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "XDG_RUNTIME_DIR"),
    *("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "SSH_AUTH_SOCK", "GPG_AGENT_INFO", "PULSE_SERVER"),
)
"""Variables that lead to sockets of the desktop and of key agents."""
_READ_ONLY: Final = re.compile(r"Read-only file system|\bEROFS\b")
_NO_NETWORK: Final = re.compile(
    r"Network is unreachable|Could not resolve host|Temporary failure in name resolution|Name or service not known"
    r"|\bENETUNREACH\b|\bEAI_AGAIN\b|No address associated with hostname"
)


class NoSandbox(Exception):
    """No command may run: a sandbox is required, and there is none."""


class Sandbox:
    def __init__(
        self,
        workspace: Confinement,
        settings: ToolsSettings,
        files: GuardedFiles | None = None,
        *,
        home: Path | None = None,
        alarm: Callable[[str], None] | None = None,
    ) -> None:
        """`alarm` is called, by any thread, when a command may have changed a guarded file."""
        self._workspace = workspace
        self._settings = settings
        self._home = home or Path.home()
        self._guarded = GuardedPaths(workspace, files or GuardedFiles(home=self._home.as_posix()))
        self._alarm = alarm

    # ---- which wall ------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> WallKind:
        match self._wall[0]:
            case Bubblewrap():
                return "bubblewrap"
            case Landlock():
                return "Landlock"
            case None:
                return ""

    @property
    def fact(self) -> str:
        """Which wall stands, in a few words for the one who decides a call."""
        wall, why = self._wall
        if self._settings.sandbox == "off":
            return "No sandbox: it is switched off"
        match wall:
            case Bubblewrap():
                network = "network allowed" if wall.network else "no network"
            case Landlock():
                network = (
                    "network allowed" if wall.network else "no TCP" if wall.limits_network else "network not limited"
                )
            case None:
                if not sys.platform.startswith("linux"):
                    return "No sandbox on this system"
                remedy = (
                    f"bubblewrap does not work: {why}" if why and why != bubblewrap.MISSING else "install bubblewrap"
                )
                return f"No sandbox on this machine: {remedy}"
        return wall_words(self.kind, network)

    @property
    def refusal(self) -> str:
        """Why no command may run; empty = it may."""
        if self._settings.sandbox != "required" or self._wall[0] is not None:
            return ""
        if not sys.platform.startswith("linux"):
            return 'Nothing was run: [tools] sandbox = "required", and there is no sandbox on this system.'
        why = self._wall[1]
        return (
            f'Nothing was run: [tools] sandbox = "required", and bubblewrap does not work here ({why}), nor does the '
            "kernel have Landlock. Install the package bubblewrap and start Callgate again."
        )

    @cached_property
    def _wall(self) -> tuple[Bubblewrap | Landlock | None, str]:
        if self._settings.sandbox == "off":
            return None, ""
        network, root = self._settings.sandbox_network, self._workspace.root
        wall, why = bubblewrap.find(root, self.hidden, network=network)
        if wall is not None:
            return wall, ""
        if why and why != bubblewrap.MISSING:
            log.warning("bubblewrap does not work here: %s", why)
        return landlock.find(root, self.hidden, network=network), why

    @property
    def hidden(self) -> tuple[Path, ...]:
        """What no command may read, as it is now: without links, none of them the workspace itself."""
        places = [*self._workspace.closed, *(self._home / name for name in _SECRETS), *map(Path, _OF_SYSTEM)]
        real = dict.fromkeys(Path(os.path.realpath(place)) for place in places if os.path.lexists(place))
        outer = [path for path in real if not any(above in real for above in path.parents)]
        # a folder within a hidden one is hidden with it, unless the workspace lies in between
        inner = [path for path in real if path not in outer and self._workspace.root in path.parents]
        return tuple(path for path in (*outer, *inner) if path != self._workspace.root)

    # ---- a command -------------------------------------------------------------------------------------------------

    async def prepare(
        self, argv: Sequence[str], folder: Path, environment: Mapping[str, str], writes: Iterable[str] = ()
    ) -> Launch:
        """`launch`, off the loop. Raises `NoSandbox` where there is none and has to be one."""
        if self.refusal:
            raise NoSandbox(self.refusal)
        work = partial(self.launch, argv, folder, environment, writes)
        future = asyncio.get_running_loop().run_in_executor(None, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            future.add_done_callback(_abandon)
            raise

    def launch(
        self, argv: Sequence[str], folder: Path, environment: Mapping[str, str], writes: Iterable[str] = ()
    ) -> Launch:
        """Prepares a command; takes some milliseconds. `writes`: paths that the approved call names as written.

        Raises `FileNotFoundError` if there is no such program.
        """
        wall = self._wall[0]
        if wall is not None:
            wall = replace(wall, hidden=self.hidden)  # some of it may have been made since
        changed = self._guarded.named(writes, folder)
        before = self._guarded.find()
        launch = Launch(argv, folder, environment)
        protected: frozenset[str] = frozenset()
        try:
            if isinstance(wall, Bubblewrap):
                protected = self._behind_bubblewrap(wall, launch, before, changed)
            elif isinstance(wall, Landlock):
                self._behind_landlock(wall, launch)
        except BaseException:
            launch.abandon()
            raise
        launch.compare = partial(self._compare, before, protected, changed)
        return launch

    def hint(self, text: str, exit_code: int | None) -> str:
        """What to say of a command that failed because of the wall; empty where that is not certain."""
        wall = self._wall[0]
        if exit_code == 0 or not isinstance(wall, Bubblewrap):
            return ""
        if _READ_ONLY.search(text):
            return (
                "the sandbox blocked writing outside the workspace, or to a file that decides what runs or is asked; "
                'the person can change that with [tools] sandbox = "off"'
            )
        if not wall.network and _NO_NETWORK.search(text):
            return "the sandbox has no network; the person can change that with [tools] sandbox_network = true"
        return ""

    def _behind_bubblewrap(
        self, wall: Bubblewrap, launch: Launch, before: Found, changed: frozenset[str]
    ) -> frozenset[str]:
        program = _program(launch)
        opened = self._guarded.protect(before, changed) if wall.protects else []
        launch.descriptors += [one.descriptor for one in opened]
        launch.leftovers, launch.stdin = os.pipe()
        launch.environment = _environment(launch.environment, "/tmp")
        launch.wrapped = wall.argv(launch.argv, launch.folder, opened, program)
        launch.monitored = True
        return frozenset(self._workspace.shown(one.path) for one in opened if not one.writable)

    def _behind_landlock(self, wall: Landlock, launch: Launch) -> None:
        program = _program(launch)
        launch.private = Path(tempfile.mkdtemp(prefix="callgate-"))
        launch.environment = _environment(launch.environment, str(launch.private))
        launch.wrapped, policy = wall.argv(launch.argv, launch.private, program)
        launch.descriptors.append(policy)

    def _compare(self, before: Found, protected: frozenset[str], named: frozenset[str]) -> tuple[str, ...]:
        changes = self._guarded.changes(before, protected, named)
        if changes and self._alarm is not None:
            self._alarm(f"While a command ran: {'; '.join(changes)}. Look at it before you use it.")
        return tuple(f"while it ran, {change}" for change in changes)


def _abandon(prepared: "asyncio.Future[Launch]") -> None:
    """The call was cancelled while its command was being prepared."""
    if not prepared.cancelled() and prepared.exception() is None:
        prepared.result().abandon()


def _program(launch: Launch) -> str:
    """Where the program is: said now, as a sandbox could only say that it failed."""
    name, path = launch.argv[0], launch.environment.get("PATH", os.defpath)
    found = shutil.which(name, path=path) if os.sep not in name else str(launch.folder / name)
    if found is None or not Path(found).exists():
        raise FileNotFoundError(2, "No such file or directory", name)
    return found


def _environment(environment: Mapping[str, str], temporary: str) -> dict[str, str]:
    kept = {name: value for name, value in environment.items() if name not in _DESKTOP}
    return {**kept, "TMPDIR": temporary}
