"""`callgate accept`: what files that were changed outside Callgate would allow, and whether it may count.

Only a person at a terminal can answer: a program that an agent started must not accept what the agent wrote.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from callgate.core.config.widening import FileChange
from callgate.core.errors import UserFault
from callgate.runtime.build_endpoints import FILE_NAME
from callgate.runtime.runtime import Launch
from callgate.store.files.reviewed_config import ReviewedConfig
from callgate.store.files.reviewed_files import ReviewedFiles, json_file
from callgate.store.files.reviewed_rules import ReviewedRules
from callgate.store.files.rules_file import RulesFile

_DEEPEST = 64
"""Parents of a process that are looked at."""


def run(launch: Launch, write: Callable[[str], None]) -> int:
    """Shows the differences and asks; 1 = they were not accepted. Raises `UserFault`."""
    files = read_all(launch)
    changes = files.changes()
    if not changes:
        write("Nothing to accept: no file was changed outside Callgate in a way that allows more.")
        return 0
    write(described(changes, files.problem))
    if obstacle := why_not_here():
        raise UserFault(obstacle)
    if not is_yes(_answer("Accept all of it? [y/N] ")):
        write("Nothing was accepted.")
        return 1
    files.accept([widening for change in changes for widening in change.widenings])
    write("Accepted. A Callgate that is running takes it over within seconds.")
    return 0


def read_all(launch: Launch) -> ReviewedFiles:
    """Every file that is reviewed, compared with what was accepted. Raises `UserFault` for one that cannot be read."""
    data = launch.data_folder
    files = ReviewedFiles(data)
    ReviewedConfig(launch.named_config, files).file()
    rules = data / "rules.toml"
    ReviewedRules(rules, files).counting(*RulesFile(rules).read_whole())
    json_file(data / "sources.json", "sources", files).read_again()
    json_file(data / FILE_NAME, "endpoints", files).read_again()
    json_file(data / "switches.json", "switches", files).read_again()
    json_file(data / "registered-tools.json", "tools", files).read_again()
    json_file(data / "agents.json", "agents", files).read_again()
    json_file(data / "origins.json", "origins", files).read_again()
    return files


def described(changes: Sequence[FileChange], problem: str = "") -> str:
    """All differences, in words and with both texts."""
    lines = [problem] if problem else []
    for change in changes:
        lines.append(f"{change.path} was changed outside Callgate and would allow more:")
        for one in change.widenings:
            lines.append(f"  * {one.words}")
            lines += [f"      - {line}" for line in one.old.splitlines() if line not in one.new.splitlines()]
            lines += [f"      + {line}" for line in one.new.splitlines() if line not in one.old.splitlines()]
    text = "\n".join(lines)
    return "".join(char if char.isprintable() or char == "\n" else f"\\x{ord(char):02x}" for char in text)


def is_yes(answer: str) -> bool:
    return answer.strip().lower() in ("y", "yes")


def why_not_here() -> str:
    """Why nothing can be accepted here; empty = a person sits at this terminal, as far as can be known."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "Only a person at a terminal can accept this: run `callgate accept` there, or review it in the window."
    if sys.platform != "win32":
        try:
            os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
        except OSError:
            return "Only a person can accept this, and this process has no controlling terminal."
    if any(_is_callgate(words) for words in _parents(os.getppid())):
        return "Callgate itself started this process, so it may belong to an agent: nothing can be accepted here."
    return ""


def _answer(question: str) -> str:
    try:
        return input(question)
    except EOFError:
        return ""


def _is_callgate(words: Sequence[str]) -> bool:
    """Whether a command line is that of Callgate: by its own name, or run by an interpreter."""
    names = [Path(word).name.casefold().removesuffix(".exe") for word in words[:2]]
    return "callgate" in names or list(words[1:3]) == ["-m", "callgate"]


def _parents(process: int) -> Iterator[Sequence[str]]:
    """The command lines of a process and of all that it descends from, as far as the system tells."""
    for _ in range(_DEEPEST):
        if process <= 1:
            return
        found = _process(process)
        if found is None:
            return
        process, words = found
        yield words


def _process(number: int) -> tuple[int, Sequence[str]] | None:
    """The parent of a process, and its command line."""
    folder = Path("/proc") / str(number)
    try:
        if folder.is_dir():
            # after the name, which may hold anything, in parentheses: state, parent
            parent = int((folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
            return parent, (folder / "cmdline").read_bytes().decode("utf-8", "replace").rstrip("\0").split("\0")
        if sys.platform == "win32":
            return None
        asked = ["ps", "-o", "ppid=,command=", "-p", str(number)]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False).stdout.split()
        return (int(said[0]), said[1:]) if said else None
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired):
        return None
