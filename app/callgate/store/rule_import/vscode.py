"""The approval settings of VS Code: `chat.tools.*` in its `settings.json`, and the older names of the same.

What a file unsets or allows is seen on top of what VS Code withholds by itself: `/.*/` approves every command there,
but not `rm`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import ValidationError

from callgate.core.messages import Json
from callgate.core.rules.chat_settings import ChatTools, spread_keys
from callgate.core.rules.policy import Rule
from callgate.core.rules.vscode_settings import EDITS, ELIGIBLE, GLOBAL, TERMINAL, URLS, chat_rules
from callgate.store.rule_import import vscode_defaults as defaults
from callgate.store.rule_import.report import Collecting, ImportReport

PROGRAM = "VS Code"
ENABLED = "chat.tools.terminal.enableAutoApprove"
NO_DEFAULTS = "chat.tools.terminal.ignoreDefaultAutoApproveRules"
WRITES = "chat.tools.terminal.blockDetectedFileWrites"
_OLDER = {
    "chat.tools.autoApprove": GLOBAL,
    "chat.agent.terminal.autoApprove": TERMINAL,
    "chat.agent.terminal.allowList": TERMINAL,
    "chat.agent.terminal.denyList": TERMINAL,
    "github.copilot.chat.agent.terminal.allowList": TERMINAL,
    "github.copilot.chat.agent.terminal.denyList": TERMINAL,
    "chat.tools.fetchPage.approvedUrls": URLS,
}
_MAPS = (EDITS, URLS, TERMINAL, ELIGIBLE)
_KINDS = {EDITS: "edits~.", URLS: "urls~.", TERMINAL: "command~."}
"""Conditions for all that a map is about."""
_WRITING = r"line~'>' or command~'^(\S*/)?(tee|sed|dd|cp|mv|install|truncate|touch|ln)(?=\s|\Z)'"
_UNSAID = {
    NO_DEFAULTS: "",
    "chat.tools.terminal.autoApproveWorkspaceNpmScripts": "scripts of package.json are not read here: they ask",
}


def concerns_approval(key: str) -> bool:
    return key.startswith("chat.tools.") or key in _OLDER


def import_vscode(settings: Mapping[str, Json], source: str = "") -> ImportReport:
    return _Import(settings, Collecting(PROGRAM, source)).report()


class _Import:
    def __init__(self, settings: Mapping[str, Json], collecting: Collecting) -> None:
        self._settings = settings
        self._collecting = collecting
        self._maps: dict[str, dict[str, Json]] = {name: {} for name in _MAPS}

    def report(self) -> ImportReport:
        for key, value in self._settings.items():
            if concerns_approval(key):
                self._setting(key, value)
        self._begin_with_defaults()
        tools = _validated({name: entries for name, entries in self._maps.items() if entries and name != ELIGIBLE})
        rules = (replace(rule, origin="config", id="", grantable=True) for rule in chat_rules(tools, 0.0))
        self._collecting.rules += (*self._asking(), *rules)
        return self._collecting.report()

    # ---- one setting -----------------------------------------------------------------------------------------------

    def _setting(self, key: str, value: Json) -> None:
        name = _OLDER.get(key, key)
        if name == GLOBAL:
            if value is True:
                why = "it must be switched on in Callgate's own configuration, where its warning is acknowledged"
                self._collecting.skip(key, why)
        elif name == ENABLED:
            if value is not True:
                self._ask("command~.", key, "no command is approved by a rule there")
        elif name == WRITES:
            if value == "all":
                self._ask(_WRITING, key, "what may write a file is told from the line and the program")
            elif value == "never":
                self._collecting.skip(key, "what is written outside the workspace asks here in any case")
        elif name not in self._maps:
            why = _UNSAID.get(key, "Callgate has no such setting")
            if why:
                self._collecting.skip(key, why)
        elif not isinstance(value, Mapping):
            self._collecting.skip(key, "expected an object")
        else:
            for entry, meaning in _entries(key, value):
                self._entry(key, name, entry, meaning)

    def _entry(self, key: str, name: str, entry: str, meaning: Json) -> None:
        if name == ELIGIBLE:
            if meaning is False:
                self._maps[name][entry] = False
            elif meaning is not True:
                self._collecting.skip(f"{name}: {entry}", "expected true or false", at=entry)
            return
        if key.endswith(".allowList") and meaning is not False:
            self._collecting.skip(f"{key}: {entry}", "VS Code does not read this setting any more", at=entry)
            return
        why = _unreadable(name, entry, meaning)
        if not why:
            # of two spellings of a setting, the stricter one counts
            if not _withholds(self._maps[name].get(entry)):
                self._maps[name][entry] = meaning
        elif _withholds(meaning):
            self._ask(_KINDS[name], f"{name}: {entry}", f"{why}; all of its kind is meant now", at=entry)
        else:
            self._collecting.skip(f"{name}: {entry}", why, at=entry)

    def _ask(self, when: str, text: str, why: str, at: str = "") -> None:
        self._collecting.add("ask", ("*",), when, text)
        self._collecting.stricter(text, why, at or text)

    # ---- all of them -----------------------------------------------------------------------------------------------

    def _begin_with_defaults(self) -> None:
        edits, commands = self._maps[EDITS], self._maps[TERMINAL]
        if any(value is True for value in edits.values()):
            # an entry of the file that withholds keeps its own place: the later one wins
            kept = {glob: value for glob, value in defaults.EDITS.items() if edits.get(glob) is not False}
            merged: dict[str, Json] = {**kept, **edits}
            if defaults.EVERY_FILE not in edits:
                merged.pop(defaults.EVERY_FILE, None)
            self._maps[EDITS] = merged
        allowed = [entry for entry, value in commands.items() if not _withholds(value) and _says(value)]
        if not allowed or self._settings.get(NO_DEFAULTS) is True:
            return
        broad = any(entry.startswith("/") or isinstance(commands[entry], Mapping) for entry in allowed)
        programs = {entry.split()[0] for entry in allowed}
        for pattern, program in defaults.WITHHELD_PATTERNS.items():
            if broad or program in programs:
                commands.setdefault(pattern, False)
        if broad:
            for name in defaults.WITHHELD_COMMANDS:
                commands.setdefault(name, False)

    def _asking(self) -> Iterator[Rule]:
        """What is never approved by a setting, as far as it can be told here which tool that is."""
        for entry in self._maps[ELIGIBLE]:
            last = entry.rpartition("/")[2]
            names = dict.fromkeys((entry, last, _snake(last), f"*_{_snake(last)}"))
            note = f"{ELIGIBLE}: {entry}"
            yield from (Rule("ask", name, note=note, grantable=False) for name in names)
            when = defaults.FAMILIES.get(re.sub(r"[\W_]", "", last).lower())
            if when:
                yield Rule("ask", when=when, note=note, grantable=False)


def _entries(key: str, value: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    refuses = key.endswith(".denyList")
    for entry, meaning in value.items():
        # an entry of the deny list says true for “refuse it”
        yield entry, (False if meaning is True else None) if refuses else meaning


def _withholds(meaning: Json) -> bool:
    """Whether an entry keeps something from being approved."""
    if isinstance(meaning, Mapping):
        return any(meaning.get(key) is False for key in ("approve", "approveRequest", "approveResponse"))
    return meaning is False


def _says(meaning: Json) -> bool:
    return meaning is True or (isinstance(meaning, Mapping) and meaning.get("approve") is True)


def _unreadable(name: str, entry: str, meaning: Json) -> str:
    """Why an entry cannot be taken over; empty = it can."""
    try:
        # what approves is read otherwise than what withholds: both must be possible
        chat_rules(_validated({name: {entry: meaning}}), 0.0)
    except ValidationError as error:
        detail = error.errors()[0]
        return str(detail["ctx"]["error"]) if "ctx" in detail and "error" in detail["ctx"] else detail["msg"]
    except ValueError as error:
        return str(error)
    return ""


def _validated(settings: Mapping[str, object]) -> ChatTools:
    chat = spread_keys(settings).get("chat")
    return ChatTools.model_validate(chat["tools"] if isinstance(chat, dict) else {})


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
