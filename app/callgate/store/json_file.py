"""A small JSON file in the data folder, replaced as a whole. What it means is its user's business."""

import os
import tempfile
from pathlib import Path

import orjson

from callgate.core.errors import UserFault
from callgate.core.messages import Json


class JsonFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """What was wrong with the file when it was read; empty = nothing."""

    def read(self) -> Json:
        """What it holds; None = nothing. A file that can't be read is moved aside, never overwritten."""
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
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f"{self.path.name}.", dir=self.path.parent)
            fresh = Path(name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(orjson.dumps(value, option=orjson.OPT_INDENT_2))
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(self.path)
            except OSError:
                fresh.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise UserFault(f"{self.path} cannot be written: {error.strerror or error}") from error

    def _move_aside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.broken-{number}")).exists():
            number += 1
        self.path.replace(aside)
        return aside
