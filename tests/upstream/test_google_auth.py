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


def test_one_thread_is_enough_for_all_who_ask_also_where_the_token_server_hangs() -> None:
    hanging = threading.Event()

    class Slow(Credentials):
        def refresh(self, request: object) -> None:
            self.refreshes += 1
            hanging.wait(5)
            raise google.auth.exceptions.TransportError("down")

    credentials = Slow()
    auth = GoogleAuth(lambda: credentials)

    async def ask() -> list[object]:
        asking = [asyncio.ensure_future(auth.token()) for _ in range(100)]
        await asyncio.sleep(0)
        asking[0].cancel()
        assert await asyncio.to_thread(lambda: "others go on") == "others go on"
        hanging.set()
        return await asyncio.gather(*asking, return_exceptions=True)

    answers = run(ask())
    assert isinstance(answers[0], asyncio.CancelledError)
    assert all(isinstance(answer, PeerFault) for answer in answers[1:])
    assert credentials.refreshes == 1, "they share the failure too"


def test_after_a_failure_the_next_to_ask_tries_again() -> None:
    credentials = Credentials(google.auth.exceptions.TransportError("down"))
    auth = GoogleAuth(lambda: credentials)

    async def ask() -> str:
        with pytest.raises(PeerFault):
            await auth.token()
        credentials._error = None
        return await auth.token()

    assert run(ask()) == "token-2"
