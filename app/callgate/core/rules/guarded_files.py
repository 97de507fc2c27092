"""Files that decide what runs or what is asked: whoever can write one can grant itself rights.

One table for built-in tools, MCP tools, the agents' own tools and command lines. A call that could write a guarded file
always asks and says why. Callgate's own files are never covered by a rule; the others only by a rule that names them.
Pure: paths are compared as text, links are followed by the caller (`tools.links`).
"""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from callgate.core.glob import collapsed, glob_pattern

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
        "claude-code/managed-settings.json",
        "claude-code/managed-mcp.json",
        "claude_desktop_config.json",
    ),
    "it configures Codex": (
        ".codex/config.toml",
        ".codex/auth.json",
        ".codex/hooks.json",
        ".codex/hooks/**",
        ".codex/rules/**",
        ".codex/skills/**",
    ),
    "it configures Gemini CLI": (
        ".gemini/settings.json",
        ".gemini/trustedFolders.json",
        ".gemini/.env",
        ".gemini/hooks/**",
        ".gemini/commands/**",
        ".gemini/extensions/**",
        ".gemini/policies/**",
    ),
    "it configures Cursor": (
        ".cursor/mcp.json",
        ".cursor/hooks.json",
        ".cursor/hooks/**",
        ".cursor/cli.json",
        ".cursor/cli-config.json",
        ".cursor/permissions.json",
        ".cursor/environment.json",
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
        ".gitconfig",
        ".config/git/**",
        ".githooks/**",
        ".husky/**",
        "etc/gitconfig",
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

_OWN_TABLE: Final = ("callgate.toml", ".config/callgate/**", *(f"callgate/{name}" for name in OWN_NAMES))
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
        flat = _flat(path, folder, self.home)
        if flat is None:
            return None
        for own in _flat_all(self.own):
            if flat == own or flat.startswith(f"{own}/") or (replaced and own.startswith(f"{flat.rstrip('/')}/")):
                return Guard(path, _OWN_WORDS, own=True)
        words = _words_of(flat)
        return Guard(path, words, own=words == _OWN_WORDS) if words else None

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
    plain = path.removeprefix("file://").replace("\\", "/")
    if home and (plain == "~" or plain.startswith("~/")):
        plain = home + plain[1:]
    if folder and not plain.startswith(("/", "~")):
        plain = posixpath.join(folder, plain)
    steps = [_step(step) for step in collapsed(plain).split("/")]
    return "/".join(steps).rstrip("/") or "/"


def _step(step: str) -> str:
    name = step.casefold().partition(":")[0] or step.casefold()  # NTFS: `.git::$INDEX_ALLOCATION` is .git
    if name.strip(". "):
        name = name.rstrip(". ")
    return ".git" if name == "git~1" else name


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
    | {"/etc/xdg", ".codeium"}
)
"""Folders that hold much else: a path to one of them alone says nothing."""

_PATTERNS: Final = (
    (_OWN_WORDS, _pattern(_OWN_TABLE)),
    *((words, _pattern(globs)) for words, globs in TABLE.items()),
)


@lru_cache(maxsize=2048)
def _words_of(flat: str) -> str:
    return next((words for words, pattern in _PATTERNS if pattern.fullmatch(flat)), "")
