import asyncio
from collections.abc import Callable

import httpx
import pytest
from tests.fakes.provider import Line, Provider, run

from callgate.core.deltas import Failed, Finished, TextDelta
from callgate.core.errors import PeerFault
from callgate.upstream.client import ERROR_BYTES, TimeLimits, UpstreamClient
from callgate.upstream.demo.model import DEMO_HOST, DemoTransport, demo_endpoint
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.reply import Reply
from callgate.wire.anthropic_messages import AnthropicMessages
from callgate.wire.codec import Frame
from callgate.wire.openai_chat import OpenAIChat

CODECS = {"openai-chat": OpenAIChat(), "anthropic": AnthropicMessages()}
WHOLE = (
    b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
    b'{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}'
)
BODY = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'
ENDPOINT = Endpoint("prov", ("openai-chat",), "http://prov.test/v1")

Handler = Callable[[httpx.Request], httpx.Response]


class Pauses:
    """Stands in for sleeping between attempts."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def client(handler: Handler, pauses: Pauses | None = None) -> UpstreamClient:
    return UpstreamClient(CODECS, transport=httpx.MockTransport(handler), pause=pauses or Pauses())


async def frames(
    upstream: UpstreamClient, endpoint: Endpoint = ENDPOINT, *, stream: bool = False, key: str = ""
) -> tuple[Reply, list[Frame]]:
    wire = endpoint.wires[0]
    async with upstream.open(endpoint, wire, "m", BODY, stream, {}, key) as reply:
        return reply, [frame async for frame in reply.frames()]


def text(taken: list[Frame]) -> str:
    return "".join(delta.text for frame in taken for delta in frame.deltas if isinstance(delta, TextDelta))


def test_a_request_arrives_as_it_was_written() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=WHOLE)

    async def ask() -> None:
        upstream = client(answer)
        given = {"User-Agent": "agent/1", "x-note": "café", "accept-encoding": "gzip"}
        async with upstream.open(ENDPOINT, "openai-chat", "m", BODY, True, given, "k") as reply:
            assert reply.status == 200
        await upstream.close()

    run(ask())
    assert str(seen[0].url) == "http://prov.test/v1/chat/completions"
    assert seen[0].content == BODY
    assert seen[0].headers["authorization"] == "Bearer k"
    assert seen[0].headers["accept-encoding"] == "identity"
    assert seen[0].headers["accept"] == "text/event-stream"
    assert (b"x-note", "café".encode("latin-1")) in [(name.lower(), value) for name, value in seen[0].headers.raw]


def test_cookies_of_a_provider_are_never_sent_back() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=WHOLE, headers={"set-cookie": "who=agent-a"})

    async def ask_twice() -> None:
        upstream = client(answer)
        await frames(upstream)
        await frames(upstream)

    run(ask_twice())
    assert "cookie" not in seen[1].headers


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "invalid_request"), (401, "authentication"), (404, "not_found"), (429, "rate_limit"), (500, "upstream")],
)
def test_a_refusal_is_the_peers_fault_with_its_words(status: int, kind: str) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, json={"error": {"message": "so it is", "type": "t"}})

    with pytest.raises(PeerFault, match="so it is") as refused:
        run(frames(client(refuse)))
    assert refused.value.fault.kind == kind


def test_a_key_that_a_provider_quotes_is_masked() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        return httpx.Response(401, json={"error": {"message": "Incorrect API key provided: own-1234."}})

    with pytest.raises(PeerFault) as refused:
        run(frames(client(refuse), key="own-1234"))
    assert refused.value.fault.message == "Incorrect API key provided: •••."


def test_a_refusal_that_quotes_the_whole_request_is_passed_on_whole_or_not_at_all() -> None:
    said = b'{"detail":[{"loc":["body"],"msg":"no","input":"%s"}]}'

    def refused(quoted: bytes) -> PeerFault:
        with pytest.raises(PeerFault) as failed:
            run(frames(client(lambda _: httpx.Response(422, content=said % quoted))))
        return failed.value

    reply = refused(b"x" * 200_000).reply
    assert reply is not None and reply.body == said % (b"x" * 200_000)
    assert refused(b"x" * ERROR_BYTES).reply is None


@pytest.mark.parametrize("hint", ["nan", "inf", "-1", "1e999"])
def test_a_hint_that_is_no_time_is_no_hint(hint: str) -> None:
    with pytest.raises(PeerFault) as refused:
        run(frames(client(lambda _: httpx.Response(429, json={}, headers={"retry-after": hint}))))
    assert refused.value.fault.retry_after is None


def test_an_error_page_is_told_by_its_title() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        return httpx.Response(502, text="<html><head><title>502 Bad\n Gateway</title></head><body>…</body></html>")

    with pytest.raises(PeerFault, match="'prov' answered HTTP 502 with a web page \"502 Bad Gateway\""):
        run(frames(client(refuse)))


def test_a_redirect_is_not_followed() -> None:
    def move(request: httpx.Request) -> httpx.Response:
        return httpx.Response(307, headers={"location": "http://elsewhere.test/"})

    with pytest.raises(PeerFault, match="is its base_url right"):
        run(frames(client(move)))


def test_a_busy_provider_is_asked_again_after_the_time_it_names() -> None:
    answers = [
        httpx.Response(429, headers={"retry-after": "2"}, json={"error": {"message": "slow down"}}),
        httpx.Response(503, headers={"retry-after-ms": "500"}, json={"error": {"message": "busy"}}),
        httpx.Response(200, content=WHOLE),
    ]
    pauses = Pauses()
    reply, taken = run(frames(client(lambda request: answers.pop(0), pauses)))
    assert text(taken) == "Hi"
    assert reply.attempts == 3
    assert pauses.seconds == [2.0, 0.5]


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (429, {"retry-after": "60"}),
        (429, {}),
        (429, {"retry-after": "1", "x-should-retry": "false"}),
        (400, {"retry-after": "1"}),
        (500, {"retry-after": "1"}),
        (429, {"retry-after": "nan"}),
    ],
)
def test_other_refusals_are_left_to_the_client(status: int, headers: dict[str, str]) -> None:
    asked: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(status, headers=headers, json={"error": {"message": "no"}})

    with pytest.raises(PeerFault):
        run(frames(client(refuse)))
    assert len(asked) == 1


def test_the_third_refusal_is_final_and_keeps_its_retry_hint() -> None:
    asked: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(529, headers={"retry-after": "1"}, json={"error": {"message": "overloaded"}})

    with pytest.raises(PeerFault) as refused:
        run(frames(client(refuse)))
    assert len(asked) == 3
    assert refused.value.fault.retry_after == 1.0


def test_a_connection_that_cannot_be_made_is_tried_again() -> None:
    tries: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tries.append(request)
        if len(tries) < 3:
            raise httpx.ConnectError("refused", request=request)
        return httpx.Response(200, content=WHOLE)

    pauses = Pauses()
    _, taken = run(frames(client(answer, pauses)))
    assert text(taken) == "Hi"
    assert pauses.seconds == [0.25, 0.5]


def test_a_provider_that_is_not_there_is_named() -> None:
    async def ask() -> None:
        async with Provider(_hold) as gone:
            url = gone.url
        upstream = UpstreamClient(CODECS, pause=Pauses())
        await frames(upstream, Endpoint("prov", ("openai-chat",), url))

    with pytest.raises(PeerFault, match="'prov' cannot be reached") as lost:
        run(ask())
    assert lost.value.fault.kind == "upstream"


def test_a_provider_that_hangs_up_before_answering_is_asked_only_once() -> None:
    async def hang_up(line: Line) -> None:
        return

    async def ask() -> int:
        async with Provider(hang_up) as provider:
            upstream = UpstreamClient(CODECS, pause=Pauses())
            with pytest.raises(PeerFault, match="'prov' broke off"):
                await frames(upstream, Endpoint("prov", ("openai-chat",), provider.url))
            await upstream.close()
            return len(provider.requests)

    assert run(ask()) == 1


def test_a_silent_provider_is_given_up() -> None:
    async def ask() -> None:
        async with Provider(_hold) as provider:
            upstream = UpstreamClient(CODECS, limits=TimeLimits(read=0.05), pause=Pauses())
            try:
                await frames(upstream, Endpoint("prov", ("openai-chat",), provider.url))
            finally:
                await upstream.close()
                await provider.wait(provider.gone)

    with pytest.raises(PeerFault) as late:
        run(ask())
    assert late.value.fault.kind == "timeout"


def test_a_trickle_ends_at_the_overall_limit() -> None:
    async def trickle(line: Line) -> None:
        await line.head()
        while not line.provider.gone.is_set():
            await line.chunk(b": still there\n\n")
            await asyncio.sleep(0.01)

    async def ask() -> list[Frame]:
        async with Provider(trickle) as provider:
            upstream = UpstreamClient(CODECS, limits=TimeLimits(overall=0.2), pause=Pauses())
            _, taken = await frames(upstream, Endpoint("prov", ("openai-chat",), provider.url), stream=True)
            await upstream.close()
            await provider.wait(provider.gone)
            return taken

    last = run(ask())[-1].deltas[-1]
    assert isinstance(last, Failed)
    assert last.fault.kind == "timeout"


def test_leaving_the_context_hangs_up_at_once() -> None:
    async def ask() -> None:
        async with Provider(_first_word_then_hold) as provider:
            upstream = UpstreamClient(CODECS)
            endpoint = Endpoint("prov", ("openai-chat",), provider.url)
            async with upstream.open(endpoint, "openai-chat", "m", BODY, True, {}) as reply:
                async for frame in reply.frames():
                    assert frame.raw
                    break
            await provider.wait(provider.gone)
            await upstream.close()

    run(ask())


def test_a_cancelled_reader_hangs_up_at_once() -> None:
    async def ask() -> None:
        async with Provider(_first_word_then_hold) as provider:
            upstream = UpstreamClient(CODECS)
            begun = asyncio.Event()

            async def read() -> None:
                endpoint = Endpoint("prov", ("openai-chat",), provider.url)
                async with upstream.open(endpoint, "openai-chat", "m", BODY, True, {}) as reply:
                    async for _ in reply.frames():
                        begun.set()

            task = asyncio.ensure_future(read())
            await provider.wait(begun)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await provider.wait(provider.gone)
            await upstream.close()

    run(ask())


def test_a_request_that_waits_for_its_first_byte_can_be_cancelled() -> None:
    async def ask() -> None:
        async with Provider(_hold) as provider:
            upstream = UpstreamClient(CODECS)
            task = asyncio.ensure_future(frames(upstream, Endpoint("prov", ("openai-chat",), provider.url)))
            await provider.wait(provider.arrived)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await provider.wait(provider.gone)
            await upstream.close()

    run(ask())


def test_the_embedded_model_takes_the_same_path() -> None:
    async def ask() -> list[Frame]:
        upstream = UpstreamClient(CODECS, mounts={DEMO_HOST: DemoTransport(0)})
        _, taken = await frames(upstream, demo_endpoint())
        assert await upstream.list_models(demo_endpoint()) == ("callgate-demo",)
        await upstream.close()
        return taken

    taken = run(ask())
    assert "demo model" in text(taken)
    assert any(isinstance(delta, Finished) for frame in taken for delta in frame.deltas)


def test_other_paths_are_relayed_unread() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(
            418,
            stream=httpx.ByteStream(b"\x00raw"),
            headers={"content-type": "audio/mp3", "set-cookie": "a=b", "x-request-id": "r"},
        )

    async def relay() -> tuple[int, dict[str, str], bytes]:
        upstream = client(answer)
        given = {"content-type": "multipart/form-data; boundary=b", "authorization": "Bearer own"}
        async with upstream.raw(
            ENDPOINT, "POST", "/v1/audio/speech", query="a=1", body=b"--b", client_headers=given
        ) as reply:
            return reply.status, dict(reply.headers), b"".join([chunk async for chunk in reply.chunks()])

    status, headers, body = run(relay())
    assert (status, body) == (418, b"\x00raw")
    assert headers["content-type"] == "audio/mp3"
    assert headers["x-request-id"] == "r"
    assert "set-cookie" not in headers
    assert str(seen[0].url) == "http://prov.test/v1/audio/speech?a=1"
    assert seen[0].headers["content-type"] == "multipart/form-data; boundary=b"
    assert seen[0].headers["authorization"] == "Bearer own"
    assert seen[0].content == b"--b"


@pytest.mark.parametrize(
    ("wire", "listed"),
    [
        ("openai-chat", {"data": [{"id": "gpt-5"}, {"id": "dall-e"}, {"odd": 1}, 3]}),
        ("anthropic", {"data": [{"type": "model", "id": "gpt-5"}]}),
        ("gemini", {"models": [{"name": "models/gpt-5"}]}),
    ],
)
def test_models_are_listed_as_each_wire_spells_them_and_only_those_served(wire: str, listed: object) -> None:
    endpoint = Endpoint("p", (wire,), "http://p.test", ("gpt-*",))  # type: ignore[arg-type]
    upstream = client(lambda request: httpx.Response(200, json=listed))
    assert run(upstream.list_models(endpoint)) == ("gpt-5",)


def test_a_provider_that_lists_nothing_in_time_has_no_models() -> None:
    async def ask() -> tuple[str, ...]:
        async with Provider(_hold) as provider:
            upstream = UpstreamClient(CODECS, limits=TimeLimits(models=0.05))
            names = await upstream.list_models(Endpoint("p", ("openai-chat",), provider.url))
            await provider.wait(provider.gone)
            await upstream.close()
            return names

    assert run(ask()) == ()
    assert run(client(lambda request: httpx.Response(500)).list_models(ENDPOINT)) == ()


async def _hold(line: Line) -> None:
    await line.hung_up()


async def _first_word_then_hold(line: Line) -> None:
    await line.head()
    await line.chunk(
        b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
        b'"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}\n\n'
    )
    await line.hung_up()


def test_a_refusal_keeps_the_headers_that_concern_its_client() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        told = {"x-should-retry": "false", "request-id": "req_7", "set-cookie": "a=b", "x-powered-by": "php"}
        return httpx.Response(529, headers=told, json={"error": {"message": "overloaded"}})

    with pytest.raises(PeerFault) as refused:
        run(frames(client(refuse)))
    assert refused.value.reply is not None
    assert refused.value.reply.headers == {"x-should-retry": "false", "request-id": "req_7"}


@pytest.mark.parametrize(
    ("body", "as_usual"),
    [
        ({"error": {"message": "no"}}, True),
        ({"error": {"message": "no", "type": "x"}, "provider": "y"}, True),
        ({"error": "no"}, False),
        ({"detail": "no"}, False),
        ({"object": "error", "message": "no"}, False),
        ([{"error": {"message": "no"}}], False),
        ({"type": "error", "error": {"type": "api_error", "message": "no"}}, False),
    ],
)
def test_a_refusal_is_known_by_its_shape(body: object, as_usual: bool) -> None:
    with pytest.raises(PeerFault) as refused:
        run(frames(client(lambda request: httpx.Response(400, json=body))))
    assert refused.value.reply is not None and refused.value.reply.as_usual is as_usual


def test_a_key_that_is_no_secret_leaves_a_refusal_as_it_is() -> None:
    with pytest.raises(PeerFault) as refused:
        run(frames(client(lambda request: httpx.Response(400, json={"error": {"message": "x is no model"}})), key="x"))
    assert refused.value.reply is not None
