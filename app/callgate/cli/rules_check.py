"""`callgate rules`: explains the rules of a file, tries their examples, and takes over those of other programs.

Answers with an exit code and what to say; saying it is the business of the command line. Files may be configurations
or `rules.toml`; nothing is written.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from callgate.core.calls.targets import targets_of
from callgate.core.config.settings import RuleSettings, Settings
from callgate.core.errors import UserFault
from callgate.core.rules.match import ExpressionError, parse
from callgate.core.rules.policy import Call, Policy, Rule
from callgate.core.rules.rule_words import rule_words
from callgate.core.rules.vscode_settings import rules_from
from callgate.store.files.config_file import read_config
from callgate.store.files.rule_text import rules_toml
from callgate.store.files.rules_file import TABLES
from callgate.store.files.saved_rules import SavedRule, read_entries, rule_of
from callgate.store.files.toml_lines import KeyPath, key_lines, line_of
from callgate.store.rule_import import import_file

Said = tuple[int, str]
"""An exit code, and what the person is told."""

_ANY_KIND = ("terminal", "files", "write", "web")
"""Tags for an example: its arguments tell what it does, whatever tool they are for."""
_INDENT = "     "


@dataclass(frozen=True, slots=True)
class _Listed:
    """A rule of the file."""

    path: Path
    text: str
    index: int
    lines: dict[KeyPath, int]
    settings: RuleSettings | None
    rule: Rule
    problem: str = ""
    """Why it cannot be read at all."""

    def place(self, *keys: str | int) -> str:
        line, _ = line_of(self.lines, ("rules", self.index, *keys))
        return f"{self.path}:{line}"


def check(path: Path) -> Said:
    """0 only if every rule can be read and all examples hold. Raises `UserFault` for a file that is none."""
    text = _text(path)
    listed, meant = _read(path, text)
    out: list[str] = []
    broken = failed = examples = 0
    for entry in listed:
        out.append(f"{entry.index + 1:3}. {_in_words(entry.rule)}")
        problem = _problem(entry)
        if problem:
            broken += 1
            out += (f"{_INDENT}{line}" for line in problem)
            continue
        misses = list(_failures(entry))
        examples += len(entry.settings.matches) + len(entry.settings.spares) if entry.settings else 0
        failed += len(misses)
        out += (f"{_INDENT}{line}" for line in misses)
    out += (f"  +. {_in_words(rule)}" for rule in meant)
    out.append(_summary(len(listed), len(meant), broken, examples, failed))
    return (1 if broken or failed else 0), "\n".join(out)


def imported(path: Path, workspace: Path) -> tuple[str, str]:
    """The rules of another program as TOML, and what is to be said of them."""
    report = import_file(path, workspace.as_posix())
    remarks = [f"{report.program}: {_count(len(report.rules), 'rule')}"]
    remarks += (f"not taken over: {text}\n{_INDENT}{why}" for text, why in report.skipped)
    remarks += (f"stricter than it was: {text}\n{_INDENT}{why}" for text, why in report.widened)
    return rules_toml(report.rules), "\n".join(remarks)


# ---- reading -------------------------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise UserFault(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserFault(f"{path} cannot be read: it is not UTF-8 text") from error


def _read(path: Path, text: str) -> tuple[list[_Listed], tuple[Rule, ...]]:
    """The file's own rules, and those that its settings mean."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        data = {}  # the reader of configurations says it better
    tables = data.get("rules")
    if data and set(data) <= TABLES and isinstance(tables, list):
        return _saved(path, text, tables), ()
    settings: Settings = read_config(path, {})
    lines = key_lines(text)
    listed = [
        _Listed(path, text, index, lines, one, rule_of(one, "", "config")) for index, one in enumerate(settings.rules)
    ]
    return listed, rules_from(settings, 0.0)


def _saved(path: Path, text: str, tables: list[object]) -> list[_Listed]:
    lines = key_lines(text)
    listed: list[_Listed] = []
    for index, entry in enumerate(read_entries(tables, lines)):
        settings = None if entry.problem else SavedRule.model_validate(_plain(tables[index]))
        listed.append(_Listed(path, text, index, lines, settings, entry.rule, entry.problem))
    return listed


def _plain(table: object) -> object:
    """Without the expiry: it was read already, and may be one of TOML's own times."""
    return {key: value for key, value in table.items() if key != "expires"} if isinstance(table, dict) else table


# ---- judging -------------------------------------------------------------------------------------------------------


def _problem(entry: _Listed) -> list[str]:
    if entry.problem:
        return [f"{entry.path}, {entry.problem}", "until it is mended, it asks (or goes on denying)"]
    try:
        parse(entry.rule.when)
    except ExpressionError as bad:
        pointed = [f"    {text}" for text in bad.pointed().split("\n")]
        place = f"{entry.path}:{_line_of_error(entry, bad)}"
        return [f"{place}: the expression cannot be read", *pointed, "until it is mended, it asks"]
    return []


def _line_of_error(entry: _Listed, bad: ExpressionError) -> int:
    first = line_of(entry.lines, ("rules", entry.index, "when"))[0] or 1
    # TOML drops a new line that directly follows the quotes
    opening = re.search(r"=\s*('''|\"{3})\s*\Z", entry.text.split("\n")[first - 1]) is not None
    return first + opening + bad.source.count("\n", 0, bad.position)


def _failures(entry: _Listed) -> Iterator[str]:
    """A line for each example that is not as it should be."""
    if entry.settings is None:
        return
    policy = Policy([_bare(entry.rule)])
    for key, examples, wanted in (("matches", entry.settings.matches, True), ("spares", entry.settings.spares, False)):
        for number, example in enumerate(examples):
            place = entry.place(key, number)
            why = _not_an_object(example)
            if why:
                yield f"{place}: example {number + 1} of {key}: {why}"
                continue
            verdict = policy.judge(_call(entry.rule, example), 0.0)
            if (verdict.kind == _bare(entry.rule).verdict) is not wanted:
                said = f"should match, but does not ({verdict.reason})" if wanted else "should be spared, but matches"
                yield f"{place}: {example} {said}"


def _bare(rule: Rule) -> Rule:
    """The rule as it would be for ever, for whoever calls; one that asks is tried as one that denies, to tell it from
    the question that is asked where nothing matches."""
    verdict = "deny" if rule.verdict == "ask" else rule.verdict
    return replace(rule, verdict=verdict, source="*", agent="*", expires=None, uses=None, fingerprint="", note="")


def _call(rule: Rule, example: str) -> Call:
    tool = rule.tool.replace("*", "x").replace("?", "x")
    return Call(tool, "", "", arguments=example, targets=targets_of(tool, example, _ANY_KIND))


def _not_an_object(example: str) -> str:
    try:
        value = orjson.loads(example)
    except orjson.JSONDecodeError as bad:
        return f"not JSON: {bad}"
    return "" if isinstance(value, dict) else "expected a JSON object of arguments"


# ---- words ---------------------------------------------------------------------------------------------------------


def _in_words(rule: Rule) -> str:
    return f"{rule_words(rule)} ({rule.note})" if rule.note else rule_words(rule)


def _summary(rules: int, meant: int, broken: int, examples: int, failed: int) -> str:
    said = [_count(rules, "rule")]
    if meant:
        said.append(f"{meant} more from settings")
    said.append(f"{broken} broken" if broken else "all can be read")
    if examples:
        tried = _count(examples, "example")
        said.append(f"{failed} of {tried} failed" if failed else f"{tried} hold")
    return ", ".join(said)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
