"""Reading while a folder is swapped with a link to a place outside: nothing from there is ever returned."""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from callgate.tools.builtin.code import CodeReader
from callgate.tools.builtin.diagnostics import Diagnostics
from callgate.tools.builtin.previews import preview_delete
from callgate.tools.builtin.read_files import list_directory, read_file
from callgate.tools.builtin.search_files import find_files, search_text
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.workspace import workspace_tree
from callgate.tools.confinement import Confinement, OutsideWorkspace
from callgate.tools.source import CallContext

ROUNDS = 300
SECRET = "TOPSECRET"
Read = Callable[[Confinement], str]


class Tree:
    """A workspace with a folder, and a twin of that folder outside whose every name and text is secret."""

    def __init__(self, top: Path) -> None:
        self.root = top / "work"
        self.folder = self.root / "sub"
        self.outside = top / "outside"
        for folder, word in ((self.folder, "public"), (self.outside, SECRET)):
            folder.mkdir(parents=True)
            (folder / "note.md").write_text(f"# {word}\n", "utf-8")
            (folder / "code.py").write_text(f"def {word}():\n    pass\n", "utf-8")
            (folder / "odd.json").write_text("{}" if word == "public" else "\n\n\n]", "utf-8")
            (folder / f"{word}.txt").write_text("any", "utf-8")
            (folder / ".gitignore").write_text("*.log\n" if word == "public" else "*.md\n", "utf-8")

    def swap_in_link(self) -> None:
        self.folder.rename(self.root / ".real")
        os.symlink(self.outside, self.folder)

    def swap_back(self) -> None:
        self.folder.unlink()
        (self.root / ".real").rename(self.folder)


class Swapping(Confinement):
    """Swaps the folder at the worst moment: when a path has just been found to be inside."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree.root)
        self._tree = tree

    def resolve(self, path: str) -> Path:
        real = super().resolve(path)
        if not self._tree.folder.is_symlink():
            self._tree.swap_in_link()
        return real


def _symbols(workspace: Confinement, path: str) -> str:
    async def ask() -> str:
        reader = CodeReader(workspace, workspace.root.parent / "cache")
        try:
            return await reader.list_symbols({"path": path}, CallContext("c", "v", lambda text, done, total: None))
        finally:
            await reader.close()

    return asyncio.run(ask())


def _calm() -> threading.Event:
    return threading.Event()


READS: dict[str, Read] = {
    "read_file": lambda at: read_file(at, {"path": "sub/note.md"}, _calm()),
    "read_file by lines": lambda at: read_file(at, {"path": "sub/note.md", "start_line": 1}, _calm()),
    "list_directory": lambda at: list_directory(at, {"path": "sub"}, _calm()),
    "search_text in a file": lambda at: search_text(at, {"query": "#", "path": "sub/note.md"}, _calm()),
    "search_text in a folder": lambda at: search_text(at, {"query": "#", "path": "sub"}, _calm()),
    "find_files": lambda at: find_files(at, {"pattern": "*.txt", "path": "sub"}, _calm()),
    "workspace_tree": lambda at: workspace_tree(at, {"path": "sub"}, _calm()),
    "list_symbols": lambda at: _symbols(at, "sub/note.md"),
    "list_symbols of Python": lambda at: _symbols(at, "sub/code.py"),
    "check_file": lambda at: Diagnostics(at).check_file({"path": "sub/odd.json"}, _calm()),
    "preview": lambda at: preview_delete(at, {"path": "sub/note.md"}).before,
}
CHEAP = ("read_file", "list_directory", "search_text in a folder", "find_files", "workspace_tree", "preview")


def answer(read: Read, workspace: Confinement) -> str:
    """What a model would get; a refusal is an answer too."""
    try:
        return read(workspace)
    except (ToolProblem, OutsideWorkspace, OSError) as refusal:
        return f"refused: {refusal}".replace(str(workspace.root.parent), "")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.mark.parametrize("name", READS)
def test_a_folder_that_becomes_a_link_after_the_check_is_not_read(tree: Tree, name: str) -> None:
    told = answer(READS[name], Swapping(tree))
    assert tree.folder.is_symlink()
    assert SECRET not in told and "JSON" not in told, told


@pytest.mark.parametrize("name", READS)
def test_the_same_is_read_where_nothing_is_swapped(tree: Tree, name: str) -> None:
    told = answer(READS[name], Confinement(tree.root))
    assert "refused" not in told and ("public" in told or "No problem" in told), told


@pytest.mark.parametrize("name", CHEAP)
def test_no_round_of_a_race_reads_outside(tree: Tree, name: str) -> None:
    with swapping(tree) as swaps:
        told = [answer(READS[name], Confinement(tree.root)) for _ in range(ROUNDS)]
    assert swaps[0] > 0
    assert not [one for one in told if SECRET in one]


@contextmanager
def swapping(tree: Tree) -> Iterator[list[int]]:
    """Swaps the folder and the link as fast as it goes, in a thread."""
    ended, begun, count = threading.Event(), threading.Event(), [0]

    def work() -> None:
        while not ended.is_set():
            tree.swap_in_link()
            tree.swap_back()
            count[0] += 1
            begun.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(10)
    try:
        yield count
    finally:
        ended.set()
        thread.join(10)


def test_a_link_that_stays_inside_still_works(tree: Tree) -> None:
    os.symlink("sub", tree.root / "alias")
    os.symlink(tree.folder / "note.md", tree.root / "absolute.md")
    workspace = Confinement(tree.root)
    assert read_file(workspace, {"path": "alias/note.md"}, _calm()) == "# public\n"
    assert read_file(workspace, {"path": "absolute.md"}, _calm()) == "# public\n"
    assert "public.txt" in list_directory(workspace, {"path": "alias"}, _calm())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_that_is_put_in_place_of_a_file_blocks_nobody(tree: Tree) -> None:
    class Piped(Confinement):
        def resolve(self, path: str) -> Path:
            real = super().resolve(path)
            real.unlink()
            os.mkfifo(real)
            return real

    told = answer(lambda at: read_file(at, {"path": "sub/note.md"}, _calm()), Piped(tree.root))
    assert told.startswith("refused")


def test_a_file_that_is_closed_off_is_not_read_by_name(tree: Tree) -> None:
    workspace = Confinement(tree.root, closed=[tree.folder / "odd.json"])
    assert "odd.json" not in json.dumps(find_files(workspace, {"pattern": "*"}, _calm()))
    with pytest.raises(OutsideWorkspace):
        workspace.read_bytes(tree.folder / "odd.json", 10)
