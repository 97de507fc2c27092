"""What a command hides in its words: a command that it runs, code that it is given, a file that it writes.

    tar --to-command='rm x' …     the command rm x           awk 'BEGIN{system("rm x")}'   code
    git -c core.pager='rm x' log  the command rm x           curl -o /etc/x …              a file

Which programs do that is told by `programs`. Rather one too many: what is found must be allowed too.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from callgate.core.shell import programs
from callgate.core.shell.scripts import awk_is_plain, sed_is_plain

HiddenKind = Literal["command", "code", "file"]

_POSITIONED = re.compile(r"[A-Za-z_.]\w*=(.*)", re.DOTALL)
_VERSIONED = re.compile(r"(python|perl|ruby|php|lua|pypy|node)[\d.]*")
_ADDRESS = re.compile(r"[\w+]+://|git\+|git@|.*@ ?(?:git\+|https?:)")
_PLAIN_VALUE = re.compile(r"[\w./:@%+, -]*")


@dataclass(frozen=True, slots=True)
class Hidden:
    kind: HiddenKind
    text: str
    word: int
    """The word that it stands in; all that follow belong to it where `joined`."""
    start: int = 0
    """Where in that word it begins."""
    joined: bool = False


def hidden_in(name: str, words: Sequence[str]) -> Iterator[Hidden]:
    """`name` is the program without its folder; `words` are what it gets."""
    known = _known(name)
    options = programs.OPTIONS.get(known)
    if options is not None:
        yield from _by_options(options, words[: _own(words)] if known in programs.INTERPRETERS else words)
    yield from _by_verbs(name, words)
    match known:
        case "tar":
            yield from _of_tar(words)
        case "git":
            yield from _of_git(words)
        case "ssh" | "scp" | "sftp":
            yield from _of_ssh(known, words)
        case "make":
            yield from _of_make(words)
        case "awk":
            yield from _of_awk(words)
        case "sed":
            yield from _of_sed(words)
        case "find":
            yield from _of_find(words)
        case "vi" | "less":
            yield from (Hidden("code", word, at) for at, word in enumerate(words) if at and word.startswith("+"))
        case "dd":
            yield from (Hidden("file", word[3:], at, 3) for at, word in enumerate(words) if word.startswith("of="))
        case "socat" | "sqlite3" | "tmux" | "screen":
            yield from _texts(words)
        case _:
            pass
    if name in programs.WRITES_ALL:
        yield from (Hidden("file", word, at) for at, word in enumerate(words) if at and not word.startswith("-"))
    elif name in programs.WRITES_LAST:
        yield from _last(words)


def _known(name: str) -> str:
    versioned = _VERSIONED.fullmatch(name)
    plain = versioned[1] if versioned else name
    return {"pypy": "python"}.get(plain) or programs.SAME.get(plain, plain)


# ---- options -------------------------------------------------------------------------------------------------------


def _by_options(options: programs.Options, words: Sequence[str]) -> Iterator[Hidden]:
    kinds: tuple[tuple[HiddenKind, str], ...] = (
        ("command", options.commands),
        ("code", options.code),
        ("file", options.files),
    )
    for kind, names in kinds:
        for at, start in _values(names.split(), words):
            yield Hidden(kind, words[at][start:], at, start)


def _values(names: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the values of options stand: in the same word, or the next one."""
    for at, word in enumerate(words[1:], 1):
        if not word.startswith("-"):
            continue
        for name in names:
            start = _value_start(name, word)
            if 0 <= start < len(word):
                yield at, start
            elif start >= 0 and at + 1 < len(words):
                yield at + 1, 0


def _value_start(name: str, word: str) -> int:
    """Where a value begins in the word of an option, its end if it is the next word; -1 = this is another option."""
    if name.startswith("--"):
        given, sign, _ = word.partition("=")
        # long options may be cut short
        fits = given == name or (len(given) > 4 and name.startswith(given))
        return len(given) + len(sign) if fits else -1
    if len(name) > 2:
        # one dash and a word: find, go, gdb
        return len(name) + word[len(name) :].startswith("=") if word.split("=")[0] in (name, f"-{name}") else -1
    if word.startswith("--"):
        return -1
    letter = word.find(name[1], 1)
    # letters before it are other options in the same word
    return letter + 1 if letter == 1 or (letter > 1 and word[1:letter].isalnum()) else -1


def _own(words: Sequence[str]) -> int:
    """Where the words of a script begin: behind its name, or that of a module."""
    for at, word in enumerate(words[1:], 1):
        is_value = at > 1 and words[at - 1].startswith("-")
        if word in ("-m", "--") or not (word.startswith("-") or is_value):
            return at
    return len(words)


def _operands(words: Sequence[str], values: Collection[str] = ()) -> list[int]:
    """Where the words stand that are no options, nor the values of these options."""
    found: list[int] = []
    skip = False
    for at, word in enumerate(words[1:], 1):
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = word in values
        else:
            found.append(at)
    return found


def _texts(words: Sequence[str]) -> Iterator[Hidden]:
    """Each operand that is more than a name may be text that is run."""
    return (
        Hidden("code", words[at], at)
        for at in _operands(words)
        if not _PLAIN_VALUE.fullmatch(words[at]) or " " in words[at]
    )


# ---- verbs and operands --------------------------------------------------------------------------------------------


def _by_verbs(name: str, words: Sequence[str]) -> Iterator[Hidden]:
    if name in programs.SHELLS and len(words) > 2 and re.fullmatch(r"-[efiluvx]*c", words[1]):
        if not words[2].startswith(("-", "+")):
            yield Hidden("command", words[2], 2)
    elif name in programs.JOINING:
        operands = _operands(words, ("-n", "--interval", "-j", "--jobs"))
        if operands and " " in words[operands[0]]:
            yield Hidden("command", " ".join(words[operands[0] :]), operands[0], joined=True)
    elif name in programs.INSTALLERS:
        yield from (Hidden("code", word, at) for at, word in enumerate(words) if at and _ADDRESS.match(word))
    elif name == "deno" and "eval" in words[1:]:
        yield from _texts(words)


def _last(words: Sequence[str]) -> Iterator[Hidden]:
    operands = _operands(words)
    if len(operands) > 1 and not re.match(r"[^/]*:", words[operands[-1]]):
        yield Hidden("file", words[operands[-1]], operands[-1])


# ---- one program each ----------------------------------------------------------------------------------------------


def _of_tar(words: Sequence[str]) -> Iterator[Hidden]:
    for at, start in _values(["--checkpoint-action"], words):
        if words[at].startswith("exec=", start):
            yield Hidden("command", words[at][start + 5 :], at, start + 5)
    first = words[1] if len(words) > 1 and not words[1].startswith("--") else ""
    if not first.startswith("-") and set(first) & set("IF") and len(words) > 2:
        yield from (Hidden("command", word, at) for at, word in enumerate(words[2:], 2))
    letters = {letter for word in words[1:] if re.fullmatch(r"-[A-Za-z]+", word) for letter in word}
    letters |= set(first) if not first.startswith("-") else set()
    if "x" in letters or "--extract" in words or "--get" in words:
        yield from (Hidden("file", words[at][start:], at, start) for at, start in _values(["--directory", "-C"], words))
    elif letters & set("cru") or "--create" in words or "--append" in words or "--update" in words:
        if first and not first.startswith("-") and "f" in first and len(words) > 2:
            yield Hidden("file", words[2], 2)
        yield from (Hidden("file", words[at][start:], at, start) for at, start in _values(["--file", "-f"], words))


def _of_git(words: Sequence[str]) -> Iterator[Hidden]:
    for at, start in _values(["-c", "--config"], words):
        key, sign, value = words[at][start:].partition("=")
        key = key.lower()
        if sign and (key.startswith(programs.GIT_RUNS) or key.endswith((".cmd", ".command", ".textconv", ".helper"))):
            yield Hidden("command", value.removeprefix("!"), at, start + len(key) + 1)
        elif sign and not key.startswith(programs.GIT_HARMLESS):
            yield Hidden("code", words[at][start:], at, start)
    verb = next((word for word in words[1:] if word in programs.GIT_SHORT), "")
    for at, start in _values([programs.GIT_SHORT[verb]] if verb else [], words):
        yield Hidden("command", words[at][start:], at, start)
    yield from (Hidden("code", word, at) for at, word in enumerate(words) if word.startswith("ext::"))


def _of_ssh(name: str, words: Sequence[str]) -> Iterator[Hidden]:
    for at, start in _values(["-o"], words):
        found = re.match(r"\s*(\w+)\s*[= ]\s*", words[at][start:])
        if found and found[1].lower() in programs.SSH_RUNS:
            yield Hidden("command", words[at][start + found.end() :], at, start + found.end())
        elif found and found[1].lower() == "include":
            yield Hidden("code", words[at][start:], at, start)
    if name == "ssh":
        operands = _operands(words, programs.SSH_VALUES)
        behind = next((at for at in operands[1:]), 0)
        if behind:
            yield Hidden("command", " ".join(words[behind:]), behind, joined=True)


def _of_make(words: Sequence[str]) -> Iterator[Hidden]:
    """A variable may hold what its recipes run; a plain value runs nothing but what it names."""
    for at, word in enumerate(words[1:], 1):
        found = _POSITIONED.fullmatch(word)
        if found is None:
            continue
        if word.startswith(("SHELL=", ".SHELLFLAGS=", "MAKEFLAGS=", "MAKE=")):
            yield Hidden("command", found[1], at, found.start(1))
        elif not _PLAIN_VALUE.fullmatch(found[1]):
            yield Hidden("code", found[1], at, found.start(1))


def _of_awk(words: Sequence[str]) -> Iterator[Hidden]:
    for at, start in _values(["--source", "-e", "--include", "-i", "--load", "-l", "--exec", "-E"], words):
        yield Hidden("code", words[at][start:], at, start)
    for at in _operands(words, ("-F",)):
        if not awk_is_plain(words[at]):
            yield Hidden("code", words[at], at)


def _of_sed(words: Sequence[str]) -> Iterator[Hidden]:
    given = list(_values(["--expression", "-e"], words))
    operands = _operands(words, ("-e", "--expression", "-f", "--file", "-l", "--line-length"))
    by_file = any(re.match(r"-[a-zA-Z]*f|--fi", word) for word in words[1:])
    if not given and not by_file and operands:
        given, operands = [(operands[0], 0)], operands[1:]
    for at, start in given:
        if not sed_is_plain(words[at][start:]):
            yield Hidden("code", words[at][start:], at, start)
    if any(re.match(r"-[nErsuz]*[iI]|--in-place", word) for word in words[1:]):
        yield from (Hidden("file", words[at], at) for at in operands)


def _of_find(words: Sequence[str]) -> Iterator[Hidden]:
    for at, word in enumerate(words[1:], 1):
        if word == "-delete":
            yield Hidden("code", word, at)
        elif word in ("-fprint", "-fprint0", "-fprintf", "-fls") and at + 1 < len(words):
            yield Hidden("file", words[at + 1], at + 1)
