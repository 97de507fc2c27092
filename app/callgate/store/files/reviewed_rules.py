"""What counts of `rules.toml`: the rules that were accepted, and of all others what restricts."""

from pathlib import Path

from callgate.core.config.items import Items, identical, rule_items
from callgate.core.messages import Json
from callgate.store.files.reviewed_files import ReviewedFiles
from callgate.store.files.rules_file import Contents
from callgate.store.files.saved_rules import Entry, read_entries, spelled


class ReviewedRules:
    def __init__(self, path: Path, files: ReviewedFiles) -> None:
        self._path, self._files = path, files

    def counting(self, found: Contents, text: str | None) -> Contents:
        """The same contents as far as they count. Entries that cannot be read restrict, so they always do."""
        items = items_of(found)
        holding = self._files.look(self._path, "rules", items, text)
        if identical(holding, items):
            return found
        by_key = dict(zip(_rules(items), (entry for entry in found.entries if not entry.problem), strict=True))
        entries = [
            by_key[key] if key in by_key and items[key] == value else _entry(value)
            for key, value in _rules(holding).items()
        ]
        spent = ((key.removeprefix("spent:"), times) for key, times in holding.items() if key.startswith("spent:"))
        on = ((key.removeprefix("on:"), moment) for key, moment in holding.items() if key.startswith("on:"))
        return Contents(
            (*entries, *(entry for entry in found.entries if entry.problem)),
            tuple((name, times) for name, times in spent if isinstance(times, int)),
            tuple((name, float(moment)) for name, moment in on if isinstance(moment, int | float)),
        )

    def wrote(self, before: Contents, after: Contents, text: str) -> None:
        self._files.wrote(self._path, items_of(before), items_of(after), text)


def items_of(contents: Contents) -> Items:
    items = rule_items(_table(entry) for entry in contents.entries if not entry.problem)
    items |= {f"spent:{name}": times for name, times in contents.spent}
    return items | {f"on:{name}": moment for name, moment in contents.switched_on}


def _table(entry: Entry) -> dict[str, Json]:
    return dict(spelled(entry.rule, entry.workspace))


def _entry(table: Json) -> Entry:
    return read_entries([table], {})[0]


def _rules(items: Items) -> Items:
    return {key: value for key, value in items.items() if key.startswith("rule:")}
