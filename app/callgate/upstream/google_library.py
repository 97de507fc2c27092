"""google-auth, as far as it is used: where credentials come from, how they are renewed, what goes wrong there.

Loaded by `google_auth` for the first token: with cryptography and requests it weighs 19 MB, and few use Vertex.
It can't be loaded where the extra `vertex` is not installed.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import google.auth
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, RefreshError
from google.auth.transport.requests import Request

from callgate.core.errors import Fault, PeerFault, UserFault
from callgate.upstream.google_auth import Credentials

SCOPE = "https://www.googleapis.com/auth/cloud-platform"


def application_default() -> Credentials:
    credentials, _ = google.auth.default(scopes=[SCOPE])
    return credentials


def renew(credentials: Credentials) -> None:
    credentials.refresh(Request())


@contextmanager
def explained() -> Iterator[None]:
    """What goes wrong within is said in our words, with nothing quoted that may be a secret."""
    try:
        yield
    except DefaultCredentialsError as missing:
        raise UserFault(
            "Vertex needs Google credentials: run 'gcloud auth application-default login' "
            "or set GOOGLE_APPLICATION_CREDENTIALS"
        ) from missing
    except RefreshError as refused:
        raise PeerFault(Fault("authentication", "Google refused to renew the credentials: sign in again")) from refused
    except GoogleAuthError as failed:
        raise PeerFault(Fault("upstream", f"Google gave no token: {type(failed).__name__}")) from failed
