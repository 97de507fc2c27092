"""The approval settings of VS Code: `chat.tools.*` in its `settings.json`, and the older names of the same."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pydantic import ValidationError

from callgate.core.chat_settings import ChatTools, spread_keys
from callgate.core.messages import Json
from callgate.core.vscode_settings import EDITS, ELIGIBLE, GLOBAL, TERMINAL, URLS, chat_rules
from callgate.store.rule_import.report import Collecting, ImportReport

PROGRAM = "VS Code"
_OLDER = {
    "chat.tools.autoApprove": GLOBAL,
    "chat.agent.terminal.autoApprove": TERMINAL,
    "github.copilot.chat.agent.terminal.allowList": TERMINAL,
    "github.copilot.chat.agent.terminal.denyList": TERMINAL,
    "chat.tools.fetchPage.approvedUrls": URLS,
}
_MAPS = (EDITS, URLS, TERMINAL, ELIGIBLE)


def concerns_approval(key: str) -> bool:
    return key.startswith("chat.tools.") or key in _OLDER


def import_vscode(settings: Mapping[str, Json]) -> ImportReport:
    collecting = Collecting(PROGRAM)
    maps: dict[str, dict[str, Json]] = {name: {} for name in _MAPS}
    for key, value in settings.items():
        if not concerns_approval(key):
            continue
        name = _OLDER.get(key, key)
        if name == GLOBAL:
            if value is True:
                why = "it must be switched on in Callgate's own configuration, where its warning is acknowledged"
                collecting.skipped.append((key, why))
        elif name not in maps:
            collecting.skipped.append((key, "Callgate has no such setting"))
        elif not isinstance(value, Mapping):
            collecting.skipped.append((key, "expected an object"))
        else:
            for entry, meaning in _entries(key, value):
                if _readable(collecting, name, entry, meaning):
                    maps[name][entry] = meaning
    tools = _validated({name: entries for name, entries in maps.items() if entries})
    collecting.rules += (replace(rule, origin="config", id="", grantable=True) for rule in chat_rules(tools, 0.0))
    return collecting.report()


def _entries(key: str, value: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    refuses = key.endswith(".denyList")
    for entry, meaning in value.items():
        # an entry of the deny list says true for “refuse it”
        yield entry, (False if meaning is True else None) if refuses else meaning


def _readable(collecting: Collecting, name: str, entry: str, meaning: Json) -> bool:
    try:
        _validated({name: {entry: meaning}})
    except ValidationError as error:
        detail = error.errors()[0]
        why = str(detail["ctx"]["error"]) if "ctx" in detail and "error" in detail["ctx"] else detail["msg"]
        collecting.skipped.append((f"{name}: {entry}", why))
        return False
    return True


def _validated(settings: Mapping[str, object]) -> ChatTools:
    chat = spread_keys(settings).get("chat")
    return ChatTools.model_validate(chat["tools"] if isinstance(chat, dict) else {})
