"""Files that decide what runs or what is asked: whoever can write one can grant itself rights.

One table for built-in tools, MCP tools, the agents' own tools and command lines. A call that could write a guarded file
always asks and says why. Callgate's own files are never covered by a rule; the others only by a rule that names them.
Pure: paths are compared as text, links are followed by the caller (`tools.links`).
"""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from callgate.core.rules.glob import collapsed, glob_pattern

_OWN_WORDS: Final = "it is one of Callgate's own files"

TABLE: Final[dict[str, tuple[str, ...]]] = {
    "it configures Claude Code": (
        ".claude.json",
        ".mcp.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".claude/hooks/**",
        ".claude/commands/**",
        ".claude/agents/**",
        ".claude/skills/**",
        ".claude/plugins/**",
        ".claude/.credentials.json",
        "claude-code/managed-settings.json",
        "claude-code/managed-settings.d/**",
        "claude-code/managed-mcp.json",
        "claudecode/managed-settings.json",
        "claudecode/managed-settings.d/**",
        "claudecode/managed-mcp.json",
        "claude_desktop_config.json",
    ),
    "it configures Codex": (
        ".codex/config.toml",
        ".codex/auth.json",
        ".codex/hooks.json",
        ".codex/hooks/**",
        ".codex/rules/**",
        ".codex/skills/**",
        "/etc/codex/**",
    ),
    "it configures Gemini CLI": (
        ".gemini/settings.json",
        ".gemini/trustedFolders.json",
        ".gemini/.env",
        ".gemini/hooks/**",
        ".gemini/commands/**",
        ".gemini/extensions/**",
        ".gemini/policies/**",
        ".gemini/mcp-oauth-tokens.json",
        "/etc/gemini-cli/**",
    ),
    "it configures Cursor": (
        ".cursor/mcp.json",
        ".cursor/hooks.json",
        ".cursor/hooks/**",
        ".cursor/cli.json",
        ".cursor/cli-config.json",
        ".cursor/permissions.json",
        ".cursor/environment.json",
        ".cursor/worktrees.json",
        "cursor/user/*.json",
    ),
    "it configures VS Code": (
        ".vscode/settings.json",
        ".vscode/mcp.json",
        ".vscode/tasks.json",
        ".vscode/launch.json",
        ".vscode/*.toolsets.jsonc",
        "*.code-workspace",
        "*.toolsets.jsonc",
        ".devcontainer.json",
        ".devcontainer/**",
        "code/user/**/*.json",
        "code/user/**/*.jsonc",
        "code - insiders/user/**/*.json",
        "code - insiders/user/**/*.jsonc",
        "code - oss/user/**/*.json",
        "code - oss/user/**/*.jsonc",
        "windsurf/user/**/*.json",
        ".vscode-server*/data/**/*.json",
        "vscodium/user/**/*.json",
        "vscodium/user/**/*.jsonc",
    ),
    "it configures another agent": (
        ".continue/config.*",
        ".continue/mcpservers/**",
        ".copilot/config.json",
        ".copilot/mcp-config.json",
        ".github/hooks/**",
        ".opencode/**",
        "opencode.json",
        "opencode.jsonc",
        ".qwen/settings.json",
        ".windsurf/hooks.json",
        ".windsurf/mcp_config.json",
        ".codeium/windsurf/mcp_config.json",
        ".roo/mcp.json",
        ".kilocode/mcp.json",
        ".amazonq/mcp.json",
        ".amazonq/cli-agents/**",
        ".kiro/settings/**",
        ".kiro/hooks/**",
        ".factory/mcp.json",
        ".factory/settings.json",
        ".config/goose/**",
        ".aider.conf.yml",
        ".zed/settings.json",
        ".zed/tasks.json",
        ".config/zed/**",
    ),
    "Git runs programs that it names": (
        ".git/config",
        ".git/config.worktree",
        ".git/hooks/**",
        ".git/info/attributes",
        ".git/modules/**/config",
        ".git/modules/**/hooks/**",
        ".git/worktrees/**/config.worktree",
        "*.git/config",
        "*.git/hooks/**",
        ".gitconfig",
        ".config/git/**",
        ".githooks/**",
        ".husky/**",
        "/etc/gitconfig",
        ".pre-commit-config.yaml",
        "lefthook.yml",
        "lefthook.yaml",
        "lefthook-local.yml",
        ".lefthook/**",
        ".lefthook.yml",
        ".lintstagedrc*",
        "lint-staged.config.*",
    ),
    "package managers run programs that it names": (
        ".npmrc",
        ".yarnrc",
        ".yarnrc.yml",
        ".cargo/config",
        ".cargo/config.toml",
        ".config/pip/**",
        ".pip/pip.conf",
        ".pypirc",
        "pip.conf",
        ".config/uv/**",
        ".pnpmfile.cjs",
        "bunfig.toml",
        ".yarn/releases/**",
        ".yarn/plugins/**",
        ".bundle/config",
        ".condarc",
        ".m2/settings.xml",
        ".mvn/**",
        ".gradle/init.gradle",
        ".gradle/init.d/**",
    ),
    "Python runs it whenever it starts": ("sitecustomize.py", "usercustomize.py", "site-packages/*.pth"),
    "programs are found there by their name": (".local/bin/**",),
    "other programs run commands that it names": (
        ".vimrc",
        ".vim/**",
        ".config/nvim/**",
        ".emacs",
        ".emacs.d/**",
        ".tmux.conf",
        ".config/tmux/**",
        ".gnupg/**",
        ".docker/config.json",
        ".kube/config",
        ".aws/config",
        ".aws/credentials",
        ".netrc",
        ".git-credentials",
    ),
    "shells run it when they start": (
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".cshrc",
        ".tcshrc",
        ".login",
        ".inputrc",
        ".envrc",
        ".direnvrc",
        ".config/direnv/**",
        ".mise.toml",
        "mise.toml",
        ".mise/**",
        ".config/mise/**",
        ".pam_environment",
        ".xinitrc",
        ".xprofile",
        ".xsession",
        ".xsessionrc",
        ".config/fish/**",
        ".config/environment.d/**",
        ".config/powershell/**",
        "*profile.ps1",
        "/etc/profile",
        "/etc/profile.d/**",
        "/etc/bash.bashrc",
        "/etc/zsh/**",
        "/etc/fish/**",
        "/etc/environment",
    ),
    "it decides who can log in": (".ssh/**", "/etc/ssh/**", "/etc/sudoers", "/etc/sudoers.d/**", "/etc/pam.d/**"),
    "it makes programs start by themselves": (
        ".config/autostart/**",
        ".config/plasma-workspace/**",
        ".local/share/applications/**",
        ".local/share/dbus-1/**",
        ".config/systemd/**",
        ".local/share/systemd/**",
        "/etc/cron*/**",
        "/etc/crontab",
        "/etc/anacrontab",
        "/var/spool/cron/**",
        "/etc/systemd/**",
        "/lib/systemd/**",
        "/usr/lib/systemd/**",
        "/etc/init.d/**",
        "/etc/rc.local",
        "/etc/xdg/autostart/**",
        "/etc/ld.so.preload",
        "library/launchagents/**",
        "library/launchdaemons/**",
        "start menu/programs/startup/**",
    ),
}
"""Why → globs over the last steps of a path, or, beginning with `/`, over a whole path. Compared without case."""

OWN_NAMES: Final = (
    "rules.toml",
    "sources.json",
    "endpoints.json",
    "registered-tools.json",
    "switches.json",
    "agents.json",
    "origins.json",
    "accepted.json",
    "callgate.db",
    "callgate.db-wal",
    "callgate.db-shm",
    "callgate.lock",
)
"""Files of the data folder by which more than the journal can be changed."""

_OWN_TABLE: Final = (
    "callgate.toml",
    ".config/callgate/**",
    "callgate-trust/**",
    *(f"callgate/{name}" for name in OWN_NAMES),
)
"""The usual places. Where the data folder and the configuration really are, `GuardedFiles.own` says."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Why a file is guarded."""

    path: str
    words: str
    own: bool = False
    """One of Callgate's own: no rule covers it."""

    @property
    def concern(self) -> str:
        return f"it could write {self.path}, and {self.words}"


@dataclass(frozen=True, slots=True)
class GuardedFiles:
    """The table, with the places of this run."""

    own: tuple[str, ...] = ()
    """Whole paths of Callgate's own files and folders, without links."""
    home: str = ""
    """What `~` stands for."""

    @classmethod
    def around(cls, workspace: str, own: Iterable[str], home: str) -> "GuardedFiles":
        """Where a workspace lies within one of Callgate's own folders, only that folder's files by name are guarded."""
        places: list[str] = []
        for place in own:
            holds_workspace = f"{workspace}/".startswith(f"{place.rstrip('/')}/")
            places += [posixpath.join(place, name) for name in OWN_NAMES] if holds_workspace else [place]
        return cls(tuple(places), home)

    def guard_of(self, path: str, folder: str = "", *, replaced: bool = True) -> Guard | None:
        """Why a path is guarded; None = it is an ordinary file. A relative path begins in `folder`.

        `replaced`: the path itself may be deleted, moved or replaced, so a folder above Callgate's own counts too.
        """
        for spelling in _spellings(path):
            flat = _flat(spelling, folder, self.home)
            if flat is None:
                continue
            for own in _flat_all(self.own):
                if flat == own or flat.startswith(f"{own}/") or (replaced and own.startswith(f"{flat.rstrip('/')}/")):
                    return Guard(path, _OWN_WORDS, own=True)
            if words := _words_of(flat) or _words_of_glob(flat):
                return Guard(path, words, own=words == _OWN_WORDS)
        return None

    def named_in(self, text: str) -> Guard | None:
        """The first of Callgate's own files that a command line names, wherever in it."""
        return next((Guard(own, _OWN_WORDS, own=True) for own in self.own if own and own in text), None) or (
            Guard("callgate.toml", _OWN_WORDS, own=True) if _OWN_NAMES.search(text) else None
        )


_OWN_NAMES: Final = re.compile(r"(?i)(?<![\w-])callgate\.toml\b|callgate\b.*(?<![\w-])rules\.toml\b", re.DOTALL)
_LONGEST: Final = 4096
"""Characters of a path on the systems that matter; a longer text is no path."""


@lru_cache(maxsize=16)
def _flat_all(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(flat for path in paths if (flat := _flat(path, "", "")))


def _flat(path: str, folder: str, home: str) -> str | None:
    """A path as file systems that ignore case, trailing dots and short names would find it; None = it is no path."""
    if not path or len(path) > _LONGEST or "\n" in path:
        return None
    plain = _DRIVE.sub(r"\1:/", _SCHEME.sub("", path).replace("\\", "/"))
    if home and (plain == "~" or plain.startswith("~/")):
        plain = home + plain[1:]
    if folder and not plain.startswith(("/", "~")):
        plain = posixpath.join(folder, plain)
    steps = [_step(step) for step in collapsed(plain).split("/")]
    return "/".join(steps).rstrip("/") or "/"


_SCHEME: Final = re.compile(r"(?i)^(?:file|vscode-notebook-cell|vscode-file):(?://(?:localhost(?=/))?)?")
_DRIVE: Final = re.compile(r"^([A-Za-z]):(?=[^/])")
"""`C:.git` is relative to where that drive is."""
_MOST_BRACES: Final = 64
_BRACES: Final = re.compile(r"\{([^{}]*,[^{}]*)\}")


def _spellings(path: str) -> Iterator[str]:
    """A path, and what it becomes for a program that cleans it up, decodes it, or takes it for a pattern."""
    if len(path) > _LONGEST or "\n" in path.strip():
        return
    seen: dict[str, None] = {path: None}
    clean = "".join(char for char in path.strip() if unicodedata.category(char) != "Cf" or char == "\n")
    for other in (path.strip(), clean, clean.partition("\0")[0], unicodedata.normalize("NFKC", clean)):
        seen.setdefault(other)
        if "%" in other:
            seen.setdefault(unquote(other))
    waiting = [one for one in seen if "{" in one and len(one) <= _LONGEST]
    while waiting and len(seen) < _MOST_BRACES:
        one = waiting.pop()
        if found := _BRACES.search(one):
            for choice in found[1].split(","):
                fresh = one[: found.start()] + choice + one[found.end() :]
                if fresh not in seen:
                    seen[fresh] = None
                    waiting.append(fresh)
    yield from seen


def _step(step: str) -> str:
    name = step.casefold().partition(":")[0] or step.casefold()  # NTFS: `.git::$INDEX_ALLOCATION` is .git
    if name.strip(". "):
        name = name.rstrip(". ")
    return _SHORT_NAMES.get(name, name) if "~" in name else name


def _short_name(step: str) -> str:
    """The name of eight letters that Windows gives a longer one: `.claude` is also `CLAUDE~1`."""
    base, _, end = step.lstrip(".").partition(".")
    return f"{base[:6]}~1" + (f".{end[:3]}" if end else "")


_SHORT_NAMES: Final = {
    _short_name(step): step
    for globs in TABLE.values()
    for glob in globs
    for step in glob.casefold().split("/")
    if step.startswith(".") and "*" not in step
}


def _pattern(globs: Iterable[str]) -> re.Pattern[str]:
    """One expression for many globs; a folder on the way to a guarded file counts too, as it can be replaced whole."""
    found: dict[str, None] = {}
    for glob in globs:
        for one in (glob.casefold(), *_folders(glob.casefold())):
            anchored = one.startswith("/")
            tail = one[1:] if anchored else one
            found[("/" if anchored else "(?:.*/)?") + glob_pattern(tail if "/" in tail else f"**/{tail}")] = None
    return re.compile("|".join(found))


def _folders(glob: str) -> list[str]:
    """The folders that belong to a guarded file alone: `.vscode` of `.vscode/tasks.json`, not `.config` or `/etc`."""
    steps = glob.removesuffix("/**").split("/")
    heads = ["/".join(steps[:count]) for count in range(1, len(steps) + int(glob.endswith("/**")))]
    return [head for head in heads if head.strip("/") and head not in _SHARED and "*" not in head]


_SHARED: Final = frozenset(
    {".config", ".local", ".local/share", ".github", "callgate", "library", "start menu", "start menu/programs"}
    | {"code", "code/user", "cursor", "cursor/user", "vscodium", "vscodium/user", "code - insiders"}
    | {"code - insiders/user", "claude-code", "etc", "/etc", "/var", "/var/spool", "/lib", "/usr", "/usr/lib"}
    | {"/etc/xdg", ".codeium", "code - oss", "code - oss/user", "windsurf", "windsurf/user", "claudecode"}
    | {"site-packages", ".yarn", ".aws", ".kube", ".docker"}
)
"""Folders that hold much else: a path to one of them alone says nothing."""

_PATTERNS: Final = (
    (_OWN_WORDS, _pattern(_OWN_TABLE)),
    *((words, _pattern(globs)) for words, globs in TABLE.items()),
)


_DOTTED: Final = tuple(
    (words, tuple(one.strip("/").split("/")))
    for words, globs in TABLE.items()
    for glob in globs
    for one in (glob.casefold().replace("**", "any").replace("*", "any"),)
    if one.startswith(".") or "/." in one
)
"""Guarded files with a name that begins with a dot, which a pattern must name: `*` alone does not match one."""


@lru_cache(maxsize=2048)
def _words_of_glob(flat: str) -> str:
    """Why a pattern is guarded: it may stand for a guarded file."""
    if not any(mark in flat for mark in "*?["):
        return ""
    steps = flat.split("/")
    return next((words for words, names in _DOTTED if _may_be(steps, names)), "")


def _may_be(steps: list[str], names: tuple[str, ...]) -> bool:
    """Whether the last steps of a pattern fit a guarded file, or a folder that leads to it."""
    for count in range(1, len(names) + 1):
        tail = steps[-count:]
        if len(tail) < count or not any(mark in "".join(tail) for mark in "*?["):
            continue
        pairs = list(zip(tail, names[:count], strict=True))
        dotted = any(name.startswith(".") for name in names[:count]) and "/".join(names[:count]) not in _SHARED
        if (
            dotted
            and all(name == "any" or name.startswith(".") <= step.startswith((".", "[")) for step, name in pairs)
            and all(name == "any" or fnmatchcase(name, step) for step, name in pairs)
        ):
            return True
    return False


@lru_cache(maxsize=2048)
def _words_of(flat: str) -> str:
    return next((words for words, pattern in _PATTERNS if pattern.fullmatch(flat)), "")
