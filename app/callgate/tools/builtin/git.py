"""Asking git about the workspace. Only looks: no hooks, no pager, no editor, no network, no lock taken.

A repository's own configuration can name programs that git would run (filters, diff drivers, signature checkers).
Whoever wrote it is a stranger, so each of them is switched off.
"""

import os
import threading
from collections.abc import Mapping

from callgate.tools.builtin.executables import Answer, find_executable, run_fixed
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.confinement import Confinement

GIT_SECONDS = 20.0
"""A status of a very large repository takes some seconds; longer than this it hangs."""
MOST_BYTES = 256 * 1024
_FIXED = (
    "--no-pager",
    "--literal-pathspecs",
    "--no-optional-locks",
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.sshCommand=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "color.ui=never"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "submodule.recurse=false"),
)
_PASSED_ON = ("PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP")
_ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
}


class Git:
    def __init__(self, workspace: Confinement, environ: Mapping[str, str] = os.environ) -> None:
        self._workspace = workspace
        # built up, not cut down: GIT_DIR and its like would lead to another repository
        self._environment = {name: environ[name] for name in _PASSED_ON if name in environ} | _ENVIRONMENT

    def ask(self, command: str, *arguments: str, stop: threading.Event) -> str:
        """What git answers; raises `ToolProblem` with its complaint."""
        answer = self._run((command, *arguments), stop, self._filters_off(stop))
        if answer.code != 0:
            raise ToolProblem(self._complaint(answer))
        return (
            f"{answer.output}\n[cut after {MOST_BYTES:,} bytes: narrow it with path]"
            if answer.is_cut
            else answer.output
        )

    def pathspec(self, path: str) -> tuple[str, ...]:
        """Limits a question to a path, at most to the workspace: the repository may begin above it."""
        return ("--", self._workspace.shown(self._workspace.resolve(path or ".")))

    def _run(
        self, arguments: tuple[str, ...], stop: threading.Event, settings: Mapping[str, str] | None = None
    ) -> Answer:
        program = find_executable("git", self._workspace, self._environment.get("PATH"))
        if program is None:
            raise ToolProblem("git is not installed on this machine")
        return run_fixed(
            (program, *_FIXED, *arguments),
            self._workspace.root,
            self._environment | _as_environment(settings or {}),
            seconds=GIT_SECONDS,
            most_bytes=MOST_BYTES,
            stop=stop,
        )

    def _filters_off(self, stop: threading.Event) -> dict[str, str]:
        """Settings that switch off the filters which the repository itself defines; the person's own (LFS) stay."""
        answer = self._run(("config", "--show-scope", "--includes", "--name-only", "--get-regexp", r"^filter\."), stop)
        if answer.code not in (0, 1):  # 1 = there are none
            raise ToolProblem(self._complaint(answer))
        off: dict[str, str] = {}
        for line in answer.output.splitlines():
            scope, _, key = line.partition("\t")
            if scope in ("local", "worktree"):
                off[key] = "false" if key.endswith(".required") else ""
        return off

    def _complaint(self, answer: Answer) -> str:
        errors = answer.errors.strip()
        if "not a git repository" in errors:
            return f"The workspace {self._workspace.root} is not a git repository"
        if "does not have any commits" in errors or "bad revision 'HEAD'" in errors:
            return "The repository has no commits yet"
        return f"git failed: {errors or f'exit code {answer.code}'}"


def _as_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings for git by environment: `-c` would cut a name that contains `=`."""
    out = {"GIT_CONFIG_COUNT": str(len(settings))} if settings else {}
    for index, (key, value) in enumerate(settings.items()):
        out |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": value}
    return out
