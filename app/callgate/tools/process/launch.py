"""How a command is started: what was approved, what is really executed, and what that leaves to clean up. POSIX."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Launch:
    argv: Sequence[str]
    """What was approved."""
    folder: Path
    environment: Mapping[str, str]
    wrapped: Sequence[str] = ()
    """What is executed instead: a sandbox that executes `argv`."""
    monitored: bool = False
    """Whether the process that is started only watches the command: it gets no signal but the last, and tells of a
    command that died by a signal as shells do."""
    descriptors: list[int] = field(default_factory=list[int])
    """What the process that is started inherits; closed here once it has."""
    stdin: int = subprocess.DEVNULL
    """What it gets as its standard input; the command itself gets nothing to read."""
    leftovers: int | None = None
    """A pipe that is written to if the command ends before all that it started."""
    private: Path | None = None
    """A folder for temporary files, removed afterwards."""
    compare: Callable[[], tuple[str, ...]] = tuple
    """What to tell of the workspace once the command has ended: run in a thread."""
    notes: tuple[str, ...] = ()

    @property
    def executed(self) -> Sequence[str]:
        return self.wrapped or self.argv

    def started(self) -> None:
        """The process is there, or could not be started: it has its descriptors, or needs none."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors.clear()
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = subprocess.DEVNULL

    def ended(self) -> bool:
        """Everything has ended; returns whether something outlived the command itself."""
        try:
            self.notes = self.compare()
        finally:
            outlived = self._clean_up()
        return outlived

    def abandon(self) -> None:
        """It could not be started."""
        self.started()
        self._clean_up()

    def _clean_up(self) -> bool:
        outlived = False
        if self.leftovers is not None:
            os.set_blocking(self.leftovers, False)  # what can't be killed may still hold it open
            with suppress(BlockingIOError):
                outlived = bool(os.read(self.leftovers, 1))
            os.close(self.leftovers)
            self.leftovers = None
        if self.private is not None:
            shutil.rmtree(self.private, ignore_errors=True)
        return outlived
