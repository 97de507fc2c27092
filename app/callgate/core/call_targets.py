"""What a call would reach: the commands of a shell line, the files that it changes, the addresses that it fetches.

Told from the tool's tags where it has some, else from its name: the tools that agents bring along say nothing of
themselves. Being taken for a shell makes a call stricter to allow, so a doubtful name counts as one. Pure.
"""

import posixpath
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from callgate.core.glob import collapsed
from callgate.core.messages import Json
from callgate.core.shell import ShellCommand, SubCommand, parse_command
from callgate.core.web_url import canonical_url

TARGET_FIELDS = frozenset({"command", "line", "edits", "urls"})

_SHELL_NAMES = frozenset(
    "bash bashcommand cmd exec execcommand execute executebash executecommand executeshell executeshellcommand "
    "localshell localshellcall powershell pwsh runbash runcommand runinterminal runshell runshellcommand runterminal "
    "runterminalcmd runterminalcommand sh shell shellcommand shellexec terminal terminalcommand zsh".split()
)
_FOREIGN_SHELLS = frozenset({"cmd", "powershell", "pwsh"})
"""They read quotes and backslashes in their own way."""
_SHELL_ARGUMENTS = ("command", "cmd", "commandLine", "command_line")
_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_FOLDER_ARGUMENTS = ("cwd", "workdir", "directory", "working_directory", "workingDirectory", "dir_path")

_EDIT_NAMES = frozenset(
    "applydiff applypatch copypath create createdirectory createfile delete deletefile deletepath edit editfile "
    "editfiles editnotebook insertedit inserteditintofile movefile movepath multiedit multireplacestringinfile notebookedit patch renamefile replace "
    "replaceinfile replacestringinfile searchreplace strreplace strreplacebasededittool strreplaceeditor "
    "restorefilefromdisk savefile undofilechange write writefile writetofile".split()
)
_PATH_ARGUMENTS = (
    "path",
    "new_path",
    "file_path",
    "filePath",
    "notebook_path",
    "target_file",
    "absolute_path",
    "dirPath",
    "source",
    "destination",
    "old_path",
    "source_path",
    "destination_path",
)
_PATH_LISTS = ("files", "edits", "replacements", "paths")
_PATCH_ARGUMENTS = ("patch", "input", "diff")
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)

_FETCH_NAMES = frozenset(
    "browse fetch fetchurl fetchwebpage geturl httpget openurl readurl urlfetch webfetch webget".split()
)
_URL_ARGUMENTS = ("url", "urls", "uri", "href")


@dataclass(frozen=True, slots=True)
class Targets:
    line: str = ""
    """The whole shell line."""
    argument: str = ""
    """The argument that holds it."""
    commands: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Other ways to see the commands; only rules that deny or ask look at them."""
    concerns: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    """Relative to the workspace where they are in it."""
    urls: tuple[str, ...] = ()
    """In one uniform spelling."""


def runs_commands(tool: str, tags: Collection[str] = ()) -> bool:
    """Whether calls of a tool may hold a shell line."""
    return "terminal" in tags or _bare(tool) in _SHELL_NAMES


def reached_fields(tool: str, tags: Collection[str] = ()) -> frozenset[str]:
    """The fields of `Targets` that calls of a tool may fill, as rules name them."""
    if runs_commands(tool, tags):
        return TARGET_FIELDS
    if _edits_files(tool, tags):
        return frozenset({"edits"})
    return frozenset({"urls"}) if _fetches(tool, tags) else frozenset()


def _edits_files(tool: str, tags: Collection[str]) -> bool:
    return _bare(tool) in _EDIT_NAMES or ("files" in tags and "write" in tags)


def _fetches(tool: str, tags: Collection[str]) -> bool:
    return _bare(tool) in _FETCH_NAMES or "web" in tags


def targets_of(tool: str, arguments: str, tags: Collection[str] = (), root: str = "") -> Targets:
    """`root` is the workspace; empty = unknown, as for tools that an agent runs itself."""
    given = _loaded(arguments)
    if runs_commands(tool, tags):
        found = _shell_targets(given, arguments, root)
        if found is not None:
            foreign = (f"{tool} is no shell whose lines can be taken apart",) if _bare(tool) in _FOREIGN_SHELLS else ()
            return replace(found, concerns=(*foreign, *found.concerns))
    if _edits_files(tool, tags):
        paths = dict.fromkeys(_edited(given, arguments))
        return Targets(edits=tuple(_placed(path, root) for path in paths))
    if _fetches(tool, tags):
        urls = (text for key in _URL_ARGUMENTS for text in _texts(_under(given, key)))
        return Targets(urls=tuple(dict.fromkeys(map(canonical_url, urls))))
    return Targets()


def _bare(tool: str) -> str:
    """`mcp__dev__run_shell` and `Run-Shell` are both runshell."""
    last = re.split(r"__|[./:]", tool)[-1]
    return re.sub(r"[_\-\s]", "", last).casefold()


# ---- shell lines ---------------------------------------------------------------------------------------------------


def _shell_targets(given: Json, arguments: str, root: str) -> Targets | None:
    if given is None and arguments.strip():
        # a free-form tool: its whole input is the line
        return _of_line(arguments, "", root, moved=False)
    if isinstance(given, str):
        return _of_line(given, "", root, moved=False)
    if not isinstance(given, Mapping):
        return None
    moved = any(_leads_out(_under(given, key), root) for key in _FOLDER_ARGUMENTS)
    for key in _SHELL_ARGUMENTS:
        match given.get(key):
            case str(line):
                return _of_line(line, key, root, moved=moved)
            case list(words) if words and all(isinstance(word, str) for word in words):
                return _of_argv([str(word) for word in words], key, root, moved=moved)
            case _:
                pass
    return None


def _of_line(line: str, argument: str, root: str, *, moved: bool) -> Targets:
    return _of_command(parse_command(line, root, moved=moved), argument)


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
    parts: tuple[SubCommand, ...] = command.parts
    return Targets(
        command.line,
        argument,
        tuple(dict.fromkeys(part.argv_text for part in parts)),
        command.readings,
        command.concerns,
    )


def _leads_out(folder: Json, root: str) -> bool:
    if not isinstance(folder, str) or folder in ("", "."):
        return False
    return _placed(folder, root).startswith(("/", "~", ".."))


# ---- files ---------------------------------------------------------------------------------------------------------


def _edited(given: Json, arguments: str) -> Iterator[str]:
    for key in _PATH_ARGUMENTS:
        yield from _texts(_under(given, key))
    for key in _PATH_LISTS:
        items = _under(given, key)
        for item in items if isinstance(items, list) else ():
            yield from _texts(item)
            for inner in _PATH_ARGUMENTS:
                yield from _texts(_under(item, inner))
    patches = (
        [arguments] if given is None else [text for key in _PATCH_ARGUMENTS for text in _texts(_under(given, key))]
    )
    for patch in patches:
        yield from (found.strip() for found in _PATCHED.findall(patch))


def _placed(path: str, root: str) -> str:
    """A path relative to the workspace if it is in it; without steps up, as far as that goes."""
    plain = collapsed(path.removeprefix("file://"))
    home = posixpath.normpath(root) if root else ""
    if home and (plain == home or plain.startswith(f"{home.rstrip('/')}/")):
        return plain[len(home.rstrip("/")) + 1 :] or "."
    return plain


# ---- arguments -----------------------------------------------------------------------------------------------------


def _loaded(arguments: str) -> Json:
    try:
        return orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return None


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
