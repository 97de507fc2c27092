"""Rules as a person would write them into `callgate.toml`. The other way is the business of the readers."""

from collections.abc import Iterable

import tomlkit

from callgate.core.rules.policy import Rule
from callgate.store.files.saved_rules import spelled


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
    # expressions are full of quotes and backslashes, which literal strings leave alone
    if isinstance(value, str) and set(value) & set('"\\') and "'" not in value and value.isprintable():
        return tomlkit.string(value, literal=True)
    return value
