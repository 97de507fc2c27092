"""Tokens for Vertex, from the credentials that Google's own tools use (extra `vertex`).

google-auth blocks and is not safe to share between threads: one lock, and the refresh runs beside the loop.
Must not know of endpoints or requests; tokens are never logged.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import Protocol

from callgate.core.errors import Fault, PeerFault, UserFault

try:
    import google.auth
    import google.auth.exceptions
    import google.auth.transport.requests
except ImportError:
    # the extra is optional; said aloud when a token is asked for
    google = None  # pyright: ignore[reportAssignmentType]

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
TOKEN_SECONDS = 30.0
"""A metadata server or token endpoint that needs longer is not there."""
_NEEDS_EXTRA = "Vertex needs the package google-auth: install callgate with the extra 'vertex'"


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
        self._load = load or _application_default
        self._credentials: Credentials | None = None
        self._lock = threading.Lock()

    async def token(self) -> str:
        credentials = self._credentials
        if credentials is not None and credentials.valid and credentials.token:
            return credentials.token
        try:
            async with asyncio.timeout(TOKEN_SECONDS):
                return await asyncio.to_thread(self._fresh)
        except TimeoutError as late:
            raise PeerFault(Fault("timeout", f"Google gave no token within {TOKEN_SECONDS:.0f} seconds")) from late

    @property
    def quota_project(self) -> str:
        """The project that is billed for requests, where the credentials name one."""
        return getattr(self._credentials, "quota_project_id", None) or ""

    def _fresh(self) -> str:
        """Runs in a thread. The lock is a thread's: a cancelled waiter leaves its refresh running."""
        if google is None:
            raise UserFault(_NEEDS_EXTRA)
        with self._lock:
            try:
                if self._credentials is None:
                    self._credentials = self._load()
                if not (self._credentials.valid and self._credentials.token):
                    self._credentials.refresh(google.auth.transport.requests.Request())
            except google.auth.exceptions.DefaultCredentialsError as missing:
                raise UserFault(
                    "Vertex needs Google credentials: run 'gcloud auth application-default login' "
                    "or set GOOGLE_APPLICATION_CREDENTIALS"
                ) from missing
            except google.auth.exceptions.RefreshError as refused:
                raise PeerFault(
                    Fault("authentication", "Google refused to renew the credentials: sign in again")
                ) from refused
            except google.auth.exceptions.GoogleAuthError as failed:
                raise PeerFault(Fault("upstream", f"Google gave no token: {type(failed).__name__}")) from failed
            if not self._credentials.token:
                raise PeerFault(Fault("authentication", "Google's credentials hold no token"))
            return self._credentials.token


def _application_default() -> Credentials:
    if google is None:
        raise UserFault(_NEEDS_EXTRA)
    credentials, _ = google.auth.default(scopes=[SCOPE])
    return credentials
