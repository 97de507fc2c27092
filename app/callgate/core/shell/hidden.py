"""What a command hides in its words: a command that it runs, code that it is given, a file that it writes.

    tar --to-command='rm x' …     the command rm x           awk 'BEGIN{system("rm x")}'   code
    git -c core.pager='rm x' log  the command rm x           curl -o /etc/x …              a file

Programs with a table are read word by word (`invocation`). Of the others only the options in `programs` are known.
Rather one too many: what is found must be allowed too.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from callgate.core.shell import programs
from callgate.core.shell.invocation import Hidden, HiddenKind, effects_of
from callgate.core.shell.program_table import table_of

_VERSIONED = re.compile(r"(python|perl|ruby|php|lua|pypy|node)[\d.]*")
_ADDRESS = re.compile(r"[\w+]+://|git\+|git@|.*@ ?(?:git\+|https?:)")
_PLAIN_VALUE = re.compile(r"[\w./:@%+, -]*")


def hidden_in(
    name: str, words: Sequence[str], *, globbed: Collection[int] = (), moved: bool = False
) -> Iterator[Hidden]:
    """`name` is the program without its folder; `words` are what it gets."""
    known = _known(name)
    table = table_of(name) or table_of(known)
    if table is not None:
        yield from effects_of(table, words, globbed=globbed, moved=moved)
        return
    options = programs.OPTIONS.get(known)
    if options is not None:
        yield from _by_options(options, words)
    yield from _by_verbs(name, words)
    match known:
        case "vi" | "less":
            yield from (Hidden("code", word, at) for at, word in enumerate(words) if at and word.startswith("+"))
        case "socat" | "sqlite3" | "tmux" | "screen":
            yield from _texts(words)
        case _:
            pass


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
    if name in programs.JOINING:
        operands = _operands(words, ("-n", "--interval", "-j", "--jobs"))
        if operands and " " in words[operands[0]]:
            yield Hidden("command", " ".join(words[operands[0] :]), operands[0], joined=True)
    elif name in programs.INSTALLERS:
        yield from (Hidden("code", word, at) for at, word in enumerate(words) if at and _ADDRESS.match(word))
