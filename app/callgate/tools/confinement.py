"""Staying inside the workspace: every path a tool is given goes through here, links followed and checked."""

import os
from pathlib import Path


class OutsideWorkspace(Exception):
    """A path that leads, or could lead, out of the workspace."""


class Confinement:
    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def resolve(self, path: str) -> Path:
        """The real place a path names, which may not exist yet; raises `OutsideWorkspace`.

        Absolute paths are taken as they are, `~` is not expanded: a model that writes it means a file of that name.
        """
        if "\x00" in path:
            raise OutsideWorkspace("a path cannot contain a NUL character")
        candidate = self.root / path
        real = Path(os.path.realpath(candidate))
        if real != self.root and self.root not in real.parents:
            raise OutsideWorkspace(f"{path!r} is outside the workspace")
        return real

    def shown(self, path: Path) -> str:
        """How a path is shown: relative to the workspace, with `/`."""
        relative = path.relative_to(self.root).as_posix()
        return relative or "."
