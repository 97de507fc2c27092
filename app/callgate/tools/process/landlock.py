"""A sandbox made by Landlock, where bubblewrap does not work: the kernel refuses what the policy does not allow.

It allows trees and can't forbid parts of them: a folder that holds something hidden is not allowed itself, only what
lies in it beside that. In the workspace nothing new can be made directly in such a folder. All folders can be listed,
as many programs need that: the names of hidden files can be seen, their contents can't be read. Guarded files within
the workspace can't be protected, nor can other processes be hidden; sockets that are files stay reachable.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from callgate.tools.process import landlock_launcher
from callgate.tools.process.landlock_launcher import landlock_version

_TCP_FROM: Final = 4
"""The version that can forbid TCP."""
_NEVER_READ: Final = ("/dev", "/tmp", "/var/tmp", "/run")
_OF_RUN: Final = ("/run/systemd/resolve", "/run/current-system", "/run/opengl-driver")
_DEVICES: Final = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty"))


@dataclass(frozen=True, slots=True)
class Landlock:
    workspace: Path
    hidden: tuple[Path, ...]
    network: bool
    version: int

    @property
    def limits_network(self) -> bool:
        return not self.network and self.version >= _TCP_FROM

    def argv(self, command: Sequence[str], private: Path, program: str = "") -> tuple[list[str], int]:
        """What to execute, and the open policy that it needs. `private` is its folder for temporary files."""
        read = [*self._readable(), *_OF_RUN, *([program] if program else [])]
        policy = {
            "list": ["/"],
            "read": read,
            "write": [*_beside(self.workspace, self.hidden), str(private), *_DEVICES],
            "tcp": self.network,
        }
        with tempfile.TemporaryFile() as file:
            file.write(json.dumps(policy).encode())
            file.flush()
            descriptor = os.dup(file.fileno())
        os.lseek(descriptor, 0, os.SEEK_SET)
        script = landlock_launcher.__file__
        launcher = (sys.executable, "-I", "-S", script, str(descriptor), str(os.getpid()))
        return [*launcher, *command], descriptor

    def _readable(self) -> list[str]:
        """Everything but the workspace and what is hidden."""
        return _beside(Path("/"), (*self.hidden, *map(Path, _NEVER_READ), self.workspace))


def find(workspace: Path, hidden: tuple[Path, ...], *, network: bool) -> Landlock | None:
    """None where the kernel has none, or where there is no Python that could set it up."""
    version = landlock_version()
    if version == 0 or not sys.executable or getattr(sys, "frozen", False):
        return None
    return Landlock(workspace, hidden, network, version)


def _beside(folder: Path, kept_out: Sequence[Path]) -> list[str]:
    """The largest trees under a folder that hold nothing of what is kept out."""
    if folder in kept_out:
        return []
    inside = [path for path in kept_out if folder in path.parents]
    if not inside:
        return [str(folder)]
    try:
        # what a link leads to is allowed, or not, where it is
        below = [path for path in folder.iterdir() if not path.is_symlink()]
    except OSError:
        return []
    return [found for path in below for found in _beside(path, inside)]
