"""The toolset desk of a running engine: writes Callgate's own file, and leaves those of others alone."""

import contextlib
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.core.json.jsonc import BadJson
from callgate.core.messages import Json
from callgate.engine.offer.toolset_service import DeclaredToolset
from callgate.tools.toolset_text import put_toolset, remove_toolset
from callgate.tools.toolsets import Toolsets

FILE_NAME = "callgate.toolsets.jsonc"
_NAMED = re.compile(r"[A-Za-z_][\w.-]*")


class LiveToolsetService:
    def __init__(self, toolsets: Toolsets, folder: Path, changed: Callable[[], None]) -> None:
        """`folder` is Callgate's own: sets in files there can be changed, and new ones are written there."""
        self._toolsets = toolsets
        self._folder = folder
        self._changed = changed

    def declared(self) -> tuple[DeclaredToolset, ...]:
        return tuple(
            DeclaredToolset(
                one.name, one.members, one.description, one.icon, str(file), editable=file.parent == self._folder
            )
            for file, one in self._toolsets.declared()
        )

    def notes(self) -> tuple[str, ...]:
        return self._toolsets.notes()

    def save(self, toolset: DeclaredToolset, was: str = "") -> None:
        if _NAMED.fullmatch(toolset.name) is None:
            raise UserFault("A toolset's name is a word of letters, digits, '_', '.' and '-', so that # can name it.")
        if not toolset.members:
            raise UserFault("A toolset needs at least one tool.")
        before = self._editable(was) if was else None
        twin = next((one for one in self.declared() if one.name == toolset.name), None)
        if twin is not None and toolset.name != was:
            raise UserFault(f"There is already a toolset named {toolset.name}.")
        body: dict[str, Json] = {"tools": list(toolset.members)}
        for key, value in (("description", toolset.description), ("icon", toolset.icon)):
            if value:
                body[key] = value
        file = Path(before.file) if before is not None else self._folder / FILE_NAME
        self._rewrite(file, lambda text: put_toolset(text, toolset.name, body, was))

    def remove(self, name: str) -> None:
        file = Path(self._editable(name).file)
        self._rewrite(file, lambda text: remove_toolset(text, name))

    def _editable(self, name: str) -> DeclaredToolset:
        found = next((one for one in self.declared() if one.name == name), None)
        if found is None:
            raise UserFault(f"There is no toolset named {name}.")
        if not found.editable:
            raise UserFault(f"{name} stands in {found.file}, which is not Callgate's: change it there.")
        return found

    def _rewrite(self, file: Path, change: Callable[[str], str]) -> None:
        """All or nothing."""
        try:
            text = file.read_text("utf-8") if file.exists() else ""
            fresh = change(text)
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as out:
                    out.write(fresh)
                Path(name).replace(file)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    Path(name).unlink()
        except BadJson as bad:
            raise UserFault(f"{file} can't be read, so nothing was changed: {bad}") from bad
        except (OSError, UnicodeDecodeError) as error:
            raise UserFault(f"{file} can't be written: {error}") from error
        self._toolsets.look_again()
        self._changed()
