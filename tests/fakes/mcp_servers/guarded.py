"""An MCP server behind OAuth, with its own authorization server as the RFCs have it.

Metadata, dynamic registration, PKCE, refresh. The person's part is done at once: whoever visits the authorization
address agrees, while `/deny` says so. `/said` tells what happened since it was last asked. Prints its port.
Run as a program, never imported.
"""

import secrets
import socket
import time
import warnings

import mcp_types as mcp
import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    ProviderTokenVerifier,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.lowlevel import Server
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

warnings.simplefilter("ignore")
LASTS = 3600
said: list[str] = []


class Provider:
    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.denies = False

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        said.append("registered")
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        if self.denies:
            said.append("denied")
            return construct_redirect_uri(str(params.redirect_uri), error="access_denied", state=params.state)
        said.append("authorized")
        code = AuthorizationCode(
            code=secrets.token_urlsafe(16),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client: object, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        said.append("token")
        return self._tokens(client.client_id, authorization_code.scopes)

    async def load_refresh_token(self, client: object, refresh_token: str) -> RefreshToken | None:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        del self.refresh[refresh_token.token]
        said.append("refreshed")
        return self._tokens(client.client_id, scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.access.get(token)

    async def revoke_token(self, token: object) -> None:
        return None

    def _tokens(self, client_id: str, scopes: list[str]) -> OAuthToken:
        access, refresh = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        until = int(time.time()) + LASTS
        self.access[access] = AccessToken(token=access, client_id=client_id, scopes=scopes, expires_at=until)
        self.refresh[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes)
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=LASTS, scope=" ".join(scopes))


provider = Provider()


async def list_tools(ctx: object, params: object) -> mcp.ListToolsResult:
    return mcp.ListToolsResult(
        tools=[mcp.Tool(name="whoami", description="says hello", input_schema={"type": "object"})]
    )


async def call_tool(ctx: object, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(text="a guest with a token")])


async def deny(request: Request) -> PlainTextResponse:
    provider.denies = request.query_params["on"] == "1"
    return PlainTextResponse("from now on")


async def tell(request: Request) -> PlainTextResponse:
    told = " ".join(said)
    said.clear()
    return PlainTextResponse(told)


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
port = listening.getsockname()[1]
here = f"http://127.0.0.1:{port}"
app = Server("guarded", on_list_tools=list_tools, on_call_tool=call_tool).streamable_http_app(
    auth=AuthSettings(
        issuer_url=here,
        resource_server_url=f"{here}/mcp",
        validate_token_resource=False,
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=["tools"], default_scopes=["tools"]
        ),
        required_scopes=["tools"],
    ),
    token_verifier=ProviderTokenVerifier(provider),
    auth_server_provider=provider,
    custom_starlette_routes=[Route("/deny", deny), Route("/said", tell)],
)
listening.listen()
print(port, flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)).run(sockets=[listening])
