"""Tokens for Vertex, from the credentials that Google's own tools use (extra `vertex`).

google-auth blocks and is not safe to share between threads: one lock, and the refresh runs beside the loop. All who
ask meanwhile share it, also its failure: a token server that hangs must not take every thread that others work on.
Must not know of endpoints or requests; tokens are never logged.
"""

import asyncio
import importlib
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Protocol

from callgate.core.errors import Fault, PeerFault, UserFault

LIBRARY = "callgate.upstream.google_library"
TOKEN_SECONDS = 30.0
"""A metadata server or token endpoint that needs longer is not there."""


class Credentials(Protocol):
    """What is used of google-auth's credentials."""

    token: str | None

    @property
    def valid(self) -> bool:
        """False too when it is about to expire."""
        ...

    def refresh(self, request: object) -> None: ...


class GoogleAuth:
    """Hands out a token that is good for at least a few minutes."""

    def __init__(self, load: Callable[[], Credentials] | None = None) -> None:
        self._load = load
        self._credentials: Credentials | None = None
        self._lock = threading.Lock()
        self._renewing: asyncio.Future[str] | None = None

    async def token(self) -> str:
        credentials = self._credentials
        if credentials is not None and credentials.valid and credentials.token:
            return credentials.token
        try:
            async with asyncio.timeout(TOKEN_SECONDS):
                return await asyncio.shield(self._shared())
        except TimeoutError as late:
            raise PeerFault(Fault("timeout", f"Google gave no token within {TOKEN_SECONDS:.0f} seconds")) from late

    def _shared(self) -> "asyncio.Future[str]":
        """The refresh under way; it goes on when whoever asked has gone."""
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.get_running_loop().run_in_executor(None, self._fresh)
            self._renewing.add_done_callback(_heard)
        return self._renewing

    @property
    def quota_project(self) -> str:
        """The project that is billed for requests, where the credentials name one."""
        return getattr(self._credentials, "quota_project_id", None) or ""

    def _fresh(self) -> str:
        """Runs in a thread. The lock is a thread's: a program that ends may leave one behind that still runs."""
        with self._lock:
            library = _library()
            with library.explained():
                credentials: Credentials = self._credentials or (self._load or library.application_default)()
                self._credentials = credentials
                if not (credentials.valid and credentials.token):
                    library.renew(credentials)
            if not credentials.token:
                raise PeerFault(Fault("authentication", "Google's credentials hold no token"))
            return credentials.token


def _heard(renewing: "asyncio.Future[str]") -> None:
    """A failure that nobody waits for any more is no bug: the next to ask gets one of its own."""
    if not renewing.cancelled():
        renewing.exception()


def _library() -> ModuleType:
    try:
        return importlib.import_module(LIBRARY)
    except ImportError as missing:
        raise UserFault("Vertex needs the package google-auth: install callgate with the extra 'vertex'") from missing
