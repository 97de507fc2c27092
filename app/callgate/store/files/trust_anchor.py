"""What makes `accepted.json` trustworthy: a key and counters, kept outside the data folder.

The key is in the system's keyring where there is one, else in a file that only the person can read. A counter for each
data folder tells an older `accepted.json` that was put back from the one that was written last. Who can write files in
the data folder can forge neither.
"""

import hashlib
import hmac
import secrets as random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import platformdirs

from callgate.core.errors import UserFault
from callgate.core.messages import Json
from callgate.store.files.json_file import JsonFile
from callgate.store.secrets import Secrets

if sys.platform != "win32":
    import fcntl

FOLDER = "callgate-trust"
"""Not `callgate`: on some systems that is the data folder."""
_IN_RING = "accepted files"
"""No endpoint can have this name."""
_RING_SECONDS = 20.0
"""A keyring may ask the person to unlock it; one that does not answer must not keep the program from starting."""

T = TypeVar("T")


def usual_folder() -> Path:
    return Path(platformdirs.user_state_dir(FOLDER, appauthor=False))


class TrustAnchor:
    """Raises `UserFault` where the key cannot be had."""

    def __init__(self, folder: Path | None = None, ring: Secrets | None = None) -> None:
        self._folder = folder or usual_folder()
        self._file = JsonFile(self._folder / "anchor.json")
        self._ring = ring or Secrets()
        self._key = b""

    def sign(self, data: Path, body: str) -> str:
        named = f"callgate accepted 1\0{data.resolve()}\0{body}"
        return hmac.new(self._known_key(), named.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def verifies(self, data: Path, body: str, mac: str) -> bool:
        return hmac.compare_digest(self.sign(data, body).encode(), mac.encode("utf-8", "replace"))

    def counter(self, data: Path) -> int | None:
        """The number of the `accepted.json` written last for a data folder; None = none was ever written."""
        count = self._table("folders").get(str(data.resolve()))
        return count if isinstance(count, int) else None

    def count(self, data: Path, number: int) -> None:
        here = str(data.resolve())
        # folders that are gone are forgotten: demonstrations use a new one each time
        kept = {path: count for path, count in self._table("folders").items() if Path(path).is_dir()}
        self._write("folders", {**kept, here: max(number, self.counter(data) or 0)})

    def knows_text(self, path: str, text: str) -> bool | None:
        """Whether a configuration was accepted with just this text, whatever the data folder; None = it never was."""
        known = self._table("configurations").get(path)
        return None if known is None else known == _digest(text)

    def learn_text(self, path: str, text: str) -> None:
        if self.knows_text(path, text) is not True:
            self._write("configurations", {**self._table("configurations"), path: _digest(text)})

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One process at a time changes what was accepted."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._folder / "lock").open("ab") as file:
            if sys.platform != "win32":
                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    # ---- the key ---------------------------------------------------------------------------------------------------

    def _known_key(self) -> bytes:
        if not self._key:
            self._key = bytes.fromhex(self._found_key() or self._new_key())
        return self._key

    def _found_key(self) -> str:
        content = self._content()
        if content.get("key_in") == "keyring":
            key = self._asked(lambda: self._ring.read(_IN_RING))
            if not key:
                raise UserFault("The keyring no longer has the key of accepted files.")
            return key
        key = content.get("key")
        return key if isinstance(key, str) else ""

    def _new_key(self) -> str:
        key = random.token_hex(32)
        if self._keeps(key):
            self._file.write({**self._content(), "key_in": "keyring"})
        else:
            self._file.write({**self._content(), "key_in": "file", "key": key})
        return key

    def _keeps(self, key: str) -> bool:
        """Whether there is a keyring that has really kept the key."""
        if self._ring.obstacle():
            return False
        try:
            self._asked(lambda: self._ring.write(_IN_RING, key))
            return self._asked(lambda: self._ring.read(_IN_RING)) == key
        except UserFault:
            return False

    def _asked(self, question: Callable[[], T]) -> T:
        """An answer of the keyring, within bounds."""
        answers: list[T] = []
        faults: list[UserFault] = []

        def ask() -> None:
            try:
                answers.append(question())
            except UserFault as fault:
                faults.append(fault)

        asking = threading.Thread(target=ask, name="keyring", daemon=True)
        asking.start()
        asking.join(_RING_SECONDS)
        if answers:
            return answers[0]
        raise faults[0] if faults else UserFault("The keyring did not answer.")

    # ---- the file --------------------------------------------------------------------------------------------------

    def _content(self) -> dict[str, Json]:
        content = self._file.read()
        return content if isinstance(content, dict) else {}

    def _table(self, name: str) -> dict[str, Json]:
        table = self._content().get(name)
        return table if isinstance(table, dict) else {}

    def _write(self, name: str, table: dict[str, Json]) -> None:
        self._file.write({**self._content(), name: table})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
