import asyncio
import sys
import threading

import google.auth.exceptions
import pytest
from tests.fakes.provider import run

from callgate.core.errors import PeerFault, UserFault
from callgate.upstream.google_auth import LIBRARY, GoogleAuth


class Credentials:
    quota_project_id = "billed"

    def __init__(self, error: Exception | None = None) -> None:
        self.token: str | None = None
        self.valid = False
        self.refreshes = 0
        self.threads: set[int] = set()
        self._error = error
        self._busy = threading.Lock()

    def refresh(self, request: object) -> None:
        assert self._busy.acquire(blocking=False), "two refreshes at once"
        try:
            self.refreshes += 1
            self.threads.add(threading.get_ident())
            if self._error:
                raise self._error
            self.token = f"token-{self.refreshes}"
            self.valid = True
        finally:
            self._busy.release()


def test_many_askers_share_one_refresh_that_runs_beside_the_loop() -> None:
    credentials = Credentials()
    auth = GoogleAuth(lambda: credentials)

    async def ask() -> list[str]:
        return await asyncio.gather(*(auth.token() for _ in range(20)))

    assert run(ask()) == ["token-1"] * 20
    assert threading.get_ident() not in credentials.threads
    assert auth.quota_project == "billed"


def test_a_token_is_renewed_when_it_is_no_longer_valid() -> None:
    credentials = Credentials()
    auth = GoogleAuth(lambda: credentials)

    async def ask() -> tuple[str, str, str]:
        first, again = await auth.token(), await auth.token()
        credentials.valid = False
        return first, again, await auth.token()

    assert run(ask()) == ("token-1", "token-1", "token-2")


def test_missing_credentials_are_explained() -> None:
    def nowhere() -> Credentials:
        raise google.auth.exceptions.DefaultCredentialsError("none")

    with pytest.raises(UserFault, match="gcloud auth application-default login"):
        run(GoogleAuth(nowhere).token())


def test_a_missing_package_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, LIBRARY, raising=False)
    monkeypatch.setitem(sys.modules, "google.auth", None)
    with pytest.raises(UserFault, match="extra 'vertex'"):
        run(GoogleAuth(Credentials).token())


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (google.auth.exceptions.RefreshError("invalid_grant: secret"), "authentication"),
        (google.auth.exceptions.TransportError("down"), "upstream"),
    ],
)
def test_a_refused_refresh_is_the_peers_fault_and_quotes_nothing(error: Exception, kind: str) -> None:
    with pytest.raises(PeerFault) as failed:
        run(GoogleAuth(lambda: Credentials(error)).token())
    assert failed.value.fault.kind == kind
    assert "secret" not in failed.value.fault.message


def test_credentials_without_a_token_are_a_fault() -> None:
    class Empty(Credentials):
        def refresh(self, request: object) -> None:
            pass

    with pytest.raises(PeerFault, match="no token"):
        run(GoogleAuth(Empty).token())
