"""Filters that the person gave a name, remembered between runs. Knows settings, no widgets."""

from PySide6.QtCore import QSettings

_KEY = "tools/filters"


class SavedFilters:
    def __init__(self, settings: QSettings | None) -> None:
        self._settings = settings
        self._filters = _read(settings)

    def all(self) -> dict[str, str]:
        """Name → what was typed, by name."""
        return dict(sorted(self._filters.items(), key=lambda pair: pair[0].casefold()))

    def save(self, name: str, text: str) -> None:
        """A filter of the same name is replaced."""
        self._filters[name] = text
        self._write()

    def remove(self, name: str) -> None:
        self._filters.pop(name, None)
        self._write()

    def name_of(self, text: str) -> str:
        """The name of just this filter; empty if it is not saved."""
        return next((name for name, held in self._filters.items() if held == text.strip()), "")

    def _write(self) -> None:
        if self._settings is not None:
            self._settings.setValue(_KEY, [part for pair in self._filters.items() for part in pair])


def _read(settings: QSettings | None) -> dict[str, str]:
    held = settings.value(_KEY) if settings is not None else None
    if not isinstance(held, list) or len(held) % 2:
        return {}
    parts = [str(part) for part in held]
    return dict(zip(parts[::2], parts[1::2], strict=True))
