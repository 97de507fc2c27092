"""Every route that programs can reach. There is none that decides a call or changes the configuration.

A program can register a tool: that adds to what may be asked for, never to what is allowed.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from callgate import __version__
from callgate.core.errors import BadRequest, CallgateError, Fault
from callgate.core.messages import Json
from callgate.core.request import WireName
from callgate.proxy.agent_path import AgentPath, Token, credential_of
from callgate.proxy.agents import identify
from callgate.proxy.answer import fault_of
from callgate.proxy.chat_endpoint import ChatEndpoint
from callgate.proxy.count_endpoint import CountEndpoint
from callgate.proxy.guard import Guard, Refused
from callgate.proxy.inbound import headers_of, read_json, tidy_path
from callgate.proxy.json_response import error_response, json_response
from callgate.proxy.mcp_endpoint import McpEndpoint
from callgate.proxy.models_endpoint import ModelsEndpoint, models_wire
from callgate.proxy.passthrough import Passthrough
from callgate.proxy.peer_process import PeerProcesses
from callgate.proxy.responses_endpoint import ResponsesEndpoint
from callgate.proxy.tools_endpoint import ToolsEndpoint
from callgate.wire.codec import Codec

# CORS for the pages that were confirmed, each by its own name: never a wildcard, never credentials.
_TOKENS = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:\s*,\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+)*")
_OWN = "access-control-"
_EXPOSED = "x-callgate-exchange, x-callgate-conversation, x-callgate-warnings, x-request-id, request-id, retry-after"
_SECONDS = "60"
"""How long a browser may rely on a preflight: a page that is refused later is refused soon."""


def is_preflight(request: Request) -> bool:
    return request.method == "OPTIONS" and {"origin", "access-control-request-method"} <= set(request.headers)


def preflight_answer(request: Request, methods: list[str]) -> Response:
    """For a page that has permission."""
    headers = {"access-control-allow-methods": ", ".join(methods), "access-control-max-age": _SECONDS}
    wanted = request.headers.get("access-control-request-headers", "")
    if _TOKENS.fullmatch(wanted):
        headers["access-control-allow-headers"] = wanted
    if request.headers.get("access-control-request-private-network", "").lower() == "true":
        headers["access-control-allow-private-network"] = "true"
    return Response(status_code=204, headers=headers)


def answering(page: str, send: Send, *, preflight: bool = False) -> Send:
    """`send` for a reply to a page, or to a program where `page` is empty. A provider's own CORS does not pass."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            if not preflight:
                for name in [name for name in headers if name.lower().startswith(_OWN)]:
                    del headers[name]
            if page:
                headers["access-control-allow-origin"] = page
                headers.add_vary_header("Origin")
                if not preflight:
                    headers["access-control-expose-headers"] = _EXPOSED
            message = {**message, "headers": headers.raw}
        await send(message)

    return sending


log = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[ASGIApp]]
WireOf = Callable[[Request], WireName]
"""The wire of a client, where the path alone does not say it."""
_GEMINI_VERSIONS = ("v1", "v1beta")
_SPOKEN_OLLAMA = "0.12.6"
"""The version whose protocol is spoken: calls with ids, thinking, log probabilities."""
_ANY_METHOD = ["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(slots=True)
class Endpoints:
    chat: ChatEndpoint
    tools: ToolsEndpoint
    models: ModelsEndpoint
    responses: ResponsesEndpoint
    mcp: McpEndpoint
    count: CountEndpoint
    passthrough: Passthrough
    guard: Guard
    journal: Callable[[], dict[str, Json]]
    """Whether what happens is being recorded, as `/healthz` says it."""
    peers: PeerProcesses
    find_token: Callable[[str], Token | None]
    server_token: str = ""


def build_app(endpoints: Endpoints) -> Starlette:
    tools, models, chat = endpoints.tools, endpoints.models, endpoints.chat

    def route(
        path: str,
        handler: Handler,
        methods: list[str],
        wire: WireName = "openai-chat",
        wire_of: WireOf | None = None,
        *,
        public: bool = False,
    ) -> Route:
        # an ASGI object, not a function: starlette then leaves methods to us, and errors keep the wire's shape
        return Route(path, _Guarded(endpoints, handler, methods, wire_of or _always(wire), public=public))

    def chat_route(path: str, wire: WireName) -> Route:
        async def serve(request: Request) -> ASGIApp:
            return await chat.serve(request, wire)

        return route(path, serve, ["POST"], wire)

    return Starlette(
        routes=[
            route("/", _alive(endpoints), ["GET"], public=True),
            route("/healthz", _alive(endpoints), ["GET"], public=True),
            route("/v1/tools", _by_method(tools.list, tools.register), ["GET", "POST"]),
            route("/v1/tools/{name}", _by_method(tools.one, delete=tools.remove), ["GET", "DELETE"]),
            *(route(f"/{version}/models", models.list, ["GET"], wire_of=models_wire) for version in _GEMINI_VERSIONS),
            *(
                route(
                    f"/{version}/models/{{call:path}}",
                    _by_method(models.one, _gemini_verbs(endpoints), endpoints.passthrough.relay),
                    ["GET", "POST", "DELETE"],
                    wire_of=models_wire,
                )
                for version in _GEMINI_VERSIONS
            ),
            chat_route("/v1/chat/completions", "openai-chat"),
            chat_route("/v1/responses", "openai-responses"),
            *_under_responses(endpoints, route),
            chat_route("/v1/messages", "anthropic"),
            route("/v1/messages/count_tokens", endpoints.count.count, ["POST"], "anthropic"),
            chat_route("/api/chat", "ollama"),
            route("/api/tags", models.list, ["GET"], "ollama"),
            route("/api/show", models.show, ["POST"], "ollama"),
            route("/api/ps", _none_loaded, ["GET"], "ollama"),
            route("/api/version", _version, ["GET"], "ollama"),
            route("/api/{rest:path}", _nowhere, _ANY_METHOD, "ollama"),
            route("/mcp", endpoints.mcp.serve, ["GET", "POST", "DELETE"]),
            route("/v1/{rest:path}", endpoints.passthrough.relay, _ANY_METHOD),
            route("/v1beta/{rest:path}", _to_gemini(endpoints.passthrough), _ANY_METHOD, "gemini"),
            route("/{rest:path}", _nowhere, _ANY_METHOD),
        ],
        middleware=[
            Middleware(AgentPath, endpoints.find_token, endpoints.server_token),
            Middleware(_TidyPaths),
        ],
    )


def _under_responses(endpoints: Endpoints, route: Callable[..., Route]) -> list[Route]:
    stored, count = endpoints.responses, endpoints.count
    routes: list[tuple[str, Handler, list[str]]] = [
        ("input_tokens", count.count_responses, ["POST"]),
        ("compact", stored.compact, ["POST"]),
        ("{id}", _by_method(stored.one, delete=stored.delete), ["GET", "DELETE"]),
        ("{id}/input_items", stored.input_items, ["GET"]),
        ("{id}/cancel", stored.cancel, ["POST"]),
    ]
    return [route(f"/v1/responses/{path}", handler, methods, "openai-responses") for path, handler, methods in routes]


def _to_gemini(passthrough: Passthrough) -> Handler:
    async def relay(request: Request) -> ASGIApp:
        """Files, caches and what else only Gemini has under its own version."""
        provider = passthrough.speaker("gemini")
        return await _nowhere(request) if provider is None else await passthrough.relay(request, provider)

    return relay


class _TidyPaths:
    """A base URL with a slash or version too many must not lead to the routes that nobody reads, past the gate."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": tidy_path(scope["path"])}
        await self._app(scope, receive, send)


def _by_method(get: Handler, post: Handler | None = None, delete: Handler | None = None) -> Handler:
    others = {"POST": post, "DELETE": delete}

    async def handle(request: Request) -> ASGIApp:
        return await (others.get(request.method) or get)(request)

    return handle


def _always(wire: WireName) -> WireOf:
    return lambda request: wire


class _Guarded:
    """Admits a request, runs its handler, and puts whatever goes wrong into the words of the client's wire."""

    def __init__(
        self, endpoints: Endpoints, handler: Handler, methods: list[str], wire_of: WireOf, *, public: bool
    ) -> None:
        """`public`: served without a token and uncounted, for those who watch whether the program lives."""
        self._guard = endpoints.guard
        self._peers = endpoints.peers
        self._codecs = endpoints.chat.codecs
        self._wire_of = wire_of
        self._handler = handler
        self._methods = methods
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        codec = self._codecs[self._wire_of(request)]
        preflight, page = is_preflight(request), ""
        try:
            page = self._page_of(request)
            answer = preflight_answer(request, self._methods) if preflight else await self._answer(request, codec)
        except Refused as refused:
            answer = error_response(codec, refused.fault)
        except ClientDisconnect:
            return
        await answer(scope, receive, answering(page, send, preflight=preflight))

    def _page_of(self, request: Request) -> str:
        headers = headers_of(request)
        self._guard.check_host(headers.get("host", ""))
        return self._guard.page_of(headers)

    async def _answer(self, request: Request, codec: Codec) -> ASGIApp:
        try:
            if not self._public:
                headers = headers_of(request)
                credential = credential_of(request.scope)
                peer = await self._peers.find(request.scope.get("client"), request.scope.get("server"))
                identify(request.scope, headers, credential, peer.words)
                self._guard.admit(headers, request.query_params.get("key", ""), peer.key, credential=credential)
            if request.headers.get("upgrade", "").lower() == "websocket":
                # not spoken here: at 426 clients fall back to POST at once, at anything else they retry
                return Response("WebSocket is not supported here; use POST.", 426, {"connection": "close"})
            if request.method not in self._methods and not (request.method == "HEAD" and "GET" in self._methods):
                return self._wrong_method(request, codec)
            return await self._handler(request)
        except Refused as refused:
            return error_response(codec, refused.fault)
        except CallgateError as failure:
            return error_response(codec, fault_of(failure))
        except ClientDisconnect:
            raise
        except Exception:  # the last line of defence of the server: told to the client, logged in full
            log.exception("%s %s failed", request.method, request.scope["path"])
            return error_response(
                codec, Fault("upstream", "Callgate itself failed; its log has the details.", status=500)
            )

    def _wrong_method(self, request: Request, codec: Codec) -> Response:
        said = f"{request.method} is not allowed on {request.scope['path']}; use {' or '.join(self._methods)}."
        answer = error_response(codec, Fault("invalid_request", said, "method", status=405))
        answer.headers["allow"] = ", ".join(self._methods)
        return answer


def _gemini_verbs(endpoints: Endpoints) -> Handler:
    async def gemini(request: Request) -> ASGIApp:
        match request.path_params["call"].rpartition(":")[2]:
            case "generateContent" | "streamGenerateContent":
                return await endpoints.chat.serve_gemini(request)
            case "countTokens":
                return await endpoints.count.count_gemini(request)
            case _:
                return await endpoints.passthrough.relay_verb(request, await read_json(request), "gemini") or _no_verb(
                    request
                )

    return gemini


def _alive(endpoints: Endpoints) -> Handler:
    async def alive(request: Request) -> Response:
        if (fault := credential_of(request.scope).fault) is not None:
            return json_response({"status": "refused", "message": fault.message}, 401)
        journal = endpoints.journal()
        # degraded is alive all the same: a supervisor that restarts it would end what a person still may approve
        status = "ok" if journal["ok"] else "degraded"
        return json_response({"status": status, "name": "callgate", "version": __version__, "journal": journal})

    return alive


def _no_verb(request: Request) -> Response:
    verb = request.path_params["call"].rpartition(":")[2]
    raise BadRequest(
        f"The method {verb!r} is not served here: the model's provider does not speak Gemini.",
        "method",
        code="unknown_url",
        kind="not_found",
    )


async def _version(request: Request) -> Response:
    """Clients of Ollama ask before anything else, and some want a certain age."""
    del request
    return json_response({"version": _SPOKEN_OLLAMA})


async def _none_loaded(request: Request) -> Response:
    del request
    return json_response({"models": []})  # which model takes memory where is not known here


async def _nowhere(request: Request) -> Response:
    """Nearly always a base URL that is not quite right: it says which one is."""
    here = f"{request.scope['scheme']}://{request.headers['host']}"
    raise BadRequest(
        f"There is no route {request.scope['path']}. The base URL is {here}/v1 for OpenAI clients, {here} for "
        f"Anthropic's, Gemini's and Ollama's, and {here}/mcp for MCP.",
        code="unknown_url",
        kind="not_found",
    )
