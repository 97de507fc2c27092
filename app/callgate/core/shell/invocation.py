"""One command, read by the table of its program: what it runs and writes, and every word that is not understood.

**What a rule covers.** A rule on a program covers what the program does by itself. Each effect beyond that belongs to a
word: the script that `npm run` runs, the file that `--output` writes, an option that is not in the table. A rule covers
such an effect only if it names the word, that is, if it no longer holds once something else stands in the word's place:
`npm run*` and `npm run test` cover `npm run test`, `npm *` does not; `git rebase --exec=*` says that something may run,
not what, and does not cover it. An effect of a command as a whole (`make` alone) is covered by a rule for just this
command. What can be read as a command may be covered by a rule of its own, and so may a file by the rule's folder.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.shell.program_table import Command, Effect, Mode, Operand, Option, Table, read_operands, table_of
from callgate.core.shell.scripts import awk_is_plain, sed_is_plain

HiddenKind = Literal["command", "code", "file", "perhaps", "unknown"]
"""`perhaps` = a file that is written if what is named is a folder."""

PLAIN_GIT_SETTINGS: Final = (
    *("advice.", "author.", "branch.sort", "color.", "column.", "commit.gpgsign", "commit.verbose", "committer."),
    *("core.abbrev", "core.autocrlf", "core.eol", "core.filemode", "core.ignorecase", "core.quotepath"),
    *("core.safecrlf", "diff.algorithm", "diff.colormoved", "diff.context", "diff.noprefix", "diff.renames"),
    *("fetch.prune", "init.defaultbranch", "log.abbrevcommit", "log.date", "log.decorate", "log.follow"),
    *("merge.conflictstyle", "merge.ff", "pull.", "push.autosetupremote", "push.default", "rebase.autosquash"),
    *("rebase.autostash", "rerere.enabled", "safe.barerepository", "status.", "tag.sort", "user.email", "user.name"),
)
"""Settings of git that run nothing and move nothing."""
GIT_RUNS: Final = (
    *("alias.", "core.editor", "core.fsmonitor", "core.hookspath", "core.pager", "core.sshcommand", "core.askpass"),
    *("credential.", "diff.external", "gpg.", "pager.", "sequence.editor", "uploadpack.", "browser.", "man."),
)
"""Beginnings of settings whose value is a command."""
_GIT_RUNS_ENDS: Final = (".cmd", ".command", ".textconv", ".helper", ".driver", ".clean", ".smudge", ".process")
SSH_RUNS: Final = ("knownhostscommand", "localcommand", "proxycommand", "remotecommand", "xauthlocation")
SSH_PLAIN: Final = re.compile(
    "addressfamily|batchmode|bindaddress|ciphers|compression|connectionattempts|connecttimeout|loglevel|macs|port"
    "|identitiesonly|numberofpasswordprompts|preferredauthentications|pubkeyauthentication|requesttty"
    "|serveralivecountmax|serveraliveinterval|stricthostkeychecking|tcpkeepalive|user"
)
"""Settings of ssh that run nothing and read or write no other file."""
_PLAIN_REMOTE: Final = re.compile(r"[\w-][\w.-]*|\.")
_TRANSPORT_HELPER: Final = re.compile(r"\w+::")
_CHECKPOINTS: Final = re.compile(r"bell|dot|echo(=.*)?|sleep=.*|ttyout=.*|totals|wait=.*", re.DOTALL)
_ADDRESS: Final = re.compile(r"[\w+]+://|git\+|git@|.*@ ?(?:git\+|https?:)|\w+:")
_VARIABLE: Final = re.compile(r"([A-Za-z_.]\w*)\s*[:+?!]*=(.*)", re.DOTALL)
_MAKE_RUNS: Final = ("SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKE")
_PLAIN_VALUE: Final = re.compile(r"[\w./:@%+, -]*")
_SENDS_FILE: Final = re.compile(r"\A[\w.\[\]-]*@|=[@<]")
_DD: Final = re.compile("bs|cbs|conv|count|ibs|if|iflag|obs|oflag|seek|skip|status|iseek|oseek")
_GLOB: Final = "*?["


@dataclass(frozen=True, slots=True)
class Hidden:
    """One thing that a command runs or writes, or a word of it that is not understood."""

    kind: HiddenKind
    text: str
    word: int
    """The word that it stands in; all that follow belong to it where `joined`."""
    start: int = 0
    """Where in that word it begins."""
    joined: bool = False
    words: str = ""
    """Why it must be allowed, as a sentence; empty = its text says enough."""
    whole: bool = False
    """It belongs to the command as a whole: only a rule for just this command covers it."""


def effects_of(
    table: Table, words: Sequence[str], *, globbed: Collection[int] = (), moved: bool = False
) -> Iterator[Hidden]:
    """`globbed`: words that a shell turns into names of files; `moved`: it may run outside of the workspace's root."""
    yield from _Reader(table, words, globbed, moved).all()


class _Reader:
    def __init__(self, table: Table, words: Sequence[str], globbed: Collection[int], moved: bool) -> None:
        self._table = table
        self._command: Command = table
        self._words = words
        self._globbed = globbed
        self._moved = moved
        self._label = posixpath.basename(words[0])
        self._found: list[Hidden] = []
        self._operands: list[int] = []
        self._values: list[tuple[str, Option, int, int]] = []
        """Option, what it is, and where its value stands."""
        self._given: set[str] = set()
        self._named = 0
        """The word of the innermost sub-command."""
        self._plain = False
        """Whether options have ended."""
        self._here = False
        self._lost = False
        """Whether a sub-command is not known, and with it what all that follows means."""

    def all(self) -> Iterator[Hidden]:
        at = 1
        if self._table.dashes == "tar" and len(self._words) > 1 and not self._words[1].startswith("-"):
            at = self._letters()
        while at < len(self._words) and not self._lost:
            at = self._word(at)
        mode, changed = self._mode()
        folder = self._by_options(changed)
        if not self._lost:
            self._finish(mode, folder)
        return iter(self._found)

    # ---- words -----------------------------------------------------------------------------------------------------

    def _word(self, at: int) -> int:
        """Reads one word; where the next begins."""
        word = self._words[at]
        if not self._plain and at in self._globbed and word[:1] in _GLOB and self._is_touchy():
            self._unknown(at, f"`{word}` may become the name of a file that `{self._label}` takes for an option")
            return at + 1
        if not self._plain and word == "--":
            self._plain = True
            return at + 1
        if not self._plain and len(word) > 1 and word[0] == "-":
            return at + 1 if self._is_number(word) else self._option(at)
        if not self._plain and word[0:1] == "+" and word in self._command.known:
            return self._option(at)
        if self._command.commands and not self._operands:
            inner = self._command.commands.get(word)
            if inner is not None:
                self._command, self._named, self._plain = inner, at, False
                self._label = f"{self._label} {word}"
                return at + 1
            if not self._command.operands:
                hint = f", {self._table.unknown}" if self._table.unknown else ""
                self._unknown(at, f"`{word}` is not a sub-command of `{self._label}` that Callgate knows{hint}")
                self._lost = True
                return at + 1
        self._operands.append(at)
        self._plain = self._plain or self._table.options_first
        if self._effect_of(len(self._operands) - 1) in ("command", "appended", "joined"):
            return len(self._words)
        return at + 1

    def _is_number(self, word: str) -> bool:
        return word[1:].isdecimal() and "-#" in self._command.known

    def _is_touchy(self) -> bool:
        """Whether some option would do more than what is understood."""
        return any(option.effect not in ("harmless", "reads") for option in self._command.known.values())

    def _letters(self) -> int:
        """The first word of tar may be letters; their values follow in order."""
        at = 2
        for letter in self._words[1]:
            option = self._command.known.get(f"-{letter}")
            if option is None:
                self._unknown(1, f"`{letter}` is not a letter of `{self._label}` that Callgate knows")
                continue
            self._given.add(f"-{letter}")
            if option.arity == "value" and at < len(self._words):
                self._value(f"-{letter}", option, at, 0)
                at += 1
            else:
                self._flag(f"-{letter}", option, 1)
        return at

    def _option(self, at: int) -> int:
        word = self._words[at]
        if not word.startswith("--") and self._table.dashes != "single":
            whole = self._command.known.get(word)
            return self._bundle(at) if whole is None or len(word) == 2 else self._apply(word, whole, at, len(word))
        name, sign, _ = word.partition("=")
        known = self._command.known
        option = known.get(name)
        if option is None and self._table.dashes == "single" and name.startswith("--"):
            option = known.get(name[1:])
        negates = self._table.negations and not sign and name.startswith("--no-") and f"--{name[5:]}" in known
        if option is None and negates:
            return at + 1
        if option is not None:
            if sign and option.arity == "flag":
                self._unknown(at, f"`{name}` of `{self._label}` takes no value that Callgate knows")
                return at + 1
            return self._apply(name, option, at, len(name) + 1 if sign else len(word))
        return self._abbreviation(name, at, len(name) + 1 if sign else len(word))

    def _abbreviation(self, name: str, at: int, start: int) -> int:
        """A shortened option that does something is judged by that; one that seems harmless may be another one, of a
        newer version or an older one."""
        known = self._command.known
        fits = [full for full in known if full.startswith(name)] if name.startswith("--") and len(name) > 2 else []
        doing = [full for full in fits if known[full].effect not in ("harmless", "reads")]
        if len(doing) == 1 and len(fits) == 1:
            return self._apply(doing[0], known[doing[0]], at, start)
        if fits:
            self._unknown(at, f"`{name}` of `{self._label}` may be short for {_or(doing or fits)}")
        else:
            self._unknown(at, f"`{name}` is not an option of `{self._label}` that Callgate knows")
        return at + 1

    def _bundle(self, at: int) -> int:
        word = self._words[at]
        for place in range(1, len(word)):
            name = f"-{word[place]}"
            option = self._command.known.get(name)
            if option is None:
                self._unknown(at, f"`{name}` is not an option of `{self._label}` that Callgate knows")
                return at + 1
            self._given.add(name)
            if option.arity != "flag":
                return self._apply(name, option, at, place + 1)
            self._flag(name, option, at)
        return at + 1

    def _apply(self, name: str, option: Option, at: int, start: int) -> int:
        """An option whose value, if it has one, begins at `start` of its word or is the next word."""
        self._given.add(name)
        if option.effect == "exec":
            ends = (index for index in range(at + 1, len(self._words)) if self._words[index] in (";", "+"))
            end = next(ends, len(self._words))
            self._open(at + 1, end)
            return end + 1
        glued = start < len(self._words[at]) or self._words[at].endswith("=")
        if option.arity == "flag" or (option.arity == "optional" and not glued):
            self._flag(name, option, at)
            return at + 1
        if glued:
            self._value(name, option, at, start)
            return at + 1
        if at + 1 >= len(self._words):
            return at + 1
        self._value(name, option, at + 1, 0)
        return at + 2

    def _flag(self, name: str, option: Option, at: int) -> None:
        if option.effect == "here":
            self._here = True
        elif option.arity == "optional" and option.effect in ("writes", "folder", "suffix"):
            self._here = self._here or option.effect == "folder"  # without a value, the usual place
        elif option.effect not in ("harmless", "reads"):
            # its place in the order of words does not matter, the modes do
            self._values.append((name, option, at, -1))

    def _value(self, name: str, option: Option, at: int, start: int) -> None:
        self._values.append((name, option, at, start))

    # ---- what they come to -----------------------------------------------------------------------------------------

    def _mode(self) -> tuple[Mode | None, Mapping[str, Option]]:
        for options, mode, changed in self._command.mode_options:
            if options & self._given:
                return mode, changed
        return None, {}

    def _effect_of(self, index: int) -> Effect | None:
        """Of an operand that may be followed by more."""
        mode, _ = self._mode()
        kinds = read_operands(mode.operands if mode and mode.operands is not None else self._command.operands)
        return kinds[index].effect if index < len(kinds) and not any(kind.repeated for kind in kinds[:index]) else None

    def _by_options(self, changed: Mapping[str, Option]) -> str:
        """What options do; the folder that is written into."""
        folder = "."
        for name, given, at, start in self._values:
            option = changed.get(name, given)
            if option.effect == "folder" and start >= 0:
                folder = self._words[at][start:]
            elif start < 0 and option.effect not in ("harmless", "reads"):
                self._does(option, at, f"`{name}` of `{self._label}`")
            elif start >= 0:
                self._effect(option.effect, at, start, f"`{name}` of `{self._label}`", option.words)
        return folder

    def _finish(self, mode: Mode | None, folder: str) -> None:
        command = self._command
        kinds = read_operands(mode.operands if mode and mode.operands is not None else command.operands)
        placed = list(self._placed(kinds))
        for at, kind in placed:
            self._effect(kind, at, 0, f"`{self._label}`", command.why)
        into = [self._words[at][max(start, 0) :] for _, option, at, start in self._values if option.effect == "into"]
        into += [self._words[at] for at, kind in placed if kind in ("into", "host") and ":" not in self._words[at]]
        self._into(into, [at for at, kind in placed if kind == "reads"])
        does = mode.does if mode and mode.does is not None else command.does
        alone = mode.alone if mode and mode.alone is not None else command.alone
        subjects = [at for at, kind in placed if kind != "target" or "=" not in self._words[at]]
        if does or (alone and not subjects):
            words = f"`{self._label}` {does or alone}"
            whole = not does or command.exactly
            self._found.append(Hidden("unknown", self._words[self._named], self._named, words=words, whole=whole))
        in_folder = mode.in_folder if mode and mode.in_folder is not None else command.in_folder
        if in_folder or self._here:
            words = f"`{self._label}` writes into {folder}"
            self._found.append(Hidden("file", folder, self._place_of(folder), 0, words=words, whole=folder == "."))
        elif self._moved and self._table.obeys_folder:
            self._found.append(Hidden("unknown", self._label, 0, words=self._table.obeys_folder, whole=True))

    def _into(self, folders: Sequence[str], sources: Sequence[int]) -> None:
        for folder in folders:
            for at in sources:
                path = posixpath.join(folder, posixpath.basename(self._words[at].rstrip("/")))
                self._found.append(Hidden("perhaps", path, at))

    def _place_of(self, folder: str) -> int:
        return next((at for _, option, at, start in self._values if option.effect == "folder" and start >= 0), 0)

    def _placed(self, kinds: Sequence[Operand]) -> Iterator[tuple[int, Effect]]:
        """Each operand with what becomes of it; those at the end go before one that is repeated."""
        repeated = next((index for index, kind in enumerate(kinds) if kind.repeated), len(kinds))
        behind = len(kinds) - repeated - 1 if repeated < len(kinds) else 0
        count = len(self._operands)
        for index, at in enumerate(self._operands):
            if behind and index >= max(count - behind, 0):
                yield at, kinds[len(kinds) - (count - index)].effect
            elif index < repeated and index < len(kinds):
                yield at, kinds[index].effect
            elif repeated < len(kinds):
                yield at, kinds[repeated].effect
            else:
                self._unknown(at, f"`{self._words[at]}` is more than `{self._label}` takes as far as Callgate knows")

    def _does(self, option: Option, at: int, subject: str) -> None:
        """A flag that does something by itself."""
        predicate = option.words or ("runs a program" if option.effect == "runs" else "does more than Callgate knows")
        self._unknown(at, f"{subject} {predicate}")

    def _effect(self, effect: Effect, at: int, start: int, subject: str, words: str) -> None:
        value = self._words[at][start:]
        match effect:
            case "harmless" | "reads" | "here" | "exec" | "command" | "folder":
                pass
            case "writes" | "into":
                if value != "-":
                    self._file(at, start, subject)
            case "host":
                if not re.match(r"[^/]*:", value):
                    self._file(at, start, subject)
            case "runs":
                text = value.removeprefix("!")
                said = f"{subject} {words or 'runs a program'}"
                self._found.append(Hidden("command", text, at, start + len(value) - len(text), words=said))
            case "code":
                self._found.append(Hidden("code", value, at, start, words=f"{subject} {words or 'runs code'}"))
            case "appended":
                self._open(at, len(self._words))
            case "joined":
                text = " ".join(self._words[at:])
                self._found.append(Hidden("command", text, at, joined=True, words=f"{subject} runs {text}"))
            case "asks":
                self._unknown(at, f"{subject} {words or 'does more than Callgate knows'}", start)
            case _:
                self._checked(effect, value, at, start, subject)

    def _checked(self, effect: Effect, value: str, at: int, start: int, subject: str) -> None:
        """Values that are harmless as far as they say so."""
        doubt = ""
        match effect:
            case "repository" if posixpath.normpath(value) != ".":
                doubt = f"{subject} is {value}, and {self._table.obeys_folder or 'what is there may run programs'}"
            case "remote" | "address" if _TRANSPORT_HELPER.match(value):
                self._found.append(Hidden("code", value, at, start, words=f"{subject} runs a program for {value}"))
            case "remote" if not _PLAIN_REMOTE.fullmatch(value):
                doubt = f"{subject} names another place than the remotes of the repository: {value}"
            case "download":
                self._found.append(Hidden("file", _file_of(value), at, start, words=f"{subject} writes a file"))
            case "sends" if _SENDS_FILE.search(value):
                doubt = f"{subject} sends a file: {value}"
            case "setting":
                self._setting(value, at, start, subject)
            case "key":
                is_set = len(self._operands) > 1
                if is_set and not value.casefold().startswith(PLAIN_GIT_SETTINGS):
                    doubt = f"{subject} sets `{value}`, and settings can run programs"
            case "checkpoint" if not _CHECKPOINTS.fullmatch(value):
                text = value.removeprefix("exec=")
                words = f"{subject} runs a program"
                self._found.append(Hidden("command", text, at, start + len(value) - len(text), words=words))
            case "ssh":
                self._ssh(value, at, start, subject)
            case "sed-word":
                self._sed(value, at, subject)
            case "assigns" if not re.match(r"[A-Za-z_]\w*=", value):
                doubt = f"{subject} is no assignment: {value}"
            case "suffix" if "/" in value or "*" in value:
                doubt = f"{subject} writes to a place that it works out: {value}"
            case "archive" | "unpacked":
                if re.match(r"[^/]*:", value) and "--force-local" not in self._given:
                    doubt = f"{subject} is on another machine: {value}"
                elif effect == "archive" and value != "-":
                    self._file(at, start, subject)
            case "dd":
                self._dd(value, at, subject)
            case "package" if _ADDRESS.match(value) or "/" in value[:2] or value.startswith((".", "~")):
                self._found.append(Hidden("code", value, at, start, words=f"{subject} builds {value}, which runs code"))
            case "target":
                self._target(value, at, subject)
            case "sed" if not sed_is_plain(value):
                self._found.append(Hidden("code", value, at, start, words=f"{subject} may run or write something"))
            case "awk" if not awk_is_plain(value):
                self._found.append(Hidden("code", value, at, start, words=f"{subject} may run or write something"))
            case _:
                pass
        if doubt:
            self._unknown(at, doubt, start)

    def _sed(self, value: str, at: int, subject: str) -> None:
        """The first operand is the script, where no option holds it; `-i` writes the others."""
        if at == self._operands[0] and not self._given & {"-e", "--expression", "-f", "--file"}:
            self._effect("sed", at, 0, subject, "")
        elif self._given & {"-i", "--in-place"}:
            self._file(at, 0, subject)

    def _dd(self, value: str, at: int, subject: str) -> None:
        name, sign, path = value.partition("=")
        if name == "of" and path:
            self._file(at, 3, subject)
        elif not sign or not _DD.fullmatch(name):
            self._unknown(at, f"`{value}` is not understood by `{self._label}` as far as Callgate knows")

    def _target(self, value: str, at: int, subject: str) -> None:
        """A variable of make may hold what its recipes run; a plain value runs nothing but what it names."""
        found = _VARIABLE.fullmatch(value)
        if found is None:
            words = f"{subject} runs the recipe of {value}"
            self._found.append(Hidden("code", value, at, words=words))
        elif found[1] in _MAKE_RUNS:
            self._found.append(Hidden("command", found[2], at, found.start(2), words=f"{subject} runs {found[2]}"))
        elif not _PLAIN_VALUE.fullmatch(found[2]):
            words = f"{subject} works out {found[1]}, which may run something"
            self._found.append(Hidden("code", found[2], at, found.start(2), words=words))

    def _setting(self, value: str, at: int, start: int, subject: str) -> None:
        key, sign, rest = value.partition("=")
        folded = key.casefold()
        if folded.startswith(GIT_RUNS) or folded.endswith(_GIT_RUNS_ENDS):
            text = rest.removeprefix("!")
            begins = start + len(value) - len(text)
            words = f"{subject} sets `{key}`, which runs a program"
            self._found.append(Hidden("command", text, at, begins, words=words) if sign else Hidden("code", value, at))
        elif not folded.startswith(PLAIN_GIT_SETTINGS):
            words = f"{subject} sets `{key}`, which Callgate does not know to be harmless"
            self._found.append(Hidden("code", value, at, start, words=words))

    def _ssh(self, value: str, at: int, start: int, subject: str) -> None:
        found = re.match(r"\s*(\w+)\s*[= ]\s*", value)
        key = found[1].casefold() if found else ""
        if found and key in SSH_RUNS:
            begins = start + found.end()
            words = f"{subject} sets {found[1]}, which runs a program"
            self._found.append(Hidden("command", value[found.end() :], at, begins, words=words))
        elif not SSH_PLAIN.fullmatch(key):
            words = f"{subject} sets {key or value}, which Callgate does not know to be harmless"
            self._found.append(Hidden("code", value, at, start, words=words))

    def _file(self, at: int, start: int, subject: str) -> None:
        path = self._words[at][start:]
        self._found.append(Hidden("file", path, at, start, words=f"{subject} writes {path}"))

    def _open(self, at: int, end: int) -> None:
        """A command to which words are added that are known only when it runs."""
        if at >= end or table_of(posixpath.basename(self._words[at])) is None:
            return
        inner = self._words[at:end]
        table = table_of(posixpath.basename(inner[0]))
        if table is not None and not takes_anything(table, inner):
            words = f"`{self._label}` gives `{' '.join(inner)}` words that are known only when it runs"
            self._found.append(Hidden("unknown", inner[0], at, words=words, joined=True))

    def _unknown(self, at: int, words: str, start: int = 0) -> None:
        self._found.append(Hidden("unknown", self._words[at][start:], at, start, words=words))


def takes_anything(table: Table, words: Sequence[str]) -> bool:
    """Whether a command stays harmless with whatever words behind it."""
    if len(words) > 1 and table.commands:
        return False
    kinds = read_operands(table.operands)
    harmless = ("harmless", "reads", "here")
    reads = all(kind.effect in harmless for kind in kinds) and any(kind.repeated for kind in kinds)
    return reads and not table.does and all(option.effect in harmless for option in table.known.values())


def _file_of(address: str) -> str:
    path = re.sub(r"^\w+://[^/?#]*", "", address).split("?")[0].split("#")[0]
    return posixpath.basename(path) or "index.html"


def _or(names: Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names[:3])
