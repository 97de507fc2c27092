"""What a call would reach: the commands of a shell line, the files that it changes, the addresses that it fetches.

Which tools do such things is told by `tool_kinds`; what rules make of it is the business of `policy`. Pure.
"""

import posixpath
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from callgate.core.calls.tool_kinds import (
    CONTENT_ARGUMENTS,
    FOLDER_ARGUMENTS,
    LINES_ARGUMENT,
    PATCH_ARGUMENTS,
    PATH_ARGUMENTS,
    PATH_LISTS,
    SHELL_ARGUMENTS,
    SURROUNDING_ARGUMENTS,
    URL_ARGUMENTS,
    edits_files,
    fetches,
    is_foreign_shell,
    only_reads,
    runs_commands,
)
from callgate.core.json.dotted_path import loaded_leniently
from callgate.core.messages import Json
from callgate.core.rules.glob import collapsed
from callgate.core.rules.guarded_files import Guard, GuardedFiles
from callgate.core.rules.patched_files import is_patch, patched_files
from callgate.core.rules.web_url import UNSAFE, canonical_url
from callgate.core.shell import InnerCommand, ShellCommand, parse_command

_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_DIFFED = re.compile(r"^--- (?:a/)?([^\t\n]+)[^\n]*\n\+\+\+ (?:b/)?([^\t\n]+)", re.MULTILINE)
_RENAMED = re.compile(r"^(?:rename|copy) (?:from|to) (.+)$", re.MULTILINE)
_OWN_PROGRAM = "it runs Callgate itself, which can change what is asked"
_OWN_COMMAND = re.compile(
    r"(?i)(?<![\w.-])callgate(?:\.exe)?['\"]?\s[^;&|\n]*\baccept\b|-m[\s'\"]*callgate(?![\w-])[^;&|\n]"
)
"""Callgate run by an interpreter, or to accept something, wherever in a line."""
_MOST_LEAVES = 2_000
"""Texts of one call that are looked at as possible paths; beyond that the call asks."""

GUARDED = GuardedFiles()
"""The table alone, where the places of this run are not known."""


@dataclass(frozen=True, slots=True)
class Targets:
    line: str = ""
    """The whole shell line."""
    argument: str = ""
    """The argument that holds it."""
    commands: tuple[str, ...] = ()
    readings: tuple[tuple[str, ...], ...] = ()
    """Other ways to see each command; only rules that deny or ask look at them."""
    inner: tuple[tuple[InnerCommand, ...], ...] = ()
    """What each command runs in turn."""
    redirected: tuple[str, ...] = ()
    """Files within the workspace that redirections lead to, by the text alone."""
    concerns: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    """Relative to the workspace where they are in it."""
    urls: tuple[str, ...] = ()
    """In one uniform spelling."""
    writes: tuple[str, ...] = ()
    """Paths that a shell line is known to write, in the workspace or not."""
    guarded: tuple[Guard, ...] = ()
    """Those of `edits` that only a rule that names them covers."""


def targets_of(
    tool: str,
    arguments: str,
    tags: Collection[str] = (),
    root: str = "",
    *,
    files: GuardedFiles = GUARDED,
    read_only: bool = False,
) -> Targets:
    """`root` is the workspace; empty = unknown, as for tools that an agent runs itself.

    `read_only`: the tool's source declares that it changes nothing.
    """
    given = loaded_leniently(arguments)
    if runs_commands(tool, tags):
        found = _shell_targets(given, arguments, root)
        if found is not None:
            foreign = (f"{tool} is no shell whose lines can be taken apart",) if is_foreign_shell(tool) else ()
            found = replace(found, concerns=(*foreign, *found.concerns))
            return _guard_line(found, _folder_of(given, root), files)
    if edits_files(tool, tags):
        edits = tuple(dict.fromkeys(_placed(path, root) for path in _edited(given, arguments)))
        named = guard_edits(Targets(edits=edits), root, files)
        return named if named.guarded or named.concerns else _guard_leaves(named, given, root, files, editing=True)
    if fetches(tool, tags):
        return _fetched([text for key in URL_ARGUMENTS for text in _texts(_under(given, key))])
    return Targets() if read_only or only_reads(tool, tags) else _guard_leaves(Targets(), given, root, files)


# ---- guarded files -------------------------------------------------------------------------------------------------


def guard_edits(targets: Targets, root: str, files: GuardedFiles) -> Targets:
    """The same, with what is guarded among the files that it changes."""
    guards = tuple(guard for path in targets.edits if (guard := files.guard_of(path, root)))
    concerns = dict.fromkeys((*targets.concerns, *(guard.concern for guard in guards if guard.own)))
    return replace(targets, guarded=tuple(guard for guard in guards if not guard.own), concerns=tuple(concerns))


def _guard_line(targets: Targets, folder: str, files: GuardedFiles) -> Targets:
    """A command line could write what it names, unless its programs are known only to read."""
    guards = [files.guard_of(path, folder) for path in (*targets.writes, *targets.redirected)]
    guards.append(files.named_in(targets.line))
    own = (_OWN_PROGRAM,) if _runs_callgate(targets) else ()
    concerns = (*targets.concerns, *own, *(guard.concern for guard in guards if guard is not None))
    return replace(targets, concerns=tuple(dict.fromkeys(concerns)))


def _runs_callgate(targets: Targets) -> bool:
    """Whether some part of a line, or what that runs in turn, is Callgate."""
    inner = (command.argv_text for commands in targets.inner for command in commands)
    readings = (reading for others in targets.readings for reading in others)
    firsts = (text.split(maxsplit=1)[:1] for text in (*targets.commands, *readings, *inner))
    names = (first[0].strip("'\"").replace("\\", "/").rpartition("/")[2].casefold() for first in firsts if first)
    return any(name in ("callgate", "callgate.exe") for name in names) or bool(_OWN_COMMAND.search(targets.line))


def _guard_leaves(targets: Targets, given: Json, root: str, files: GuardedFiles, *, editing: bool = False) -> Targets:
    """What a tool does with its arguments is not known: one that is a guarded path may be written."""
    named_program, accepts = False, False
    for count, (text, in_content) in enumerate(_leaves(given)):
        is_content = editing and in_content  # of other tools it is not known what they do with a content
        if count == _MOST_LEAVES:
            return replace(targets, concerns=(*targets.concerns, "it has too many arguments to look through"))
        if is_content:
            continue
        for path in (text, *(patched_files(text) if is_patch(text) else ())):
            if guard := files.guard_of(path, root, replaced=False):
                return replace(targets, concerns=(*targets.concerns, guard.concern))
        named_program |= posixpath.basename(text.replace("\\", "/")).casefold() in ("callgate", "callgate.exe")
        accepts |= text == "accept" or _OWN_COMMAND.search(text) is not None
        if accepts and (named_program or text != "accept"):
            return replace(targets, concerns=(*targets.concerns, _OWN_PROGRAM))
    return targets


def _leaves(value: Json) -> Iterator[tuple[str, bool]]:
    """Every text, and whether it is what a file is to hold or to lose, rather than an instruction."""
    waiting: list[tuple[Json, bool]] = [(value, False)]
    while waiting:
        one, is_content = waiting.pop()
        if isinstance(one, str):
            yield one, is_content
        elif isinstance(one, Mapping):
            waiting += ((inner, is_content or key in CONTENT_ARGUMENTS) for key, inner in one.items())
            waiting += ((key, False) for key in one)
        elif isinstance(one, list):
            waiting += ((inner, is_content) for inner in one)


def _folder_of(given: Json, root: str) -> str:
    """Where a command line runs, as far as its arguments tell."""
    folder = next((text for key in FOLDER_ARGUMENTS for text in _texts(_under(given, key))), "")
    return posixpath.join(root, folder) if folder else root


# ---- shell lines ---------------------------------------------------------------------------------------------------


def _shell_targets(given: Json, arguments: str, root: str) -> Targets | None:
    if given is None and arguments.strip():
        # a free-form tool: its whole input is the line
        return _of_line(arguments, "", root, moved=False)
    if isinstance(given, str):
        return _of_line(given, "", root, moved=False)
    if not isinstance(given, Mapping):
        return None
    moved = any(_leads_out(_under(given, key), root) for key in FOLDER_ARGUMENTS)
    keys = [key for key in (*SHELL_ARGUMENTS, LINES_ARGUMENT) if given.get(key) is not None]
    if not keys:
        return None
    if len(keys) > 1:
        return Targets(concerns=(f"it has several commands, and which one runs is not known: {', '.join(keys)}",))
    found = _of_argument(given, keys[0], root, moved=moved)
    surroundings = (f"it sets '{key}' for the command" for key in SURROUNDING_ARGUMENTS if given.get(key))
    return replace(found, concerns=(*surroundings, *found.concerns))


def _of_argument(given: Mapping[str, Json], key: str, root: str, *, moved: bool) -> Targets:
    match given[key]:
        case list(lines) if key == LINES_ARGUMENT and lines and all(isinstance(line, str) for line in lines):
            return _of_lines([str(line) for line in lines], key, root, moved=moved)
        case str(line):
            return _of_line(line, key, root, moved=moved)
        case list(words) if words and all(isinstance(word, str) for word in words):
            return _of_argv([str(word) for word in words], key, root, moved=moved)
        case _:
            return Targets(concerns=(f"its {key} is neither text nor a list of words",))


def _of_line(line: str, argument: str, root: str, *, moved: bool) -> Targets:
    return _of_command(parse_command(line, root, moved=moved), argument)


def _of_lines(lines: Sequence[str], argument: str, root: str, *, moved: bool) -> Targets:
    """Lines that run one after the other, each by itself: joined, an open quote would hide the next one."""
    each = [_of_line(line, argument, root, moved=moved or bool(number)) for number, line in enumerate(lines)]
    return Targets(
        "\n".join(lines),
        argument,
        tuple(command for one in each for command in one.commands),
        tuple(reading for one in each for reading in one.readings),
        tuple(inner for one in each for inner in one.inner),
        tuple(dict.fromkeys(file for one in each for file in one.redirected)),
        tuple(dict.fromkeys(concern for one in each for concern in one.concerns)),
        writes=tuple(dict.fromkeys(path for one in each for path in one.writes)),
    )


def _of_argv(words: Sequence[str], argument: str, root: str, *, moved: bool) -> Targets:
    """A list of words runs without a shell, unless it is one that is given a script."""
    script = _script_of(words)
    if script is not None:
        return _of_line(script, argument, root, moved=moved)
    return _of_line(shlex.join(words), argument, root, moved=moved)


def _script_of(words: Sequence[str]) -> str | None:
    if posixpath.basename(words[0]) in _SHELLS and len(words) == 3 and re.fullmatch(r"-[a-z]*c", words[1]):
        return words[2]
    return None


def _of_command(command: ShellCommand, argument: str) -> Targets:
    readings: dict[str, dict[str, None]] = {}
    inner: dict[str, dict[InnerCommand, None]] = {}
    for part in command.parts:
        readings.setdefault(part.argv_text, {}).update(dict.fromkeys(part.readings))
        inner.setdefault(part.argv_text, {}).update(dict.fromkeys(part.inner))
    return Targets(
        command.line,
        argument,
        tuple(readings),
        tuple(map(tuple, readings.values())),
        tuple(map(tuple, inner.values())),
        command.files,
        command.concerns,
        writes=command.writes,
    )


def _leads_out(folder: Json, root: str) -> bool:
    if not isinstance(folder, str) or folder in ("", "."):
        return False
    return _placed(folder, root).startswith(("/", "~", ".."))


# ---- files ---------------------------------------------------------------------------------------------------------


def _edited(given: Json, arguments: str) -> Iterator[str]:
    for key in PATH_ARGUMENTS:
        yield from _texts(_under(given, key))
    for key in PATH_LISTS:
        items = _under(given, key)
        for item in items if isinstance(items, list) else ():
            yield from _texts(item)
            for inner in PATH_ARGUMENTS:
                yield from _texts(_under(item, inner))
    patches = [arguments] if given is None else [text for key in PATCH_ARGUMENTS for text in _texts(_under(given, key))]
    for patch in patches:
        yield from (found.strip() for found in _PATCHED.findall(patch))
        diffed = (side.strip() for pair in _DIFFED.findall(patch) for side in pair)
        renamed = _RENAMED.findall(patch) if "\nrename " in patch or "\ncopy " in patch else ()
        yield from (path for path in (*diffed, *renamed) if path != "/dev/null")


def _placed(path: str, root: str) -> str:
    """A path relative to the workspace if it is in it; without steps up, as far as that goes."""
    plain = collapsed(path.removeprefix("file://"))
    home = posixpath.normpath(root) if root else ""
    if home and (plain == home or plain.startswith(f"{home.rstrip('/')}/")):
        return plain[len(home.rstrip("/")) + 1 :] or "."
    return plain


# ---- addresses -----------------------------------------------------------------------------------------------------


def _fetched(urls: Sequence[str]) -> Targets:
    """An address that can be read in two ways asks: else it would slip past the rule against one of them."""
    places = tuple(dict.fromkeys(map(canonical_url, urls)))
    unsafe = (place.removeprefix(UNSAFE) for place in places if place.startswith(UNSAFE))
    return Targets(urls=places, concerns=tuple(f"an address that can be read in two ways: {url}" for url in unsafe))


# ---- arguments -----------------------------------------------------------------------------------------------------


def _under(value: Json, key: str) -> Json:
    return value.get(key) if isinstance(value, Mapping) else None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, str) and item:
                yield item
