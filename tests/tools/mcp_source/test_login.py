"""Logging in to a server behind OAuth: the real protocol against a server of its own process, and a person who agrees.

Registration, PKCE, the return to loopback and refreshing are the SDK's and are run here for real; ours is that tokens
go to the keyring, that nothing is opened unasked, and that a failure is said in words.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest
from tests.fakes.mcp_sources import SECONDS, SERVERS, opened, settings, until

from callgate.core.config.settings import OAuthSettings
from callgate.core.errors import UserFault
from callgate.core.question import Answer, LinkQuestion, Question


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 50))


class Guarded:
    def __init__(self, port: str) -> None:
        self.here = f"http://127.0.0.1:{port}"
        self.url = f"{self.here}/mcp"

    async def said(self) -> str:
        """What the server did since it was last asked."""
        return await self._get("/said")

    async def deny(self, on: bool) -> None:
        await self._get(f"/deny?on={on:d}")

    async def _get(self, path: str) -> str:
        async with httpx2.AsyncClient() as client:
            return (await client.get(f"{self.here}{path}")).text


@pytest.fixture(scope="module")
def server() -> Iterator[Guarded]:
    process = subprocess.Popen(
        [sys.executable, str(SERVERS / "guarded.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield Guarded(process.stdout.readline().strip())
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stdout.close()


@dataclass
class Shelf:
    """A keyring for one test."""

    kept: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    def read(self, name: str) -> str | None:
        if self.problem:
            raise UserFault(self.problem)
        return self.kept.get(name)

    def write(self, name: str, secret: str) -> None:
        self.kept[name] = secret

    def delete(self, name: str) -> None:
        self.kept.pop(name, None)


@dataclass
class Browser:
    """A person who agrees to each address and visits it."""

    agrees: bool = True
    asked: list[Question] = field(default_factory=list)
    visits: "list[asyncio.Task[httpx2.Response]]" = field(default_factory=list)
    pages: list[str] = field(default_factory=list)

    async def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        if not self.agrees:
            return Answer("decline")
        assert isinstance(question, LinkQuestion)
        loop = asyncio.get_running_loop()
        self.visits.append(loop.create_task(self._visit(question.url)))
        return Answer("accept")

    async def _visit(self, url: str) -> httpx2.Response:
        async with httpx2.AsyncClient(follow_redirects=True) as client:
            response = await client.get(url)
            self.pages.append(response.text)
            return response


def test_a_server_that_wants_a_login_is_logged_in_to_once_the_person_agrees(server: Guarded, tmp_path: Path) -> None:
    async def work() -> None:
        await server.said()
        browser, shelf = Browser(), Shelf()
        async with opened(settings(url=server.url), tmp_path, ask=browser.ask, tokens=shelf) as source:
            await source.ready()
            assert await source.text("whoami") == "a guest with a token"
        assert "waiting for you to log in" in [status.reason for status in source.statuses]
        assert source.source.status.reason == ""
        (question,) = browser.asked
        assert isinstance(question, LinkQuestion)
        assert question.url.startswith(f"{server.here}/authorize?")
        assert "code_challenge_method=S256" in question.url
        assert "You are logged in" in browser.pages[0]
        (secret,) = shelf.kept.values()
        assert orjson.loads(secret)["tokens"]["refresh_token"]
        assert await server.said() == "registered authorized token"

    run(work())
    assert list(tmp_path.iterdir()) == [], "tokens are written to no file"


def test_the_next_start_needs_no_person_and_a_token_that_has_expired_is_refreshed(
    server: Guarded, tmp_path: Path
) -> None:
    async def work() -> None:
        await server.said()
        browser, shelf = Browser(), Shelf()
        async with opened(settings(url=server.url), tmp_path, ask=browser.ask, tokens=shelf) as source:
            await source.ready()
        assert await server.said() == "registered authorized token"
        expired = orjson.loads(shelf.kept["mcp:srv"]) | {"expires_at": time.time() - 1}
        shelf.kept["mcp:srv"] = orjson.dumps(expired).decode()
        async with opened(settings(url=server.url), tmp_path, ask=browser.ask, tokens=shelf) as source:
            await source.ready()
            assert await source.text("whoami") == "a guest with a token"
        assert len(browser.asked) == 1
        assert await server.said() == "refreshed"

    run(work())


def test_a_login_that_is_declined_is_said_and_not_asked_again_unasked(server: Guarded, tmp_path: Path) -> None:
    async def work() -> None:
        browser, shelf = Browser(agrees=False), Shelf()
        async with opened(settings(url=server.url), tmp_path, ask=browser.ask, tokens=shelf) as source:
            await until(lambda: source.source.state == "failed", 20)
            assert "declined" in source.source.status.reason
            assert source.source.status.retry_at is None
            assert len(browser.asked) == 1
            browser.agrees = True
            source.source.restart()
            await source.ready()
            assert len(browser.asked) == 2

    run(work())


def test_a_refusal_at_the_server_is_said(server: Guarded, tmp_path: Path) -> None:
    async def work() -> None:
        browser, shelf = Browser(), Shelf()
        await server.deny(True)
        async with opened(settings(url=server.url), tmp_path, ask=browser.ask, tokens=shelf) as source:
            await until(lambda: source.source.state == "failed", 20)
            assert source.source.status.reason == "the login was refused (access_denied)"
        assert "refused" in browser.pages[0]
        await server.deny(False)

    run(work())


def test_without_a_keyring_it_is_said_and_nobody_is_sent_anywhere(server: Guarded, tmp_path: Path) -> None:
    async def work() -> None:
        browser, shelf = Browser(), Shelf(problem="This system has no keyring that Callgate can use.")
        async with opened(settings(url=server.url), tmp_path, ask=browser.ask, tokens=shelf) as source:
            await until(lambda: source.source.state == "failed", 20)
            assert "wants a login" in source.source.status.reason
            assert "no keyring" in source.source.status.reason
        assert browser.asked == []

    run(work())


def test_a_token_in_the_headers_is_all_that_is_tried_where_there_is_one(server: Guarded, tmp_path: Path) -> None:
    async def work() -> None:
        browser = Browser()
        configured = settings(url=server.url, headers={"Authorization": "Bearer wrong"})
        async with opened(configured, tmp_path, ask=browser.ask, tokens=Shelf()) as source:
            await until(lambda: source.source.state == "failed", 20)
            assert "401" in source.source.status.reason
        assert browser.asked == []

    run(work())


def test_a_client_that_was_registered_by_hand_is_used_as_it_is(server: Guarded, tmp_path: Path) -> None:
    async def work() -> None:
        browser = Browser()
        configured = settings(url=server.url, oauth=OAuthSettings(client_id="known-client"))
        async with opened(configured, tmp_path, ask=browser.ask, tokens=Shelf()) as source:
            await until(lambda: bool(browser.asked), 20)
            await source.source.close()
        (question,) = browser.asked
        assert isinstance(question, LinkQuestion)
        assert "client_id=known-client" in question.url
        await asyncio.wait(browser.visits)

    run(work())
