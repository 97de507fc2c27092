"""Commands that run other commands: some only put something around one, some run any text that they are given."""

import posixpath
import re
from collections.abc import Iterator, Sequence


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRAPPERS = _names(
    "builtin busybox chroot command doas env exec flock ionice nice nohup parallel setsid stdbuf strace sudo time "
    "timeout unshare watch xargs"
)
_SHELLS = _names("ash bash dash fish ksh mksh sh zsh")
_RUNS_TEXT = _names("alias coproc eval trap")
_RESERVED = _names("! case do done elif else esac fi for function if in select then until while { } [[ ]]")
_MOVES = frozenset({"cd", "chdir", "popd", "pushd"})
_EXEC_FLAGS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_VALUE_LIKE = re.compile(r"[\d.]+[smhd]?|\{\}")


def name_of(words: Sequence[str]) -> str:
    """The program without its folder."""
    return posixpath.basename(words[0]) if words else ""


def changes_folder(words: Sequence[str]) -> bool:
    return name_of(words) in _MOVES


def execution_concern(words: Sequence[str]) -> str:
    """Why a command may run more than its text shows; empty = it does not."""
    name, rest = name_of(words), words[1:]
    if name in _RESERVED:
        return f"{name} where a command should be"
    if name in _RUNS_TEXT:
        return f"{name} runs text as a command"
    if name not in _SHELLS:
        return ""
    flags = [word for word in rest if word.startswith(("-", "+")) and not word.startswith("--")]
    if any("c" in flag or "s" in flag for flag in flags):
        return f"{name} runs text as commands"
    if all(word.startswith(("-", "+")) for word in rest) and "--version" not in rest and "--help" not in rest:
        return f"{name} runs what it is fed"
    return ""


def wrapped(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The commands that a command may run in turn. Rather one too many: only rules that deny or ask see them."""
    name = name_of(words)
    if name == "find":
        for index, word in enumerate(words):
            if word in _EXEC_FLAGS and words[index + 1 :]:
                yield words[index + 1 :]
    if name not in _WRAPPERS:
        return
    after_flag = False
    for index, word in enumerate(words[1:], 1):
        if word.startswith("-"):
            after_flag = True
        elif "=" not in word and not _VALUE_LIKE.fullmatch(word):
            yield words[index:]
            yield from wrapped(words[index:])
            if not after_flag:
                return
            after_flag = False
