"""Commands that run other commands: some only put something around one, some run any text that they are given."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from callgate.core.shell.hidden import hidden_in
from callgate.core.shell.programs import PLACES_FIRST, RUNNERS


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRAPPERS = _names(
    "builtin busybox bwrap caffeinate catchsegv chroot chrt command doas env exec fakeroot firejail flock ionice "
    "linux32 linux64 ltrace nice nohup nsenter parallel pkexec prlimit proxychains proxychains4 run0 runuser setarch "
    "setpriv setsid stdbuf strace sudo systemd-run taskset time timeout torsocks unshare valgrind watch xargs"
)
_LOADER = re.compile(r"ld(-linux[\w.-]*|-musl[\w.-]*)?\.so[\d.]*")
"""The program that starts programs, which may be called by its own name too."""
_SHELLS = re.compile(r"(r?ba|da|z|r?k|mk|pdk|c|tc|fi|a|pw|xon)?sh[\d.]*|nu|elvish|powershell")
_INTERPRETERS = re.compile(r"(python|perl|ruby|php|lua|pypy)[\d.]*|node|nodejs|deno|bun|osascript")
_RUNS_TEXT = _names("alias bind compgen complete coproc enable eval fc history trap")
_SETS = _names("getopts let mapfile read readarray shopt typeset")
"""Builtins that change variables, and with them what later commands mean."""
_RESERVED = _names("! case do done elif else esac fi for function if in select then until while { } [[ ]]")
_MOVES = frozenset({"cd", "chdir", "popd", "pushd"})
_EXEC_FLAGS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_DEEPEST = 12
"""Commands that put something around a command that puts something around a command, and so on."""
_VALUE_LIKE = re.compile(r"[\d.]+[smhd]?|\{\}")
_LONE_FLAGS = {
    "command": _names("-p"),
    "env": _names("-i - -0 -v"),
    "exec": _names("-c -l"),
    "setsid": _names("-c -f -w"),
    "sudo": _names("-A -b -E -H -k -n -P -S"),
    "time": _names("-p -v"),
    "timeout": _names("--foreground --preserve-status -v"),
    "xargs": _names("-0 -o -p -r -t -x --null --no-run-if-empty --verbose"),
    "npx": _names("-y --yes -q --quiet --no --no-install --offline"),
    "npm": _names("-y --yes -q --silent --no"),
    "uv": _names("-q -v --frozen --locked --no-sync --isolated --offline --no-project"),
    "docker": _names("-d -i -t -it -ti --rm --init --privileged -P --read-only"),
    "podman": _names("-d -i -t -it -ti --rm --init --privileged -P --read-only"),
    "kubectl": _names("-i -t -it -ti --stdin --tty"),
    "watch": _names("-b -c -d -e -g -t -x --color --beep --errexit --exec --no-title"),
}
"""Flags that take no value: what follows them is the command."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=", re.ASCII)
_PLAIN_OPTIONS = re.compile(r"[-+][efuvx]*o?|--|pipefail|errexit|nounset|xtrace|noglob|verbose")
"""Of `set`: what only makes a script stricter or more talkative."""
_INDEXED = re.compile(r"\[.*(\$\(|`)", re.DOTALL)
"""An index of an array: some builtins work it out, and run what is in it."""
_INDEXERS = _names("[ printf test unset wait")


_PLAIN_VARIABLES = _names(
    "CI CLICOLOR CLICOLOR_FORCE COLUMNS DEBIAN_FRONTEND FORCE_COLOR GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT LANG "
    "LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME LINES NO_COLOR PYTHONDONTWRITEBYTECODE "
    "PYTHONUNBUFFERED RUST_BACKTRACE SOURCE_DATE_EPOCH TZ"
)
"""Variables that run nothing and lead nowhere, with the values below."""
_PLAIN_SETTING = re.compile(r"([A-Z_]+)=([\w.+-]*)", re.ASCII)


def sets_harmlessly(assignment: str) -> bool:
    """Whether a variable that is set for a command changes nothing about what is run or written."""
    found = _PLAIN_SETTING.fullmatch(assignment)
    return found is not None and found[1] in _PLAIN_VARIABLES


def name_of(words: Sequence[str]) -> str:
    """The program without its folder."""
    return posixpath.basename(words[0]) if words else ""


def changes_folder(words: Sequence[str]) -> bool:
    return any(name_of(inner) in _MOVES for inner in (words, *wrapped(words)))


def is_wrapper(name: str) -> bool:
    """Whether a program does nothing itself but run another."""
    return name in _WRAPPERS or _LOADER.fullmatch(name) is not None


def execution_concern(words: Sequence[str]) -> str:
    """Why a command may run more than its text shows; empty = it does not."""
    name, rest = name_of(words), words[1:]
    if name in _RESERVED:
        return f"{name} where a command should be"
    if name in _RUNS_TEXT or (name in ("hash", "jobs") and any(_short(word, "px") for word in rest)):
        return f"{name} runs text as a command"
    if _sets_variables(name, rest):
        return f"{name} changes variables that later commands may go by"
    if name in _INDEXERS and any(_INDEXED.search(word) for word in rest):
        return f"{name} may run what stands in an index"
    if sum(is_wrapper(name_of([word])) for word in words) > _DEEPEST:
        return f"{name} runs a command within a command, too deep to be followed"
    if is_wrapper(name):
        return _wrapper_concern(name, rest)
    if _INTERPRETERS.fullmatch(name) and (not rest or "-" in rest):
        return f"{name} runs what it is fed"
    return _shell_concern(name, rest) if _SHELLS.fullmatch(name) else ""


def _shell_concern(name: str, rest: Sequence[str]) -> str:
    if any(found.kind == "command" for found in hidden_in(name, [name, *rest])):
        return ""  # its text is taken apart
    flags = [word for word in rest if word.startswith(("-", "+")) and not word.startswith("--")]
    if any("c" in flag or "s" in flag for flag in flags):
        return f"{name} runs text as commands"
    if all(word.startswith(("-", "+")) for word in rest) and "--version" not in rest and "--help" not in rest:
        return f"{name} runs what it is fed"
    return ""


def _wrapper_concern(name: str, rest: Sequence[str]) -> str:
    """A variable that is set by another door, a text that is run, a shell that is opened."""
    own = _own_words(name, rest)
    given = next((word for word in own if _ASSIGNMENT.match(word) and not sets_harmlessly(word)), "")
    if given:
        return f"{name} sets a variable for the command: {given}"
    if name in ("sudo", "doas", "run0") and any(_short(word, "si") for word in own):
        return f"{name} runs what it is fed"
    return ""


def _own_words(name: str, rest: Sequence[str]) -> Sequence[str]:
    """What stands before the command, and perhaps one word too many."""
    after_flag = False
    for index, word in enumerate(rest):
        if word.startswith("-"):
            after_flag = _may_take_a_value(name, word)
        elif not after_flag and not _ASSIGNMENT.match(word) and not _VALUE_LIKE.fullmatch(word):
            return rest[:index]
        else:
            after_flag = False
    return rest


def _may_take_a_value(name: str, flag: str) -> bool:
    return flag != "--" and "=" not in flag and flag not in _LONE_FLAGS.get(name, ())


def _sets_variables(name: str, rest: Sequence[str]) -> bool:
    if name == "set":
        return not all(_PLAIN_OPTIONS.fullmatch(word) for word in rest)
    return name in _SETS or (name == "printf" and any(_short(word, "v") for word in rest[:1]))


def _short(word: str, letters: str) -> bool:
    return word.startswith("-") and not word.startswith("--") and any(letter in word for letter in letters)


def wrapped(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The commands that a command may run in turn. Rather one too many."""
    return (words[place] for place in inner_places(words))


def inner_places(words: Sequence[str], depth: int = 0) -> Iterator[slice]:
    """Where they stand among the words."""
    name = name_of(words)
    if depth > _DEEPEST:
        return
    if name == "find":
        for index, word in enumerate(words):
            if word in _EXEC_FLAGS and words[index + 1 :]:
                yield slice(index + 1, _end_of_exec(words, index + 1))
    elif is_wrapper(name) and not (name == "command" and "".join(words[1:2]) in ("-v", "-V")):
        yield from _wrapped_places(name, words, depth)
    for verb in RUNNERS.get(name, ()):
        yield from _run_places(name, verb.split(), words)


def _run_places(name: str, verb: Sequence[str], words: Sequence[str]) -> Iterator[slice]:
    """Behind a verb, and behind what says where it is to run."""
    length = len(verb)
    start = next((at for at in range(1, len(words)) if list(words[at : at + length]) == list(verb)), 0) if verb else 1
    if not start:
        return
    rest = [name, *words[start + length :]]
    moved = start + length - 1
    for place in _wrapped_places(name, rest):
        yield slice(place.start + moved, len(words))
        behind = next((at for at in range(place.start + 1, len(rest)) if not rest[at].startswith("-")), 0)
        if name in PLACES_FIRST and behind:
            yield slice(behind + moved, len(words))


def _end_of_exec(words: Sequence[str], start: int) -> int:
    return next((index for index in range(start, len(words)) if words[index] in (";", "+")), len(words))


def _wrapped_places(name: str, words: Sequence[str], depth: int = 0) -> Iterator[slice]:
    """Behind a flag that may take a value, the next word may be that value or the command."""
    after_flag = False
    for index, word in enumerate(words[1:], 1):
        if word.startswith("-"):
            after_flag = _may_take_a_value(name, word)
        elif _VALUE_LIKE.fullmatch(word):
            after_flag = False
        elif "=" not in word:
            yield slice(index, len(words))
            yield from (
                slice(index + place.start, index + place.stop) for place in inner_places(words[index:], depth + 1)
            )
            if not after_flag:
                return
            after_flag = False
