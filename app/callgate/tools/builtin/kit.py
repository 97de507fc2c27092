"""The whole set of built-in tools, put together for one workspace."""

from pathlib import Path

from callgate.tools.builtin.files import file_tools
from callgate.tools.builtin.source import BuiltinSource
from callgate.tools.builtin.undo_store import UndoStore
from callgate.tools.confinement import Confinement


def builtin_source(workspace: Confinement, data: Path) -> BuiltinSource:
    """`data` is the folder where Callgate keeps what must not stand in the workspace."""
    return BuiltinSource(file_tools(workspace, UndoStore(data / "undo", workspace.root)))
