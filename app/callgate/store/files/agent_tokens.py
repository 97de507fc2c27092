"""Tokens that prove an agent's name: `agents.json` in the data folder. Only their hashes are kept.

The file is the truth, also while the program runs: it is looked at whenever a token is checked, so that a token that
`callgate agents revoke` takes away in another process is refused from that moment on. A file that is missing or can't
be read proves nothing.
"""

import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from callgate.core.agent import TOKEN_PREFIX, name_problem
from callgate.core.errors import UserFault
from callgate.core.ids import new_id
from callgate.core.messages import Json
from callgate.store.files.json_file import JsonFile, Stamp
from callgate.store.files.reviewed_files import ReviewedFiles, json_file

try:
    import fcntl
except ImportError:  # Windows: two processes that change the file in the same millisecond are not kept apart there
    fcntl = None  # type: ignore[assignment]

FILE_NAME = "agents.json"
USE_FILE_NAME = "agents-used.json"
_SECRET_BYTES = 32
_USE_SAVED_EVERY = 60.0
"""Seconds; when a token was last used is for people, and not worth a write each time."""


@dataclass(frozen=True, slots=True)
class AgentToken:
    id: str
    name: str
    sha256: str
    created: float


class AgentTokens:
    def __init__(self, file: JsonFile, used: JsonFile, clock: Callable[[], float] = time.time) -> None:
        """`used`: when each was last used, kept apart so that a note of it never brings back a revoked token."""
        self._file, self._used_file = file, used
        self._clock = clock
        self._stamp: Stamp = ()
        self._tokens: tuple[AgentToken, ...] = ()
        self._used = _times(used.read())
        self._saved = 0.0
        self.problem = ""
        """Why the file can't be used; empty = it can."""
        self._read()

    @property
    def path(self) -> Path:
        return self._file.path

    def tokens(self) -> tuple[AgentToken, ...]:
        """Those that are valid now, oldest first."""
        if self._file.stamp() != self._stamp:
            self._read()
        return self._tokens

    def check(self) -> None:
        """Raises `UserFault` where the file can't be used."""
        if self.problem:
            raise UserFault(self.problem)

    def find(self, token: str) -> AgentToken | None:
        """Whose token this is; None = it was never made, or is revoked."""
        given, found = _hash(token), None
        for known in self.tokens():
            # all of them, whichever fits: how long it takes says nothing
            if hmac.compare_digest(known.sha256, given):
                found = known
        return found

    def add(self, name: str) -> tuple[AgentToken, str]:
        """Makes a token. The text is returned this once, and can't be had again. Raises `UserFault`."""
        if problem := name_problem(name):
            raise UserFault(problem)
        text = TOKEN_PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
        fresh = AgentToken(new_id("token"), name, _hash(text), self._clock())
        with self._changing():
            self._write((*self._tokens, fresh))
        return fresh, text

    def revoke(self, name_or_id: str) -> tuple[AgentToken, ...]:
        """Takes away one token, or all of an agent. Raises `UserFault` where there is none."""
        with self._changing():
            gone = tuple(token for token in self._tokens if name_or_id in (token.id, token.name))
            if not gone:
                raise UserFault(f"No agent or token is called {name_or_id!r}.")
            self._write(tuple(token for token in self._tokens if token not in gone))
        return gone

    # ---- use -------------------------------------------------------------------------------------------------------

    def used(self, token_id: str) -> None:
        self._used[token_id] = self._clock()

    def last_used(self, token_id: str) -> float | None:
        return self._used.get(token_id)

    @property
    def use_is_due(self) -> bool:
        """Whether it is time to keep when tokens were used; true once in a while."""
        if self._clock() - self._saved < _USE_SAVED_EVERY:
            return False
        self._saved = self._clock()
        return True

    def save_use(self) -> None:
        """Keeps when tokens were used. May be called on any thread; raises `UserFault`."""
        known = {token.id for token in self._tokens}
        times: dict[str, Json] = {key: at for key, at in tuple(self._used.items()) if key in known}
        if times:
            self._used_file.write(times)

    # ---- the file --------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self._stamp = self._file.stamp()
        self._tokens, self.problem, value = (), "", None
        try:
            value = self._file.read()
            self.problem = self._file.problem
        except OSError as error:  # it is broken and can't be moved aside either
            self.problem = f"{self.path} cannot be read: {error.strerror or error}"
        if value is None:
            return
        try:
            self._tokens = _tokens_in(value)
        except (KeyError, TypeError, ValueError) as wrong:
            self.problem = f"{self.path} is not a list of agents' tokens ({wrong!r}); no token is valid."

    def _write(self, tokens: tuple[AgentToken, ...]) -> None:
        self.check()
        self._file.write({"version": 1, "tokens": [asdict(token) for token in tokens]})
        self._read()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Alone with the file, as it is now: another process may add or revoke at the same moment."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self.path.with_name(f"{FILE_NAME}.lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            self._read()
            yield
        finally:
            os.close(lock)


def agent_tokens(data: Path, files: ReviewedFiles | None = None) -> AgentTokens:
    return AgentTokens(json_file(data / FILE_NAME, "agents", files), JsonFile(data / USE_FILE_NAME))


def _tokens_in(value: Json) -> tuple[AgentToken, ...]:
    """Raises `KeyError`, `TypeError` or `ValueError`: half a list would be other than what was meant."""
    if not isinstance(value, dict) or not isinstance(entries := value["tokens"], list):
        raise TypeError("tokens")
    found: list[AgentToken] = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise TypeError("token")
        token = AgentToken(str(entry["id"]), str(entry["name"]), str(entry["sha256"]), float(str(entry["created"])))
        if name_problem(token.name) or len(token.sha256) != hashlib.sha256().digest_size * 2:
            raise ValueError(token.id)
        found.append(token)
    return tuple(found)


def _times(value: Json) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {key: float(at) for key, at in value.items() if isinstance(at, int | float)}


def _hash(token: str) -> str:
    """Plain SHA-256: the tokens are random, so there is nothing to guess that a slow hash would protect."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
