"""Writing to where a person wants an output: a file as a whole or not at all, anything else straight through.

A device, a pipe or a terminal is written to and never replaced: `--out /dev/null` must not turn it into a file. Links
are followed, so that the link stays and what it leads to is written.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def output_file(path: Path) -> Generator[TextIO, None, None]:
    """Opens it for text in UTF-8; a file appears under its name only if nothing failed. Raises `OSError`."""
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        # never created, should it vanish meanwhile; a folder is refused here
        with os.fdopen(os.open(target, os.O_WRONLY), "w", encoding="utf-8", errors="replace", newline="\n") as file:
            yield file
        return
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            yield file
        if mode is not None:
            part.chmod(stat.S_IMODE(mode))
        now = _mode(target)
        if now is not None and not stat.S_ISREG(now):
            raise FileExistsError(17, "something else has appeared there")
        part.replace(target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def _mode(path: Path) -> int | None:
    """None = there is nothing."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
