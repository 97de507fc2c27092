"""What of a command line a person should look at twice, command by command, and why. Pure: words, not verdicts.

It says what is known to do harm; saying nothing does not mean that a command is harmless. Rules decide without it.
"""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.shell import SubCommand, parse_command
from callgate.core.shell.hidden import hidden_in
from callgate.core.shell.wrappers import execution_concern, name_of, wrapped


@dataclass(frozen=True, slots=True)
class Risk:
    words: str
    """The end of the sentence “this …”."""
    grave: bool = True
    """False: worth knowing, and often meant."""


@dataclass(frozen=True, slots=True)
class CommandStep:
    """One command of a line."""

    text: str
    risks: tuple[Risk, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandOutline:
    """A line taken apart; where that can't be done, the steps are a guess and `concerns` says why."""

    steps: tuple[CommandStep, ...]
    concerns: tuple[str, ...] = ()
    """What is true of the line as a whole: why rules alone can't allow it."""


def outline(line: str, folder: str = "") -> CommandOutline:
    """`folder`: the workspace that it runs in; empty = unknown, and then no path is said to be outside of it."""
    command = parse_command(line, folder)
    concerns = command.concerns
    if not folder:
        # without a workspace to compare with, an absolute path is no news
        concerns = tuple(concern for concern in concerns if not concern.startswith("a redirection out of"))
        concerns += tuple(f"it writes to a file: {path}" for path in _written(line))
    steps = tuple(_step(part, folder) for part in command.parts)
    said = {f"{name_of(step.text.split(' '))} {risk.words}" for step in steps for risk in step.risks}
    return CommandOutline(steps, tuple(concern for concern in concerns if concern not in said))


def _step(part: SubCommand, folder: str) -> CommandStep:
    risks = (risk for words in (part.words, *wrapped(part.words)) for risk in _risks(words))
    outside = _outside(part.words, folder)
    return CommandStep(part.argv_text, tuple(dict.fromkeys((*risks, *outside))))


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ROOT: Final = _names("doas pkexec run0 su sudo")
_DESTROYS: Final = _names("dd fdisk mkswap parted shred sfdisk wipefs")
_REACHES: Final = _names(
    "aria2c curl dig ftp git-lfs http https lftp nc ncat netcat nslookup openssl ping rclone rsync scp sftp ssh socat "
    "telnet wget whois"
)
_INSTALLS: Final = _names("apt apt-get brew cargo conda dnf gem go npm npx pacman pip pip3 pipx pnpm snap uv yarn yum")
_INSTALL_WORDS: Final = _names("add create dlx exec get i install run tool x")
_STOPS: Final = _names("halt kill killall pkill poweroff reboot shutdown")
_SERVICES: Final = _names("launchctl service systemctl")
_LATER: Final = _names("at batch crontab")
_GIT_NETWORK: Final = _names("clone fetch ls-remote pull push")
_SECRETS: Final = (".ssh", ".gnupg", ".aws", ".netrc", ".kube", ".docker/config.json", ".env", "id_rsa", "id_ed25519")
_SHOWN: Final = 60
_HARMLESS: Final = _names("/dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty")


def _risks(words: Sequence[str]) -> Iterator[Risk]:
    name, rest = name_of(words), words[1:]
    if name in _ROOT:
        yield Risk("runs as the administrator")
    yield from _about_files(name, rest)
    yield from _about_git(name, rest)
    if name in _REACHES:
        yield Risk("reaches the network", grave=False)
    if name in _INSTALLS and any(word in _INSTALL_WORDS for word in rest):
        yield Risk("may install or run software from the network", grave=False)
    if name in _STOPS:
        yield Risk("stops programs or the computer")
    if name in _SERVICES:
        yield Risk("changes services of the system", grave=False)
    if name in _LATER:
        yield Risk("makes something run later")
    if name in ("source", "."):
        yield Risk("runs a file in this very shell", grave=False)
    concern = execution_concern(words)
    if concern:
        yield Risk(concern.removeprefix(f"{name} "))
    for found in hidden_in(name, words):
        if found.kind == "command":
            yield Risk(f"runs another command: {_cut(found.text)}")
        elif found.kind == "code":
            yield Risk(f"runs what its text says: {_cut(found.text)}", grave=False)
    secret = next((word for word in rest if any(_is_within(word, mark) for mark in _SECRETS)), "")
    if secret:
        yield Risk(f"touches a place where secrets are kept: {secret}")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _about_files(name: str, rest: Sequence[str]) -> Iterator[Risk]:
    if name in ("rm", "unlink", "del", "rmdir"):
        deep = name == "rm" and (_short(rest, "rR") or "--recursive" in rest)
        forced = _short(rest, "f") or "--force" in rest
        what = "deletes folders with all that is in them" if deep else "deletes files"
        yield Risk(f"{what} without asking" if forced else what, grave=deep or forced)
    elif name == "find" and "-delete" in rest:
        yield Risk("deletes every file that it finds")
    elif name in _DESTROYS or name.startswith("mkfs"):
        yield Risk("overwrites data for good")
    elif name == "truncate" or (name == "tee" and not _short(rest, "a")):
        yield Risk("overwrites files", grave=False)
    elif name in ("mv", "cp") and (_short(rest, "f") or "--force" in rest):
        yield Risk("overwrites files without asking", grave=False)
    elif name in ("chmod", "chown", "chgrp") and (_short(rest, "R") or "--recursive" in rest):
        yield Risk("changes who may use a whole folder")
    elif name == "chmod" and any(word in ("777", "666", "a+w", "o+w", "+s", "u+s") for word in rest):
        yield Risk("lets everybody change a file, or run it as its owner")
    elif name == "sed" and any(word.startswith("-i") or word == "--in-place" for word in rest):
        yield Risk("changes files in place", grave=False)


def _about_git(name: str, rest: Sequence[str]) -> Iterator[Risk]:
    if name != "git":
        return
    verb = next((word for word in rest if not word.startswith("-")), "")
    if verb in _GIT_NETWORK:
        yield Risk("reaches the network", grave=False)
    if verb == "push" and (_short(rest, "f") or any(word.startswith("--force") for word in rest)):
        yield Risk("rewrites what others have fetched")
    if (
        (verb == "reset" and "--hard" in rest)
        or (verb == "clean" and _short(rest, "f"))
        or (verb in ("checkout", "restore") and ("--" in rest or "." in rest))
        or (verb == "branch" and _short(rest, "D"))
        or (verb == "stash" and ("drop" in rest or "clear" in rest))
    ):
        yield Risk("throws away work that may be kept nowhere else")


def _outside(words: Sequence[str], folder: str) -> Iterator[Risk]:
    if not folder:
        return
    home = posixpath.normpath(folder)
    for word in words[1:]:
        path = word.split("=", 1)[1] if word.startswith("--") and "=" in word else word
        if "://" in path or path in _HARMLESS:
            continue
        if path.startswith("~") or path.split("/", 1)[0] == "..":
            yield Risk(f"names a place outside the workspace: {path}", grave=False)
            return
        place = posixpath.normpath(path)
        if path.startswith("/") and place != home and not place.startswith(f"{home.rstrip('/')}/"):
            yield Risk(f"names a place outside the workspace: {path}", grave=False)
            return


def _written(line: str) -> tuple[str, ...]:
    """Where redirections lead, as the shell reader tells it when every absolute path is outside."""
    mark = "a redirection out of the workspace: "
    return tuple(one.removeprefix(mark) for one in parse_command(line).concerns if one.startswith(mark))


def _short(words: Sequence[str], letters: str) -> bool:
    """Whether one of the letters is given as a short option."""
    return any(
        word.startswith("-") and not word.startswith("--") and any(letter in word[1:] for letter in letters)
        for word in words
    )


def _is_within(word: str, mark: str) -> bool:
    return f"/{mark}/" in f"/{word.strip('/')}/" or (mark.startswith("id_") and mark in word)
