"""A small JSON file in the data folder, replaced as a whole. What it means is its user's business."""

import os
import tempfile
from pathlib import Path

import orjson

from callgate.core.errors import UserFault
from callgate.core.messages import Json

Stamp = tuple[tuple[int, int, int] | None, ...]
"""Of each file that counts: its time, size and number; None = there is none."""


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class JsonFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """What was wrong with the file when it was read; empty = nothing."""

    def stamp(self) -> Stamp:
        """Differs when the file may say something else than at the last look."""
        return (stamp_of(self.path),)

    def read(self) -> Json:
        """What it holds; None = nothing. A file that can't be read is moved aside, never overwritten."""
        return self.counted(self._found())

    def read_again(self) -> Json:
        """The same while the program runs. Raises `UserFault` on a file that may be half written, and leaves it."""
        try:
            found: Json = orjson.loads(self.path.read_bytes())
        except FileNotFoundError:
            found = None
        except OSError as error:
            raise UserFault(f"{self.path} cannot be read: {error.strerror or error}") from error
        except orjson.JSONDecodeError as error:
            raise UserFault(f"{self.path} cannot be read ({error}). What was read before stays in force.") from error
        return self.counted(found)

    def counted(self, found: Json) -> Json:
        """What counts of it."""
        return found

    def _found(self) -> Json:
        try:
            return orjson.loads(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            self.problem = f"{self.path} cannot be read: {error.strerror or error}"
        except orjson.JSONDecodeError as error:
            aside = self._move_aside()
            self.problem = f"{self.path} cannot be read ({error}); it was moved to {aside} and begun anew."
        return None

    def write(self, value: Json) -> None:
        """All or nothing: a program that is killed meanwhile leaves the old file. Raises `UserFault`."""
        try:
            replace_file(self.path, orjson.dumps(value, option=orjson.OPT_INDENT_2))
        except OSError as error:
            raise UserFault(f"{self.path} cannot be written: {error.strerror or error}") from error

    def _move_aside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.broken-{number}")).exists():
            number += 1
        self.path.replace(aside)
        return aside


def replace_file(path: Path, content: bytes) -> None:
    """All or nothing: a program that is killed meanwhile leaves the old file. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
