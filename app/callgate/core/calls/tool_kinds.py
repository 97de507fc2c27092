"""Which tools run shell lines, change files or fetch addresses, and in which arguments they say so.

Told from a tool's tags where it has some, else from its name: the tools that agents bring along say nothing of
themselves. Being taken for a shell makes a call stricter to allow, so a doubtful name counts as one.
"""

import re
from collections.abc import Collection

TARGET_FIELDS = frozenset({"command", "line", "edits", "urls"})
"""The fields of expressions that only such tools have."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SHELLS = _names(
    "bash bashcommand cmd exec execcommand execute executebash executecommand executeshell executeshellcommand "
    "localshell localshellcall powershell pwsh runbash runcommand runinterminal runshell runshellcommand runterminal "
    "runterminalcmd runterminalcommand sh shell shellcommand shellexec terminal terminalcommand zsh"
)
_FOREIGN_SHELLS = _names("cmd powershell pwsh")
_EDITORS = _names(
    "applydiff applypatch copypath create createdirectory createfile delete deletefile deletepath edit editfile "
    "editfiles editnotebook insertedit inserteditintofile movefile movepath multiedit multireplacestringinfile "
    "notebookedit patch renamefile replace replaceinfile replacestringinfile restorefilefromdisk savefile "
    "searchreplace strreplace strreplacebasededittool strreplaceeditor undofilechange write writefile writetofile"
)
_READERS = _names(
    "askuserquestion codebasesearch directorytree filesearch findfiles getchangedfiles geterrors getfileinfo glob "
    "globfilesearch grep grepsearch listalloweddirectories listcode "
    "listdir listdirectory listfiles listmcpresources ls notebookread read readdirectory readfile readfiles "
    "readmanyfiles readmcpresource readmediafile readmultiplefiles readtextfile ripgrep search searchcode "
    "searchfilecontent searchfiles searchtext semanticsearch toolsearch view viewfile viewimage"
)
_FETCHERS = _names("browse fetch fetchurl fetchwebpage geturl httpget openurl readurl urlfetch webfetch webget")

SHELL_ARGUMENTS = ("command", "cmd", "commandLine", "command_line")
LINES_ARGUMENT = "commands"
"""Several lines, each run by itself."""
SURROUNDING_ARGUMENTS = ("env", "user")
"""What makes the same line do something else: variables, and who runs it."""
FOLDER_ARGUMENTS = ("cwd", "workdir", "directory", "working_directory", "workingDirectory", "dir_path")
PATH_ARGUMENTS = (
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
PATH_LISTS = ("files", "edits", "replacements", "paths")
CONTENT_ARGUMENTS = _names(
    "content contents text old_string new_string oldString newString old_str new_str oldText newText new_source "
    "file_text insert_text body message data code replacement"
)
"""What a file is to hold, or to lose."""
PATCH_ARGUMENTS = ("patch", "input", "diff")
URL_ARGUMENTS = ("url", "urls", "uri", "href")


def runs_commands(tool: str, tags: Collection[str] = ()) -> bool:
    """Whether calls of a tool may hold a shell line."""
    return "terminal" in tags or _bare(tool) in _SHELLS


def is_foreign_shell(tool: str) -> bool:
    """Whether its lines are not those of a POSIX shell: it reads quotes and backslashes in its own way."""
    return _bare(tool) in _FOREIGN_SHELLS


def edits_files(tool: str, tags: Collection[str] = ()) -> bool:
    return _bare(tool) in _EDITORS or ("files" in tags and "write" in tags)


def fetches(tool: str, tags: Collection[str] = ()) -> bool:
    return _bare(tool) in _FETCHERS or "web" in tags


def only_reads(tool: str, tags: Collection[str] = ()) -> bool:
    """Whether a name or a tag says that calls change nothing. Of the agents' own tools the name is all there is."""
    return "read-only" in tags or _bare(tool) in _READERS


def reached_fields(tool: str, tags: Collection[str] = ()) -> frozenset[str]:
    """Those of `TARGET_FIELDS` that calls of a tool may have."""
    if runs_commands(tool, tags):
        return TARGET_FIELDS
    if edits_files(tool, tags):
        return frozenset({"edits"})
    return frozenset({"urls"}) if fetches(tool, tags) else frozenset()


def _bare(tool: str) -> str:
    """`mcp__dev__run_shell` and `Run-Shell` are both runshell."""
    last = re.split(r"__|[./:]", tool)[-1]
    return re.sub(r"[_\-\s]", "", last).casefold()
