"""What the person has accepted of each file that decides what runs or what is asked: `accepted.json`.

Authenticated with a key that is kept elsewhere (`trust_anchor`). A file that is missing, was written by another
program, or is older than the one written last counts as if nothing had been accepted: never silently trusted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from callgate.core.config.items import Items
from callgate.core.errors import UserFault
from callgate.store.files.json_file import JsonFile, stamp_of
from callgate.store.files.trust_anchor import TrustAnchor

FILE_NAME = "accepted.json"


@dataclass(frozen=True, slots=True)
class State:
    """What was accepted of one file."""

    items: Items = field(default_factory=Items)
    text: str | None = None
    """The file that says just this; None = it is to be written from the items."""


class AcceptedStates:
    def __init__(self, data: Path, anchor: TrustAnchor) -> None:
        self.path = data / FILE_NAME
        self._data, self._anchor = data, anchor
        self._file = JsonFile(self.path)
        self._files: dict[str, State] = {}
        self._number = 0
        self._stamp: tuple[int, int, int] | None = None
        self.problem = ""
        """Why nothing counts as accepted although something was; empty = all is well."""
        self.is_first = False
        """Whether nothing was ever accepted for this data folder."""
        self.load()

    @property
    def anchor(self) -> TrustAnchor:
        return self._anchor

    def get(self, name: str) -> State | None:
        return self._files.get(name)

    @property
    def is_outdated(self) -> bool:
        """Whether the file is another one than was read last."""
        return stamp_of(self.path) != self._stamp

    def load(self) -> bool:
        """Reads the file again; returns whether something else is accepted now."""
        before, self._stamp = dict(self._files), stamp_of(self.path)
        try:
            self._load()
        except UserFault as fault:
            self._files, self.problem = {}, str(fault)
        return self._files != before

    def put(self, states: Mapping[str, State]) -> None:
        """Raises `UserFault` where it cannot be kept; it then holds for this run."""
        try:
            self._put(states)
        except OSError as error:
            self._files = {**self._files, **states}
            raise UserFault(f"{self.path} cannot be written: {error.strerror or error}") from error
        self.problem, self.is_first = "", False

    def _put(self, states: Mapping[str, State]) -> None:
        with self._anchor.locked():
            # another process may have accepted something meanwhile
            self.load()
            self._files = {**self._files, **states}
            self._number = max(self._number, self._anchor.counter(self._data) or 0) + 1
            body = json.dumps(
                {
                    "number": self._number,
                    "files": {name: {"items": one.items, "text": one.text} for name, one in self._files.items()},
                }
            )
            # the file first: a number that is ahead of its counter is no older file
            self._file.write({"body": body, "mac": self._anchor.sign(self._data, body)})
            self._anchor.count(self._data, self._number)
            self._stamp = stamp_of(self.path)

    def _load(self) -> None:
        counter = self._anchor.counter(self._data)
        self.problem, self.is_first, body = "", False, self._body()
        if body is None:
            self._files = {}
            if counter is None:
                self.is_first = True
            else:
                self.problem = f"{self.path} is missing."
            return
        number = body.get("number")
        if counter is None or not isinstance(number, int) or number < counter:
            self._files = {}
            self.problem = f"{self.path} is not the one that Callgate wrote last."
            return
        self._number = number
        files = body.get("files")
        self._files = {
            name: State(one["items"], one["text"]) for name, one in (files if isinstance(files, dict) else {}).items()
        }

    def _body(self) -> dict[str, object] | None:
        """What the file holds; None = there is none. Raises `UserFault` where it was not written by Callgate."""
        try:
            content = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UserFault(f"{self.path} cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise UserFault(f"{self.path} was not written by Callgate.") from error
        body, mac = (content.get(key) if isinstance(content, dict) else None for key in ("body", "mac"))
        if not isinstance(body, str) or not isinstance(mac, str) or not self._anchor.verifies(self._data, body, mac):
            raise UserFault(f"{self.path} was not written by Callgate.")
        return json.loads(body)
