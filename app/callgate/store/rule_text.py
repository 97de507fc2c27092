"""Rules as a person would write them into `callgate.toml`. The other way is the business of the readers."""

from collections.abc import Iterable

import tomlkit

from callgate.core.policy import Rule
from callgate.store.saved_rules import spelled


def rules_toml(rules: Iterable[Rule]) -> str:
    document = tomlkit.document()
    tables = tomlkit.aot()
    for rule in rules:
        table = tomlkit.table()
        for key, value in spelled(rule, ""):
            if key != "id":
                table.add(key, _value(value))
        tables.append(table)
    if tables:
        document.append("rules", tables)
    return tomlkit.dumps(document)


def _value(value: str | int | bool) -> object:
    # expressions are full of backslashes, which literal strings leave alone
    if not isinstance(value, str) or "\\" not in value or "'''" in value or value.endswith("'"):
        return value
    if any(ord(char) < 32 or ord(char) == 127 for char in value):
        return value
    return tomlkit.string(value, literal=True, multiline="'" in value)
