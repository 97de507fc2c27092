"""A sandbox made by bubblewrap: the workspace writable, the rest read-only, nothing of the desktop, no network."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import callgate

PROBE_SECONDS: Final = 5.0
_NAMESPACES: Final = (
    *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--cap-drop", "ALL", "--die-with-parent"),
)
"""No `--new-session`: every command is started in a session of its own, so it has no terminal to push keys into."""
_USERS: Final = ("--unshare-user", "--unshare-user-try")
"""The second for machines where bubblewrap is set-uid and people may not make user namespaces."""
MISSING: Final = "it is not installed"
_PLACES: Final = os.pathsep.join((os.defpath, "/usr/local/bin", "/run/current-system/sw/bin"))
"""Where bubblewrap is looked for: not in PATH, which may lead to the workspace."""
_EMPTY: Final = ("/tmp", "/var/tmp", "/run")
"""Temporary files of other programs, and the sockets of D-Bus, X11, Wayland, Docker and key agents."""
_EMPTY_FILE: Final = next(filter(Path.is_file, (Path(callgate.__file__).with_name("py.typed"),)), Path("/dev/null"))
"""Stands for hidden files: one that can't be read at all would make programs fail that can do without it."""
_OF_RUN: Final = ("/run/systemd/resolve", "/run/current-system", "/run/opengl-driver")
"""What programs need of /run: the resolver's configuration, and where NixOS keeps its programs."""
_WATCH: Final = """
exec 3>&0 </dev/null 2>/dev/null
trap : TERM
(exec "$@" 2>&1 3>&-)
code=$?
set -- /proc/[0-9]*
[ $# -gt 2 ] && echo >&3
exit $code
"""
"""Runs in the sandbox, with a pipe as its input: writes to it if something still runs when the command has ended."""


@dataclass(frozen=True, slots=True)
class Protected:
    """A path of the workspace, open, so that no link put in its place is followed."""

    path: Path
    descriptor: int
    writable: bool = False
    """True: a folder above a protected file. Being mounted, it can't be moved away with what is in it."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    program: str
    users: str
    workspace: Path
    hidden: tuple[Path, ...]
    network: bool
    protects: bool = True
    """Whether it can mount what is open already; without, files within the workspace are not protected."""

    def argv(
        self, command: Sequence[str], folder: Path, protected: Iterable[Protected] = (), program: str = ""
    ) -> list[str]:
        """`program`: where the command's program is, as it may lie where the sandbox is empty."""
        watched = ("/bin/sh", "-c", _WATCH, "sh", *command)
        # last what is hidden within the workspace: mounting what was opened outside the sandbox shows all that it holds
        within = _emptied(path for path in self.hidden if self.workspace in path.parents)
        mounts = [*self._base(), *_seen(program), *_mounted(protected), *within]
        return [*mounts, "--chdir", str(folder), "--", *watched]

    def _base(self) -> list[str]:
        around = [path for path in self.hidden if path in self.workspace.parents]
        beside = [path for path in self.hidden if path not in around and self.workspace not in path.parents]
        options = [self.program, self.users, *_NAMESPACES]
        if not self.network:
            options.append("--unshare-net")
        options += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        for place in _EMPTY:
            if Path(place).is_dir() and not Path(place).is_symlink():
                options += ["--tmpfs", place]
        for place in _OF_RUN:
            options += ["--ro-bind-try", place, place]
        options += _emptied([*around, *beside])
        return [*options, "--bind", str(self.workspace), str(self.workspace)]


def find(workspace: Path, hidden: tuple[Path, ...], *, network: bool) -> tuple[Bubblewrap | None, str]:
    """What works on this machine, found out by running it; else why nothing does."""
    if not sys.platform.startswith("linux"):
        return None, ""
    if workspace == Path("/"):
        return None, "the workspace is the whole file system"
    program = shutil.which("bwrap", path=_PLACES)
    if program is None:
        return None, MISSING
    why = ""
    for users in _USERS:
        wall = Bubblewrap(program, users, workspace, hidden, network, _mounts_descriptors(program))
        why = _problem(wall)
        if not why:
            return wall, ""
    return None, why


def _problem(wall: Bubblewrap) -> str:
    """Why a sandbox can't be made; empty = it works."""
    try:
        tried = subprocess.run(
            wall.argv(("/bin/sh", "-c", ":"), wall.workspace),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    if tried.returncode == 0:
        return ""
    return tried.stderr.decode("utf-8", "replace").strip() or f"exit code {tried.returncode}"


@lru_cache(maxsize=4)
def _mounts_descriptors(program: str) -> bool:
    """`--bind-fd` is younger than the rest."""
    told = subprocess.run(
        (program, "--help"), stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_SECONDS, check=False
    )
    return b"--ro-bind-fd" in told.stdout + told.stderr


def _seen(program: str) -> list[str]:
    return ["--ro-bind", program, program] if program.startswith(tuple(f"{place}/" for place in _EMPTY)) else []


def _mounted(protected: Iterable[Protected]) -> list[str]:
    options: list[str] = []
    for one in protected:
        options += ["--bind-fd" if one.writable else "--ro-bind-fd", str(one.descriptor), str(one.path)]
    return options


def _emptied(places: Iterable[Path]) -> list[str]:
    """Folders that look empty and files that look empty; what is written there fails instead of being lost."""
    options: list[str] = []
    for place in places:
        if place.is_dir():
            options += ["--perms", "0555", "--tmpfs", str(place)]
        else:
            options += ["--ro-bind", str(_EMPTY_FILE), str(place)]
    return options
