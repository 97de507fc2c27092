"""`rules.toml`: the grants that a person saved, one `[[rules]]` table each, in the shape that `callgate.toml` has.

    [[rules]]
    id = "rule_…"                    # given by Callgate; may be left out by hand
    verdict = "allow"
    tool = "read_file"
    workspace = "/home/me/project"   # only there; without it, everywhere
    fingerprint = "…"                # only while the tool's definition stays the same

The file is the person's: comments, order and unknown keys stay, a change replaces the file in one step, and a file that
cannot be read is never written. Which rules are in force is the business of the rule book.
"""

import os
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Item

from callgate.core.errors import UserFault
from callgate.core.rules.policy import Rule
from callgate.store.files.saved_rules import Entry, read_entries, spelled
from callgate.store.files.toml_lines import key_lines

_HEADER = "# Rules that were granted in Callgate's window. Yours to edit: comments and order are kept.\n\n"
_SPENT = "spent"
"""Table: how often rules of the configuration that have `uses` were used."""
_SWITCHED_ON = "switched_on"
"""Table: when settings that hold only for a while were switched on, in epoch seconds."""
TABLES = frozenset({"rules", _SPENT, _SWITCHED_ON})
"""All that Callgate writes into the file."""


@dataclass(frozen=True, slots=True)
class Contents:
    entries: tuple[Entry, ...] = ()
    spent: tuple[tuple[str, int], ...] = ()
    switched_on: tuple[tuple[str, float], ...] = ()


Change = Callable[[tomlkit.TOMLDocument, Contents], None]
Wrote = Callable[[Contents, Contents, str], None]
"""Given what the file held before and after a change of ours, and its text."""


class RulesFile:
    """Every method reads the file anew, so that what a person changed by hand in between is respected.

    All raise `UserFault`, with the file as it was, if it cannot be read or written.
    """

    def __init__(self, path: Path, wrote: Wrote | None = None) -> None:
        self.path = path
        self._wrote = wrote

    def read(self) -> Contents:
        """A missing file is an empty one; an entry that cannot be read is in it with its problem."""
        return self.read_whole()[0]

    def read_whole(self) -> tuple[Contents, str | None]:
        """What it holds, and its text; None = there is no file."""
        text = self._text() if self.path.exists() else None
        return self._contents(text or ""), text

    def append(self, rule: Rule, workspace: str = "") -> None:
        def change(document: tomlkit.TOMLDocument, _: Contents) -> None:
            table = tomlkit.table()
            for key, value in spelled(rule, workspace):
                table.add(key, value)
            rules = document.get("rules")
            if rules is None:
                rules = tomlkit.aot()
                rules.append(table)
                document.append("rules", rules)
            else:
                rules.append(table if isinstance(rules, AoT) else table.unwrap())

        self._edit(change)

    def remove(self, ids: frozenset[str]) -> None:
        def change(document: tomlkit.TOMLDocument, contents: Contents) -> None:
            for index in reversed(range(len(contents.entries))):
                if contents.entries[index].rule.id in ids:
                    _drop(document, index)

        self._edit(change)

    def set_uses(self, rule_id: str, uses: int) -> None:
        def change(document: tomlkit.TOMLDocument, contents: Contents) -> None:
            for index, entry in enumerate(contents.entries):
                if entry.rule.id == rule_id:
                    document["rules"][index]["uses"] = uses  # type: ignore[index]

        self._edit(change)

    def set_fingerprint(self, rule_id: str, fingerprint: str) -> None:
        def change(document: tomlkit.TOMLDocument, contents: Contents) -> None:
            for index, entry in enumerate(contents.entries):
                if entry.rule.id == rule_id:
                    table = document["rules"][index]  # type: ignore[index]
                    # an id made from the content would change with it, and the rule be lost to whoever holds it
                    table["id"] = rule_id  # type: ignore[index]
                    table["fingerprint"] = fingerprint  # type: ignore[index]

        self._edit(change)

    def set_spent(self, rule_id: str, times: int) -> None:
        def change(document: tomlkit.TOMLDocument, _: Contents) -> None:
            if _SPENT not in document:
                document.append(_SPENT, tomlkit.table())
            document[_SPENT][rule_id] = times  # type: ignore[index]

        self._edit(change)

    def set_switched_on(self, setting: str, moment: float | None) -> None:
        """None = it is off."""

        def change(document: tomlkit.TOMLDocument, _: Contents) -> None:
            if _SWITCHED_ON not in document:
                document.append(_SWITCHED_ON, tomlkit.table())
            table = document[_SWITCHED_ON]
            if moment is not None:
                table[setting] = moment  # type: ignore[index]
            elif setting in table:  # type: ignore[operator]
                del table[setting]  # type: ignore[attr-defined]

        self._edit(change)

    def _text(self) -> str:
        try:
            return self.path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise UserFault(f"{self.path} cannot be read: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise UserFault(f"{self.path} cannot be read: it is not UTF-8 text") from error

    def _contents(self, text: str) -> Contents:
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UserFault(f"{self.path} cannot be read: {error}") from error
        tables, spent, on = data.get("rules", []), data.get(_SPENT, {}), data.get(_SWITCHED_ON, {})
        if not isinstance(tables, list) or not isinstance(spent, dict) or not isinstance(on, dict):
            expected = f"[[rules]] tables and at most one table [{_SPENT}] and [{_SWITCHED_ON}]"
            raise UserFault(f"{self.path} cannot be read: expected {expected}")
        counts = tuple((name, times) for name, times in spent.items() if isinstance(times, int))
        moments = tuple((name, float(moment)) for name, moment in on.items() if isinstance(moment, int | float))
        return Contents(read_entries(tables, key_lines(text.replace("\r\n", "\n"))), counts, moments)

    def _edit(self, change: Change) -> None:
        text = self._text()
        contents = self._contents(text)
        try:
            document = tomlkit.parse(text or _HEADER)
            change(document, contents)
            after = tomlkit.dumps(document)
            as_meant = tomllib.loads(after) == document.unwrap()
        except (TOMLKitError, tomllib.TOMLDecodeError) as error:
            raise UserFault(f"{self.path} cannot be changed: {error}") from error
        if not as_meant:  # better no change than a file that says something else than was meant
            raise UserFault(f"{self.path} cannot be changed without changing what else it says")
        try:
            _replace_file(self.path, after)
        except OSError as error:
            raise UserFault(f"{self.path} cannot be written: {error.strerror or error}") from error
        if self._wrote is not None:
            self._wrote(contents, self._contents(after), after)


def _drop(document: tomlkit.TOMLDocument, index: int) -> None:
    """Takes one table out. Comments after its last key are about what follows, and stay."""
    rules = document["rules"]
    if not isinstance(rules, AoT):
        del rules[index]  # type: ignore[union-attr]
        return
    left = _trailing(rules[index].value.body)
    del rules[index]
    text = "".join(item.as_string() for item in left)
    if index < len(rules):
        following = rules[index]
        following.trivia.indent = text.lstrip("\r\n") + following.trivia.indent
    elif index:
        for item in left:
            rules[index - 1].value.append(None, item)
    else:
        del document["rules"]
        for item in left:
            document.append(None, item)


def _trailing(body: Sequence[tuple[object, Item]]) -> list[Item]:
    """The comments at the end of a table, with the blank lines around them; nothing if there are only blank lines."""
    start = len(body)
    while start and body[start - 1][0] is None:
        start -= 1
    items = [item for _, item in body[start:]]
    return items if any(item.as_string().strip() for item in items) else []


def _replace_file(path: Path, text: str) -> None:
    """All or nothing: a program that is killed meanwhile leaves the old file."""
    target = path.resolve()  # a link stays a link
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{target.name}.", dir=target.parent)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
