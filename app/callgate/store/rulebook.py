"""The rule book: all rules in force: those that settings mean, the configuration's, saved ones and this session's.

Nothing here judges a call. A rule that cannot be read never loosens anything: it asks, and `faults` says why. Changes
are written to `rules.toml` at once; where that fails they hold in memory only, and `faults` says that too.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from callgate.core.calls.invocation import GRANT_SCOPES, GrantScope
from callgate.core.config.settings import RuleSettings, Settings
from callgate.core.errors import UserFault
from callgate.core.ids import new_id
from callgate.core.rules.glob import glob_matches
from callgate.core.rules.policy import Rule
from callgate.core.rules.vscode_settings import GLOBAL, rules_from
from callgate.store.files.reviewed_rules import ReviewedRules
from callgate.store.files.rules_file import Contents, RulesFile
from callgate.store.files.saved_rules import content_id, distinct, rule_of, stand_in
from callgate.store.session_rules import SessionRules, with_one_use_less

_MEMORY_ONLY = "The file is left as it is; what is granted now holds only until Callgate ends."


class Rulebook:
    """Not for several threads. Files are small and read or written at once, by the caller's thread."""

    def __init__(
        self,
        path: Path,
        config: Settings | Sequence[RuleSettings] = (),
        workspace: Path | None = None,
        clock: Callable[[], float] = time.time,
        *,
        reviewed: ReviewedRules | None = None,
    ) -> None:
        """`config` = all settings, or only the rules among them. `reviewed`: what counts of the file; None = all."""
        self._reviewed = reviewed
        self._file = RulesFile(path, reviewed.wrote if reviewed is not None else None)
        self._clock = clock
        self._settings: tuple[Rule, ...] = ()
        self._workspace = str(workspace.resolve()) if workspace is not None else ""
        self._listeners: list[Callable[[], None]] = []
        self._config: tuple[Rule, ...] = ()
        self._config_faults: tuple[str, ...] = ()
        self._contents = Contents()
        self._session = SessionRules()
        self._file_fault = ""
        self._write_fault = ""
        self._spent: dict[str, int] = {}
        self._unwritten: dict[str, int] = {}
        """Uses left of saved rules, where the file could not be told."""
        self._switched_on: dict[str, float] = {}
        self._read_file()
        self._read_config(config)

    def rules(self) -> tuple[Rule, ...]:
        """All that count here: settings, configuration, always, this workspace, and those that are only in memory."""
        saved = [entry.rule for entry in self._contents.entries if entry.workspace in ("", self._workspace)]
        saved.sort(key=lambda rule: rule.origin == "workspace")
        return (*self._settings, *map(self._with_uses_left, self._config), *saved, *self._session.rules)

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the rules now, in words for the person."""
        entries = (f"{self._file.path}, {entry.problem}" for entry in self._contents.entries if entry.problem)
        said = dict.fromkeys((*self._config_faults, *entries, self._file_fault, self._write_fault))
        return tuple(fault for fault in said if fault)

    def on_change(self, listener: Callable[[], None]) -> None:
        """`listener` is called whenever `rules()` or `faults()` would answer differently."""
        self._listeners.append(listener)

    def configure(self, config: Settings | Sequence[RuleSettings]) -> None:
        """Takes the rules of a configuration that was read again."""
        self._read_config(config)
        self._changed()

    def reload(self) -> None:
        """Reads `rules.toml` again; one that cannot be read leaves what was last read in force."""
        self._write_fault = ""
        self._read_file()
        self._changed()

    def add(self, rule: Rule, scope: GrantScope) -> Rule:
        """Grants a rule. What is returned says where it really went: `session` if it could not be saved.

        Raises `UserFault`, with nothing changed, where `problem_with` has something to say.
        """
        if problem := self.problem_with(rule, scope):
            raise UserFault(problem)
        fresh = replace(rule, id=new_id("rule"), origin=scope)
        if scope not in ("workspace", "always"):
            self._session.add(fresh)
        elif not self._save(fresh, scope):
            fresh = replace(fresh, origin="session")
            self._session.add(fresh)
        self._changed()
        return fresh

    def problem_with(self, rule: Rule, scope: GrantScope) -> str:
        """Why a rule can't be granted for this scope; empty = it can."""
        if scope == "workspace" and not self._workspace:
            return "No workspace is open, so a rule cannot be saved for it."
        return self._session.problem_with(rule, scope)

    def enter_turn(self, conversation_id: str, exchange_id: str, *, begins: bool) -> str:
        """The turn that an exchange belongs to; rules for the conversation's turn before it end here."""
        turn, ended = self._session.enter_turn(conversation_id, exchange_id, begins=begins)
        if ended:
            self._changed()
        return turn

    def forget(self, conversation_id: str) -> None:
        """Ends the rules that hold in one conversation only."""
        if self._session.forget(conversation_id):
            self._changed()

    def remove(self, rule_id: str) -> bool:
        """Takes a granted rule away; False if there is none. Raises `UserFault` if it must be done by hand."""
        rule = self._find(rule_id)
        if rule is None:
            return False
        if self._session.has(rule_id):
            self._session.remove(rule_id)
        elif rule.origin == "config":
            raise UserFault(f"The rule “{rule}” is part of the configuration file: remove it there.")
        elif rule.origin == "setting":
            raise UserFault(f"The rule “{rule}” is the setting {rule.note}: change it in the configuration file.")
        else:
            self._file.remove(frozenset({rule_id}))
            self._read_file()
            if self._find(rule_id) is not None:
                raise UserFault(
                    f"The rule “{rule}” was removed from {self._file.path.name} outside Callgate: review that."
                )
        self._changed()
        return True

    def use(self, rule_id: str) -> None:
        """Counts one use of a rule that has a limited number of them."""
        rule = self._find(rule_id)
        if rule is None or not rule.uses:
            return
        # first in memory, so that it counts even if it cannot be written
        if self._session.has(rule_id):
            self._session.change(rule_id, with_one_use_less)
        elif rule.origin == "config":
            times = self._spent[rule_id] = self._spent.get(rule_id, 0) + 1
            self._try_to_write(lambda: self._file.set_spent(rule_id, times))
        else:
            self._unwritten[rule_id] = rule.uses - 1
            self._contents = self._counted(self._contents)
            if self._try_to_write(lambda: self._file.set_uses(rule_id, self._unwritten[rule_id])):
                del self._unwritten[rule_id]
        self._changed()

    def reset(self, scopes: Collection[GrantScope] = GRANT_SCOPES) -> None:
        """Takes away everything granted in these scopes (`workspace` = in any). Raises `UserFault` if it cannot."""
        self._session.reset(scopes)
        try:
            gone = frozenset(e.rule.id for e in self._file.read().entries if e.rule.origin in scopes)
            if gone:
                self._file.remove(gone)
            self._read_file()
        finally:
            self._changed()

    def suspended(self, current: Mapping[tuple[str, str], str]) -> tuple[Rule, ...]:
        """Rules for a definition that their tool no longer has. `current` = fingerprints by tool and source.

        A tool that is not there at all suspends nothing: its source may only be away.
        """
        return tuple(rule for rule in self.rules() if rule.fingerprint and _outdated(rule, current))

    def reaccept(self, rule_id: str, fingerprint: str) -> Rule | None:
        """Lets a granted rule hold for a tool as it is defined now; None if there is no such rule.

        Raises `UserFault`, with the rule as it was, if that cannot be saved.
        """
        if not fingerprint:
            raise ValueError("a rule is accepted for one definition, never for any")
        rule = self._find(rule_id)
        if rule is None:
            return None
        if self._session.has(rule_id):
            self._session.change(rule_id, lambda known: replace(known, fingerprint=fingerprint))
        elif rule.origin not in ("workspace", "always"):
            raise UserFault(f"The rule “{rule}” is bound to no definition of its tool.")
        else:
            self._file.set_fingerprint(rule_id, fingerprint)
            self._read_file()
        self._changed()
        return self._find(rule_id)

    def _find(self, rule_id: str) -> Rule | None:
        return next((rule for rule in self.rules() if rule.id == rule_id), None)

    def _save(self, rule: Rule, scope: GrantScope) -> bool:
        place = self._workspace if scope == "workspace" else ""
        if not self._try_to_write(lambda: self._file.append(rule, place)):
            return False
        self._read_file()
        return True

    def _try_to_write(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except UserFault as fault:
            self._write_fault = f"{fault}. {_MEMORY_ONLY}"
            return False
        self._write_fault = ""
        return True

    def _read_file(self) -> None:
        try:
            found, text = self._file.read_whole()
            counting = self._reviewed.counting(found, text) if self._reviewed is not None else found
            self._contents = self._counted(counting)
        except UserFault as fault:
            self._file_fault = f"{fault}. {_MEMORY_ONLY}"
            return
        self._file_fault = ""
        for name, times in self._contents.spent:
            # what could not be written has been used all the same
            self._spent[name] = max(times, self._spent.get(name, 0))
        self._switched_on.update(self._contents.switched_on)

    def _counted(self, contents: Contents) -> Contents:
        """The same, with uses that the file does not know of counted."""
        entries = tuple(
            replace(entry, rule=replace(entry.rule, uses=min(entry.rule.uses, self._unwritten[entry.rule.id])))
            if entry.rule.uses is not None and entry.rule.id in self._unwritten
            else entry
            for entry in contents.entries
        )
        return replace(contents, entries=entries)

    def _read_config(self, config: Settings | Sequence[RuleSettings]) -> None:
        self._settings = ()
        if isinstance(config, Settings):
            self._settings = rules_from(config, self._on_since(GLOBAL, on=config.chat.tools.everything.auto_approve))
            config = config.rules
        ids = distinct([content_id("config", settings.model_dump()) for settings in config])
        rules: list[Rule] = []
        faults: list[str] = []
        for rule_id, settings in zip(ids, config, strict=True):
            try:
                rules.append(rule_of(settings, rule_id, "config"))
            except ValueError as error:
                faults.append(f"configuration, rule for {settings.tool}: expires: {error}")
                rules.append(stand_in(settings.verdict, settings.tool, rule_id, "config", f"expires: {error}"))
        self._config, self._config_faults = tuple(rules), tuple(faults)

    def _on_since(self, setting: str, *, on: bool) -> float:
        """When a setting was switched on. It is written down: a restart must not make a short time longer."""
        now = self._clock()
        if not on:
            if self._switched_on.pop(setting, None) is not None:
                self._try_to_write(lambda: self._file.set_switched_on(setting, None))
            return now
        # a moment that is still to come was not noted by this clock
        since = min(self._switched_on.get(setting, now), now)
        if setting not in self._switched_on:
            self._switched_on[setting] = since
            self._try_to_write(lambda: self._file.set_switched_on(setting, since))
        return since

    def _with_uses_left(self, rule: Rule) -> Rule:
        if rule.uses is None:
            return rule
        return replace(rule, uses=max(0, rule.uses - self._spent.get(rule.id, 0)))

    def _changed(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _outdated(rule: Rule, current: Mapping[tuple[str, str], str]) -> bool:
    found = {
        fingerprint
        for (tool, source), fingerprint in current.items()
        if glob_matches(rule.tool, tool) and glob_matches(rule.source, source)
    }
    return bool(found) and rule.fingerprint not in found
