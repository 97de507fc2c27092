"""What most tests of built-in tools start from: a workspace with something outside it, and a place for undo."""

import os
import threading
from pathlib import Path

import pytest

from callgate.tools.builtin.undo import Undo
from callgate.tools.builtin.undo_store import UndoStore
from callgate.tools.builtin.write_files import FileWriter
from callgate.tools.confinement import Confinement


@pytest.fixture
def go_on() -> threading.Event:
    """A call that nobody cancels."""
    return threading.Event()


@pytest.fixture
def workspace(tmp_path: Path) -> Confinement:
    """A workspace whose links lead both inside and out."""
    root = tmp_path / "work"
    (root / "sub").mkdir(parents=True)
    (root / "file.txt").write_text("inside\n", "utf-8")
    (tmp_path / "secret.txt").write_text("outside\n", "utf-8")
    (tmp_path / "work-beside").mkdir()
    os.symlink(tmp_path, root / "up")
    os.symlink(tmp_path / "secret.txt", root / "leak")
    os.symlink(tmp_path / "nothing.txt", root / "dangling")
    os.symlink("file.txt", root / "inside-link")
    return Confinement(root)


@pytest.fixture
def writer(workspace: Confinement, tmp_path: Path) -> FileWriter:
    return FileWriter(workspace, UndoStore(tmp_path / "data", workspace.root))


@pytest.fixture
def undo(writer: FileWriter) -> Undo:
    return Undo(writer)
