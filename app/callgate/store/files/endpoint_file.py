"""The endpoints that the person added in the window: `endpoints.json`.

No key is ever written here: settings say only where one comes from. An entry that can't be read is said, kept as it
is, and harms no other.
"""

from collections.abc import Sequence

from pydantic import ValidationError

from callgate.core.config.endpoint_text import spell_endpoint
from callgate.core.config.settings import UpstreamSettings
from callgate.core.messages import Json
from callgate.store.files.json_file import JsonFile


class EndpointFile:
    def __init__(self, file: JsonFile) -> None:
        self._file = file
        self._endpoints: tuple[UpstreamSettings, ...] = ()
        self._unreadable: list[Json] = []
        self.problems: list[str] = []
        """What was wrong with the file when it was read, in words."""
        self._read(file.read())
        if file.problem:
            self.problems.append(file.problem)

    def read_again(self) -> None:
        """Takes the file as it counts now. Raises `UserFault`, and nothing has changed then."""
        content = self._file.read_again()
        self._endpoints, self._unreadable, self.problems = (), [], []
        self._read(content)

    @property
    def endpoints(self) -> tuple[UpstreamSettings, ...]:
        """In the order in which they are asked."""
        return self._endpoints

    @property
    def has_unreadable(self) -> bool:
        """Whether more was added than can be read."""
        return bool(self._unreadable)

    def save(self, endpoints: Sequence[UpstreamSettings]) -> None:
        """These are all from now on. Raises `UserFault` where they can't be kept; nothing has changed then."""
        kept: list[Json] = [spell_endpoint(one) for one in endpoints]
        self._file.write({"endpoints": [*kept, *self._unreadable]})
        self._endpoints = tuple(endpoints)

    def _read(self, content: Json) -> None:
        entries = content.get("endpoints") if isinstance(content, dict) else None
        if content is not None and not isinstance(entries, list):
            self._put_aside(content, None, "it is no list of endpoints")
        for entry in entries if isinstance(entries, list) else ():
            self._take(entry)

    def _take(self, entry: Json) -> None:
        name = entry.get("name") if isinstance(entry, dict) else None
        try:
            endpoint = UpstreamSettings.model_validate(entry)
        except ValidationError as bad:
            first = bad.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(step) for step in first["loc"])
            self._put_aside(entry, name, f"{where}: {first['msg']}".removeprefix(": ").replace("Value error, ", ""))
            return
        if any(one.name == endpoint.name for one in self._endpoints):
            self._put_aside(entry, name, "there is another one of that name")
        else:
            self._endpoints = (*self._endpoints, endpoint)

    def _put_aside(self, entry: Json, name: Json, why: str) -> None:
        self._unreadable.append(entry)
        called = f"The endpoint {name!r}" if isinstance(name, str) else "An endpoint"
        self.problems.append(f"{self._file.path}: {called} can't be used: {why}. It is kept in the file as it is.")
