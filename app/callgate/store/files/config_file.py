"""The configuration file: TOML in, `Settings` out, and for everything that cannot be: file, line, key, expectation.

Reads only; nothing here ever writes the person's file. What the settings mean is the business of others.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import cast

import platformdirs
from pydantic import ValidationError

from callgate.core.config.settings import Settings
from callgate.core.errors import UserFault
from callgate.core.rules.chat_settings import spread_path
from callgate.store.files.expectations import complaint, spell
from callgate.store.files.expiry import read_expiry
from callgate.store.files.toml_lines import KeyPath, key_lines, line_of

FILE_NAME = "callgate.toml"
ENABLE_TOOLS = "CALLGATE_ENABLE_TOOLS"

_OFF = frozenset({"false", "0", "no", "off"})
_ON = frozenset({"", "true", "1", "yes", "on"})
_BAD_KEY = "[key]"
"""How pydantic marks that a key itself is wrong, not what it holds."""
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")

Table = dict[str, object]
Counted = Callable[[Settings, str], Settings]
"""What counts of the settings that were found, given the file's text."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a configuration."""

    message: str
    line: int | None = None
    key: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        return f"{place}{self.key}: {self.message}" if self.key else f"{place}{self.message}"


class ConfigFault(UserFault):
    """A configuration that cannot be used; `problems` has every reason, in the order of the file."""

    def __init__(self, where: Path | str, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(f"{where}, {problem}" for problem in problems))
        self.where = where
        self.problems = problems


def usual_config() -> Path:
    return platformdirs.user_config_path("callgate", appauthor=False) / FILE_NAME


def find_config(explicit: Path | None = None) -> Path | None:
    """The file to read: the one that was asked for, else the person's own; None = there is none, all defaults."""
    if explicit is not None:
        return explicit
    usual = usual_config()
    return usual if usual.exists() else None


def _as_found(settings: Settings, _text: str) -> Settings:
    return settings


def read_config(path: Path | None, environ: Mapping[str, str] = os.environ, counted: Counted = _as_found) -> Settings:
    """The settings in force: the file's (None = all defaults), with the environment's switch on top."""
    return _in_force(*_found(path), environ, counted)


def _found(path: Path | None) -> tuple[Settings, str]:
    text = _text(path) if path is not None else ""
    return (_read_text(path, text) if path is not None else Settings()), text


def _in_force(found: Settings, text: str, environ: Mapping[str, str], counted: Counted) -> Settings:
    settings = counted(found, text)
    if _tools_switched_off(environ):
        gate = settings.gate.model_copy(update={"tools_enabled": False})
        return settings.model_copy(update={"gate": gate})
    return settings


class ConfigFile:
    """A configuration that can be read again while the program runs; a bad file leaves the last good one in force."""

    def __init__(
        self, path: Path | None, environ: Mapping[str, str] = os.environ, counted: Counted = _as_found
    ) -> None:
        self.path = path
        self._environ = environ
        self._counted = counted
        self.current: Settings = read_config(path, environ, counted)

    def reload(self) -> ConfigFault | None:
        """Reads the file again; returns what is wrong with it, if anything is."""
        return self.take(self.find())

    def find(self) -> tuple[Settings, str] | ConfigFault:
        """What the file says now, and its text, or what is wrong with it. Changes nothing: a thread may call it."""
        try:
            return _found(self.path)
        except ConfigFault as fault:
            return fault

    def take(self, found: tuple[Settings, str] | ConfigFault) -> ConfigFault | None:
        """Lets what was found count, as far as it does; returns what is wrong with it, if anything is."""
        if isinstance(found, ConfigFault):
            return found
        try:
            self.current = _in_force(*found, self._environ, self._counted)
        except ConfigFault as fault:
            return fault
        return None


def _tools_switched_off(environ: Mapping[str, str]) -> bool:
    word = environ.get(ENABLE_TOOLS, "").strip().lower()
    if word not in _OFF | _ON:
        raise ConfigFault("environment", (Problem(f"expected true or false, got {word!r}", key=ENABLE_TOOLS),))
    return word in _OFF


def _read_text(path: Path, text: str) -> Settings:
    try:
        data: Table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigFault(path, (_syntax_problem(error, text),)) from error
    lines = _nested_lines(key_lines(text))
    data = _with_times_as_text(data)
    problems = [*_twice_named(data, lines), *_bad_times(data, lines)]
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        for detail in error.errors():
            path_in_file = tuple(step for step in detail["loc"] if step != _BAD_KEY)
            if path_in_file:
                problems.append(_problem(lines, path_in_file, complaint(detail)))
            elif not problems:  # of the whole: names given twice, which were found above with their lines
                problems.append(Problem(complaint(detail)))
        raise ConfigFault(path, _in_order(problems)) from error
    if problems:
        raise ConfigFault(path, _in_order(problems))
    return settings


def _nested_lines(lines: dict[KeyPath, int]) -> dict[KeyPath, int]:
    """The settings that may be spelled as one quoted key are found under their nested spelling."""
    nested: dict[KeyPath, int] = {}
    for written, line in lines.items():
        path = spread_path(written)
        nested[path] = min(line, nested.get(path, line))
        for end in range(1, len(path) if len(path) > len(written) else 1):
            nested.setdefault(path[:end], line)
    return nested


_ANY_TOML = "expected `key = value` or `[section]`"
_TOML_ADVICE = {
    "Invalid value": "expected text in quotes, a number, true or false",
    "Cannot overwrite a value": "this key is given twice",
    'Expected "\'"': "a quote is never closed",
    "Unterminated string": "a quote is never closed",
    "Illegal character '\\n'": "a quote is never closed on its line",
    "Cannot declare ('rules',) twice": "each rule begins with [[rules]], in two brackets",
}
"""What to do about what the library says."""


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigFault(path, (Problem(f"the file cannot be read: {error.strerror or error}"),)) from error
    try:
        # some editors begin a file with a byte-order mark, which TOML does not know; and its lines end in \n
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise ConfigFault(path, (Problem("expected UTF-8 text, found other bytes", line),)) from error


def _syntax_problem(error: tomllib.TOMLDecodeError, text: str) -> Problem:
    message = str(error)
    place = _TOML_PLACE.search(message)
    line = int(place[1]) if place and place[1] else text.rstrip("\n").count("\n") + 1
    said = _TOML_PLACE.sub("", message)
    written = text.split("\n")[line - 1]
    key = written.partition("=")[0].strip() if "=" in written and not written.lstrip().startswith("#") else ""
    return Problem(f"not valid TOML, {_TOML_ADVICE.get(said, _ANY_TOML)}: {said}", line, key)


def _problem(lines: dict[KeyPath, int], path: KeyPath, message: str) -> Problem:
    line, found = line_of(lines, path)
    # a missing key is not written anywhere: its section's line, but its own name
    missing = path if not any(isinstance(step, int) for step in path[len(found) :]) else found
    return Problem(message, line, spell(missing))


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: problem.line or 0))


def _tables(data: Table, name: str) -> Iterator[tuple[int, Table]]:
    """The tables of an array of tables; what is none is left to the validation of `Settings`."""
    items = data.get(name)
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield index, cast(Table, item)


def _twice_named(data: Table, lines: dict[KeyPath, int]) -> Iterator[Problem]:
    for what in ("upstreams", "sources"):
        first: dict[object, int] = {}
        for index, table in _tables(data, what):
            name = table.get("name")
            if not isinstance(name, str):
                continue
            if name in first:
                earlier, _ = line_of(lines, (what, first[name], "name"))
                said = f"expected a name of its own, but {name!r} is already taken on line {earlier}"
                yield _problem(lines, (what, index, "name"), said)
            else:
                first[name] = index


def _bad_times(data: Table, lines: dict[KeyPath, int]) -> Iterator[Problem]:
    for index, table in _tables(data, "rules"):
        expires = table.get("expires")
        if isinstance(expires, str):
            try:
                read_expiry(expires)
            except ValueError as error:
                yield _problem(lines, ("rules", index, "expires"), str(error))


def _with_times_as_text(data: Table) -> Table:
    """TOML has times of its own; `expires = 2030-01-31` without quotes means the same as with them."""
    rules = data.get("rules")
    if not isinstance(rules, list):
        return data
    return {**data, "rules": [_with_time_as_text(rule) for rule in rules]}


def _with_time_as_text(rule: object) -> object:
    if isinstance(rule, dict) and isinstance(rule.get("expires"), date | datetime):
        return {**rule, "expires": rule["expires"].isoformat()}
    return rule
