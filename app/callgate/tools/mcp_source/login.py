"""Logging in to a remote server with OAuth: the SDK's client, tokens in the keyring, and a person who is asked first.

The browser is never opened from here: the address is put to the person as a question, and whoever shows the question
opens it once the person says so.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager, nullcontext
from typing import Protocol
from urllib.parse import urlsplit

from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, OAuthFlowError
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl, BaseModel, ValidationError

from callgate.core.config.settings import OAuthSettings
from callgate.core.question import LinkQuestion
from callgate.tools.mcp_source.login_page import LoginPage, address, free_port, login_page
from callgate.tools.mcp_source.questions import Ask

LOGIN_SECONDS = 300.0
"""From the person's yes to the browser's return: passwords are looked up and second factors found."""

_DECLINED = "it wants a login, which was declined; restart it to be asked again, or give it a token in headers"

# it logs a traceback for every login that the person declines; what went wrong is said by the source's status
logging.getLogger("mcp.client.auth.oauth2").setLevel(logging.CRITICAL)


class TokenShelf(Protocol):
    """Where tokens are kept between runs: the system's keyring. Calls may block, and raise `UserFault`."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, secret: str) -> None: ...

    def delete(self, name: str) -> None: ...


class _Kept(BaseModel):
    """One entry of the keyring: everything that a server's login is made of."""

    tokens: OAuthToken | None = None
    expires_at: float | None = None
    client: OAuthClientInformationFull | None = None
    server_url: str = ""


class KeptTokens:
    """The SDK's `TokenStorage` on a shelf, read once. A login made for another address is not used for this one."""

    def __init__(self, shelf: TokenShelf, source: str, server_url: str) -> None:
        self._shelf = shelf
        self._name = _entry(source)
        self._url = server_url
        self._kept: _Kept | None = None
        self._context: OAuthContext | None = None

    def serve(self, context: OAuthContext) -> None:
        """The SDK forgets between two runs when a token expires, and then asks the person instead of refreshing."""
        self._context = context

    async def load(self) -> _Kept:
        if self._kept is None:
            text = await asyncio.to_thread(self._shelf.read, self._name)
            self._kept = _read_kept(text, self._url)
        return self._kept

    async def get_tokens(self) -> OAuthToken | None:
        kept = await self.load()
        if self._context is not None:
            self._context.token_expiry_time = kept.expires_at
        return kept.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        expires_at = time.time() + tokens.expires_in if tokens.expires_in is not None else None
        await self._save((await self.load()).model_copy(update={"tokens": tokens, "expires_at": expires_at}))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return (await self.load()).client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        await self._save((await self.load()).model_copy(update={"client": client_info}))

    async def forget_client(self) -> None:
        """The registration is for an address that can't be listened on any more."""
        self._kept = (await self.load()).model_copy(update={"client": None, "tokens": None, "expires_at": None})

    async def _save(self, kept: _Kept) -> None:
        self._kept = kept
        await asyncio.to_thread(
            self._shelf.write, self._name, kept.model_dump_json(exclude_none=True, exclude_defaults=True)
        )


class Login:
    """One server's login. `problem` says in words why the last one failed."""

    def __init__(self, source: str, ask: Ask, shelf: TokenShelf, settings: OAuthSettings) -> None:
        self.problem = ""
        self.hold: Callable[[], AbstractContextManager[None]] = nullcontext
        """While in it a person is waited for: whatever measures the server's time stands still."""
        self._source = source
        self._ask = ask
        self._shelf = shelf
        self._settings = settings
        self._kept: KeptTokens | None = None
        self._port = 0
        self._page: LoginPage | None = None
        self._listening = AsyncExitStack()

    async def auth(self, url: str, environment: Mapping[str, str]) -> OAuthClientProvider:
        """What signs requests to a server. Raises `UserFault` where there is no keyring, or it does not open."""
        self.problem = ""
        kept = self._kept = KeptTokens(self._shelf, self._source, url)
        client = await kept.get_client_info()
        registered = _port_of(client)
        self._port = free_port(self._settings.callback_port or registered)
        if client is not None and registered != self._port:
            await kept.forget_client()
        metadata = OAuthClientMetadata(
            redirect_uris=[AnyUrl(address(self._port))],
            client_name="Callgate",
            scope=self._settings.scope or None,
            token_endpoint_auth_method="none",
        )
        if self._settings.client_id and client is None:
            key = environment.get(self._settings.client_secret_env) or None
            await kept.set_client_info(
                OAuthClientInformationFull(
                    client_id=self._settings.client_id,
                    client_secret=key,
                    redirect_uris=metadata.redirect_uris,
                    token_endpoint_auth_method="client_secret_post" if key else "none",
                )
            )
        provider = OAuthClientProvider(url, metadata, kept, self._send_off, self._wait_for_return)
        kept.serve(provider.context)
        return provider

    async def forget(self) -> None:
        """Logs out, as far as this machine is concerned."""
        self._kept = None
        await asyncio.to_thread(self._shelf.delete, _entry(self._source))

    # ---- the SDK's two hooks ----------------------------------------------------------------------------------------

    async def _send_off(self, url: str) -> None:
        with self._failing():
            await self._listening.aclose()
            try:
                self._page = await self._listening.enter_async_context(login_page(self._port))
            except OSError as taken:
                raise OAuthFlowError(f"the login can't come back: port {self._port} is taken ({taken})") from taken
            host = urlsplit(url).hostname or url
            text = f"The MCP server '{self._source}' wants you to log in at {host}."
            with self.hold():
                answer = await self._ask(LinkQuestion(self._source, text, url))
            if answer.action != "accept":
                await self._listening.aclose()
                raise OAuthFlowError(_DECLINED)

    async def _wait_for_return(self) -> AuthorizationCodeResult:
        assert self._page is not None
        with self._failing():
            try:
                with self.hold():
                    async with asyncio.timeout(LOGIN_SECONDS):
                        visit = await self._page.visited()
            except TimeoutError as late:
                raise OAuthFlowError("the login was not finished in time") from late
            finally:
                await self._listening.aclose()
            if visit.error:
                raise OAuthFlowError(f"the login was refused ({visit.error})")
            return AuthorizationCodeResult(code=visit.code, state=visit.state or None, iss=visit.issuer or None)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except OAuthFlowError as failure:
            self.problem = str(failure)
            raise


def _entry(source: str) -> str:
    """Under what name the keyring keeps it."""
    return f"mcp:{source}"


def _read_kept(text: str | None, url: str) -> _Kept:
    if text:
        try:
            kept = _Kept.model_validate_json(text)
        except ValidationError:
            return _Kept(server_url=url)  # of an older version, or damaged: a new login mends it
        if kept.server_url == url:
            return kept
    return _Kept(server_url=url)


def _port_of(client: OAuthClientInformationFull | None) -> int:
    uris = client.redirect_uris if client is not None else None
    return (uris[0].port or 0) if uris else 0
