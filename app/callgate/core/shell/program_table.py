"""What is known of a program's command line: one table per program, written as TOML in `resources/programs`.

A table names every option with its arity and its effect, and what the operands are. Options stand in a text, apart by
blanks: `--quiet` is a flag, `--since=` takes a value, `--color=?` takes one only in the same word, `-#` is a number
such as `-5`. Operands are a list of effects: `reads* writes` = all are read but the last, which is written.

What a table does not name is not understood, and asks. `invocation` reads command lines by these tables.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Final, Literal, NamedTuple, Self, cast, get_args

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from callgate.core.shell.program_data import NAMES, TABLES

Effect = Literal[
    "harmless",
    "reads",
    "writes",  # the value is a path that is written
    "into",  # a file, or a folder in which each of the other operands gets a file
    "host",  # a path that is written, or host:path
    "here",  # it writes into the current folder
    "folder",  # the folder that what is written "here" lands in
    "runs",  # a command line for a shell, or a program
    "code",  # code, or a file or place that code comes from
    "command",  # the first word of another command; `wrappers` finds it
    "appended",  # the same, and the program adds words to it that are not known
    "joined",  # the first word of a command for a shell; all that follow belong to it
    "exec",  # another command up to `;` or `+`
    "repository",  # a folder whose configuration the program obeys
    "remote",  # the name of a configured remote; an address asks
    "address",  # an address of a repository; a transport helper runs a program
    "download",  # an address, and a file named after it is written
    "sends",  # data, or with @ a file that is sent
    "setting",  # key=value of git
    "key",  # key of git, which is set where a value follows
    "checkpoint",  # an action of tar
    "ssh",  # key=value of ssh
    "sed",  # a script of sed
    "sed-word",  # an operand of sed: its script, or a file
    "awk",  # a program of awk
    "assigns",  # name=value; another value asks
    "suffix",  # of a file's name; with a folder in it, it leads elsewhere
    "archive",  # an archive that is written; with a colon, on another machine
    "unpacked",  # an archive that is read, likewise
    "dd",  # name=value of dd
    "package",  # the name of a package; an address or a folder is built, which runs code
    "target",  # a target of make, or a variable
    "asks",  # always asks, unless a rule names it
]
Arity = Literal["flag", "value", "optional"]
_SIGNS: Final[tuple[tuple[str, Arity], ...]] = (("=?", "optional"), ("=", "value"), ("", "flag"))
_OPERANDS_ONLY: Final = ("asks", "command", "appended", "joined", "sed-word", "dd", "package", "target")
_IN_OPTIONS: Final = tuple(effect for effect in get_args(Effect) if effect not in _OPERANDS_ONLY)


class Option(NamedTuple):
    effect: Effect
    arity: Arity
    words: str = ""
    """What it does, as the end of a sentence; empty = as the effect says."""


class Operand(NamedTuple):
    effect: Effect
    repeated: bool


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)  # built with the first table, not at start


def _joined(value: object) -> object:
    if not isinstance(value, list):
        return value
    items = cast(list[object], value)
    words = [item for item in items if isinstance(item, str)]
    return " ".join(words) if len(words) == len(items) else items


Names = Annotated[str, BeforeValidator(_joined)]


class _Options(_Section):
    """Options by what they do."""

    model_config = ConfigDict(extra="allow")  # a key is an effect, its value the options that have it
    __pydantic_extra__: dict[str, Names] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]
    asks: Mapping[str, str] = {}
    """Option → what it does: "runs a program", "deletes files"."""

    @model_validator(mode="after")
    def _known_effects(self) -> Self:
        unknown = set(self.__pydantic_extra__) - set(_IN_OPTIONS)
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))} is no effect")
        return self

    def each(self) -> Iterator[tuple[str, Option]]:
        for effect in _IN_OPTIONS:
            for text in self.__pydantic_extra__.get(effect, "").split():
                yield _option(text, effect)
        for text, words in self.asks.items():
            yield _option(text, "asks", words)


def _option(text: str, effect: Effect, words: str = "") -> tuple[str, Option]:
    sign, arity = next(pair for pair in _SIGNS if text.endswith(pair[0]))
    name = text.removesuffix(sign) if sign else text
    if not name.startswith(("-", "+")) or len(name) < 2:
        raise ValueError(f"{text!r} is no option")
    return name, Option(effect, arity, words)


class Mode(_Options):
    """What is different where one of some options is given: `sed -i` writes the files that sed else reads."""

    when: Names
    operands: str | None = None
    does: str | None = None
    alone: str | None = None
    in_folder: bool | None = None


class Command(_Options):
    """A program, or one of its sub-commands."""

    use: str = ""
    """Groups of options that it shares with others."""
    operands: str = ""
    does: str = ""
    """What it does that a rule must name, as the end of a sentence: "runs a script of package.json"."""
    alone: str = ""
    """What it does without operands, likewise; only a rule for just this command covers it."""
    exactly: bool = False
    """Whether what it `does` is covered only by a rule for just this command."""
    in_folder: bool = False
    """Whether it writes into the current folder."""
    why: str = ""
    """What an operand that is code or that asks does."""
    modes: tuple[Mode, ...] = ()
    commands: Mapping[str, "Command"] = {}
    _known: dict[str, Option] = PrivateAttr(default_factory=dict[str, Option])
    _by_mode: list[tuple[frozenset[str], Mode, dict[str, Option]]] = PrivateAttr(
        default_factory=list[tuple[frozenset[str], Mode, dict[str, Option]]]
    )

    @property
    def known(self) -> Mapping[str, Option]:
        """All its options."""
        return self._known

    @property
    def mode_options(self) -> list[tuple[frozenset[str], Mode, dict[str, Option]]]:
        return self._by_mode

    @model_validator(mode="after")
    def _readable(self) -> "Command":
        for text in (self.operands, *(mode.operands or "" for mode in self.modes)):
            read_operands(text)
        return self

    def link(self, groups: Mapping[str, _Options], outer: Mapping[str, Option]) -> None:
        """Puts together what it shares with others."""
        self._known.update(outer)
        for name in self.use.split():
            if name not in groups:
                raise ValueError(f"there is no group {name!r}")
            self._known.update(groups[name].each())
        self._known.update(self.each())
        for mode in self.modes:
            missing = set(mode.when.split()) - set(self._known)
            if missing:
                raise ValueError(f"a mode is for options that are not there: {missing}")
            self._by_mode.append((frozenset(mode.when.split()), mode, dict(mode.each())))


class Examples(_Section):
    """What a rule for the program alone makes of some lines; each is a test."""

    allow: tuple[str, ...] = ()
    ask: Mapping[str, str] = {}
    """Line → a word that the reason names."""
    writes: Mapping[str, tuple[str, ...]] = {}
    runs: Mapping[str, tuple[str, ...]] = {}


class Table(Command):
    """A whole file."""

    names: tuple[str, ...]
    """Of the program, and others that take the same words."""
    about: str = ""
    dashes: Literal["getopt", "single", "tar"] = "getopt"
    """`single`: one dash and a whole word; `tar`: the first word may be letters without a dash."""
    options_first: bool = False
    """Whether what stands behind the first operand is no option."""
    negations: bool = False
    """Whether `--no-x` takes back `--x`."""
    inherited: bool = False
    """Whether the program's own options may stand behind a sub-command too."""
    obeys_folder: str = ""
    """Why it matters in which folder it runs, even where it only reads."""
    unknown: str = ""
    """What a sub-command that is not known may be."""
    groups: Mapping[str, _Options] = {}
    examples: Examples = Examples()

    @model_validator(mode="after")
    def _linked(self) -> "Table":
        waiting: list[tuple[Command, Mapping[str, Option]]] = [(self, {})]
        while waiting:
            command, outer = waiting.pop()
            command.link(self.groups, outer)
            below: Mapping[str, Option] = command.known if self.inherited or command is not self else {}
            waiting += ((inner, below) for inner in command.commands.values())
        return self


@lru_cache(maxsize=256)
def read_operands(text: str) -> tuple[Operand, ...]:
    """Raises ValueError where it is no list of effects."""
    found = tuple(Operand(_effect(item.removesuffix("*")), item.endswith("*")) for item in text.split())
    if sum(operand.repeated for operand in found) > 1:
        raise ValueError(f"only one operand may be repeated: {text!r}")
    return found


def _effect(text: str) -> Effect:
    for effect in get_args(Effect):
        if effect == text:
            return effect
    raise ValueError(f"{text!r} is no effect")


@lru_cache(maxsize=1)
def broken() -> Table:
    """Stands for a table that cannot be read: it knows nothing, so everything asks."""
    return Table(names=("",), does="is in a table that cannot be read", exactly=True)


@lru_cache(maxsize=256)
def read_table(stem: str) -> Table:
    """Read when a command line first needs it."""
    try:
        return Table.model_validate(orjson.loads(TABLES[stem]))
    except (KeyError, orjson.JSONDecodeError, ValidationError):
        return broken()


def table_of(name: str) -> Table | None:
    """What is known of a program; None = nothing."""
    stem = NAMES.get(name)
    return None if stem is None else read_table(stem)
