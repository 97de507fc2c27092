"""The data folder is for its owner only: 0700, its files 0600, whatever the umask, also those of earlier versions.

New files are created with their final mode, so that there is no moment in which somebody else could open one. A folder
that is more than Callgate's (a home, a project, `/tmp`) keeps its mode; only Callgate's own files in it are changed.
"""

import contextlib
import logging
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

DATABASE: Final = "callgate.db"
_OWN_FILES: Final = frozenset(
    {
        *("rules.toml", "composer.json", "sources.json", "endpoints.json", "switches.json", "registered-tools.json"),
        *("mcp-eras.json", "examples.json", "agents.json", "window.ini"),
    }
)
_OWN_FOLDERS: Final = ("commands", "results", "undo", "jedi")
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
MOST_ENTRIES: Final = 50_000
_POSIX: Final = os.name == "posix"
"""Elsewhere a profile's folders are private by their access lists."""


@dataclass(frozen=True, slots=True)
class Tightened:
    """What was found when the program started."""

    changed: int = 0
    """Files and folders that others could read until now."""
    exposed: bool = False
    """Whether the journal was among them."""
    problems: tuple[str, ...] = ()
    """What stays readable for others, in words for the person."""


def make_folder(folder: Path) -> None:
    """A folder for its owner only; one that is there stays as it is."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)


def create_file(path: Path) -> None:
    """An empty file for its owner only; one that is there stays as it is."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600))


def tighten(folder: Path) -> Tightened:
    """Takes everyone else's rights from a data folder and what is in it. Makes the folder where there is none."""
    make_folder(folder)
    if not _POSIX:
        return Tightened()
    folder = folder.resolve()
    changed, exposed = 0, False
    problems: list[str] = []
    is_ours = _is_ours(folder)
    for path in (*((folder,) if is_ours else ()), *_own_entries(folder, is_ours)):
        try:
            was_open = _close_to_others(path)
        except FileNotFoundError:
            continue  # SQLite removes its log when the last program closes the file
        except OSError as error:
            problems.append(f"{path} can be read by other users of this machine: {error.strerror or error}.")
            continue
        changed += was_open
        exposed = exposed or (was_open and path.name == DATABASE)
    if not is_ours and folder.stat().st_mode & _OTHERS:
        log.info("%s holds more than Callgate's files and keeps its mode", folder)
    if exposed:
        log.warning("%s could be read by other users of this machine; it is private from now on", folder)
    return Tightened(changed, exposed, tuple(problems))


def _is_ours(folder: Path) -> bool:
    about = folder.stat()
    if about.st_mode & stat.S_ISVTX or folder in (Path.home(), Path.home().resolve(), Path(folder.anchor)):
        return False
    names = {path.name for path in folder.iterdir()}
    return not names or (DATABASE in names and not names & {".git", ".hg", "pyproject.toml", "package.json"})


def _own_entries(folder: Path, is_ours: bool) -> Iterator[Path]:
    count = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            known = entry.name.startswith(DATABASE) or entry.name in _OWN_FILES
            if entry.is_file(follow_symlinks=False) and (is_ours or known):
                yield Path(entry.path)
    for name in _OWN_FOLDERS if is_ours else ():
        for here, _, files in os.walk(folder / name):
            yield Path(here)
            for file in files:
                count += 1
                if count > MOST_ENTRIES:
                    return
                yield Path(here, file)


def _close_to_others(path: Path) -> bool:
    """True: others had rights. A link is left alone, as what it leads to is not ours."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode) or not mode & _OTHERS:
        return False
    path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    return True
