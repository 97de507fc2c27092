"""The sources that the person added in the window, and which sources are switched off: `sources.json`.

No secret is ever written here: where one belongs stands `${input:id}`. An entry that can't be read is said, kept as it
is, and harms no other.
"""

from pydantic import ValidationError

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_text import spell_source
from callgate.core.messages import Json
from callgate.store.files.json_file import JsonFile


class SourceFile:
    def __init__(self, file: JsonFile) -> None:
        self._file = file
        self._sources: list[SourceSettings] = []
        self._switches: dict[str, bool] = {}
        self._unreadable: list[Json] = []
        self.problems: list[str] = []
        """What was wrong with the file when it was read, in words."""
        self._read(file.read())
        if file.problem:
            self.problems.append(file.problem)

    def read_again(self) -> None:
        """Takes the file as it counts now. Raises `UserFault`, and nothing has changed then."""
        content = self._file.read_again()
        self._sources, self._switches, self._unreadable, self.problems = [], {}, [], []
        self._read(content)

    @property
    def sources(self) -> tuple[SourceSettings, ...]:
        """In the order in which they were added."""
        return tuple(self._sources)

    def switched(self, name: str) -> bool | None:
        """What was said of a source; None = nothing."""
        return self._switches.get(name)

    def switch(self, name: str, enabled: bool) -> None:
        """Raises `UserFault` where it can't be kept; nothing has changed then."""
        self._save(self._sources, {**self._switches, name: enabled})

    def put(self, kept: SourceSettings, position: int | None = None, replaces: str = "") -> None:
        """A new one at its position, or the one of the same name (or `replaces`) as it is now."""
        name = replaces or kept.name
        sources = list(self._sources)
        at = next((at for at, one in enumerate(sources) if one.name == name), None)
        if at is not None:
            sources[at] = kept
        else:
            sources.insert(len(sources) if position is None else position, kept)
        self._save(sources, self._switches)

    def remove(self, name: str) -> int:
        """Returns where it stood."""
        at = next(at for at, one in enumerate(self._sources) if one.name == name)
        sources = [one for one in self._sources if one.name != name]
        self._save(sources, {known: on for known, on in self._switches.items() if known != name})
        return at

    # ---- the file ---------------------------------------------------------------------------------------------------

    def _read(self, content: Json) -> None:
        if not isinstance(content, dict):
            return
        entries, switches = content.get("sources"), content.get("switches")
        for entry in entries if isinstance(entries, list) else ():
            self._take(entry)
        for name, on in switches.items() if isinstance(switches, dict) else ():
            if isinstance(on, bool):
                self._switches[name] = on

    def _take(self, entry: Json) -> None:
        name = entry.get("name") if isinstance(entry, dict) else None
        try:
            source = SourceSettings.model_validate(entry)
            if any(one.name == source.name for one in self._sources):
                raise ValueError("there is another one of that name")
        except ValidationError as bad:
            first = bad.errors(include_url=False, include_input=False)[0]
            self._put_aside(entry, name, first["msg"].removeprefix("Value error, "))
        except ValueError as bad:
            self._put_aside(entry, name, str(bad))
        else:
            self._sources.append(source)

    def _put_aside(self, entry: Json, name: Json, why: str) -> None:
        self._unreadable.append(entry)
        called = f"The source {name!r}" if isinstance(name, str) else "A source"
        self.problems.append(f"{self._file.path}: {called} can't be used: {why}. It is kept in the file as it is.")

    def _save(self, sources: list[SourceSettings], switches: dict[str, bool]) -> None:
        kept: list[Json] = [spell_source(one) for one in sources]
        self._file.write({"sources": [*kept, *self._unreadable], "switches": dict(switches)})
        self._sources, self._switches = sources, switches
