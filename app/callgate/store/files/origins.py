"""Which web pages of this machine may use Callgate, as the person answered once: `origins.json` in the data folder."""

from dataclasses import dataclass

from callgate.core.messages import Json
from callgate.core.web_origin import read_origin
from callgate.store.files.json_file import JsonFile


@dataclass(frozen=True, slots=True)
class Origins:
    allowed: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()

    def with_answer(self, origin: str, *, allowed: bool) -> "Origins":
        if allowed:
            return Origins(self.allowed | {origin}, self.denied - {origin})
        return Origins(self.allowed - {origin}, self.denied | {origin})


class OriginsFile:
    def __init__(self, file: JsonFile) -> None:
        self._file = file

    @property
    def problem(self) -> str:
        """What was wrong with the file when it was read; empty = nothing."""
        return self._file.problem

    def read(self) -> Origins:
        """What stands in both lists is denied; what is no origin is left out."""
        return _origins_of(self._file.read())

    def read_again(self) -> Origins:
        """The same while the program runs. Raises `UserFault` on a file that may be half written."""
        return _origins_of(self._file.read_again())

    def write(self, origins: Origins) -> None:
        """Readable by the owner only. Raises `UserFault`."""
        self._file.write({"allowed": list[Json](sorted(origins.allowed)), "denied": list[Json](sorted(origins.denied))})


def _origins_of(content: Json) -> Origins:
    lists = content if isinstance(content, dict) else {}
    denied = _origins(lists.get("denied"))
    return Origins(_origins(lists.get("allowed")) - denied, denied)


def _origins(value: Json) -> frozenset[str]:
    entries = value if isinstance(value, list) else []
    return frozenset(origin for entry in entries if isinstance(entry, str) and (origin := read_origin(entry)))
