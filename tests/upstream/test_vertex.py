"""Google's Vertex as an endpoint: its tokens, paths and bodies."""

import httpx
import pytest
from tests.fakes.provider import run

from callgate.core.errors import PeerFault, UserFault
from callgate.core.json.text import parse_object
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import Endpoint, Vertex
from callgate.wire.anthropic_messages import AnthropicMessages

CODECS = {"anthropic": AnthropicMessages()}
VERTEX = Endpoint("v", ("anthropic",), "", vertex=Vertex("p", "us-east5"))
BODY = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'


async def ask(upstream: UpstreamClient, *, stream: bool = False) -> None:
    async with upstream.open(VERTEX, "anthropic", "m", BODY, stream, {}, "") as reply:
        assert [frame async for frame in reply.frames()]


class Tokens:
    quota_project = "billed"

    async def token(self) -> str:
        return "ya29.token"


def test_vertex_is_asked_with_a_token_and_its_own_body() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(400, json={"type": "error", "error": {"type": "invalid_request_error", "message": "x"}})

    upstream = UpstreamClient(CODECS, transport=httpx.MockTransport(answer), google=Tokens())
    with pytest.raises(PeerFault):
        run(ask(upstream, stream=True))
    assert seen[0].headers["authorization"] == "Bearer ya29.token"
    assert seen[0].headers["x-goog-user-project"] == "billed"
    assert seen[0].url.path.endswith("/publishers/anthropic/models/m:streamRawPredict")
    body = parse_object(seen[0].content)
    assert body is not None
    assert "model" not in body


def test_vertex_counts_tokens_at_a_place_of_its_own() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, stream=httpx.ByteStream(b'{"input_tokens":3}'))

    upstream = UpstreamClient(CODECS, transport=httpx.MockTransport(answer), google=Tokens())
    given = {"anthropic-version": "2023-06-01", "x-api-key": "of the client"}
    body = VERTEX.body("anthropic", b'{"model":"claude-x","messages":[]}', given, model_in_path=False)

    async def count() -> bytes:
        path = "/v1/messages/count_tokens"
        async with upstream.raw(VERTEX, "POST", path, query="beta=true", body=body, client_headers=given) as reply:
            return b"".join([chunk async for chunk in reply.chunks()])

    assert run(count()) == b'{"input_tokens":3}'
    assert seen[0].url.path.endswith("/publishers/anthropic/models/count-tokens:rawPredict") and not seen[0].url.query
    assert seen[0].headers["authorization"] == "Bearer ya29.token" and "x-api-key" not in seen[0].headers
    assert parse_object(seen[0].content) == {
        "model": "claude-x",
        "messages": [],
        "anthropic_version": "vertex-2023-10-16",
    }


def test_vertex_without_credentials_is_explained() -> None:
    with pytest.raises(UserFault, match="Vertex needs Google credentials"):
        run(ask(UpstreamClient(CODECS, transport=httpx.MockTransport(lambda request: httpx.Response(200)))))
