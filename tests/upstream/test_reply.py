import gzip

import httpx
import pytest
from tests.fakes.provider import Line, Provider, run

from callgate.core.deltas import Failed, Finished, TextDelta, UsageReported
from callgate.core.errors import Fault, PeerFault
from callgate.upstream import reply as reply_module
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.reply import Reply, broken_off, masked, page_title
from callgate.wire.codec import Frame
from callgate.wire.gemini_generate import GeminiGenerate
from callgate.wire.openai_chat import OpenAIChat

ENDPOINT = Endpoint("prov", ("openai-chat",), "http://prov.test/v1")
WHOLE = (
    b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
    b'{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,'
    b'"total_tokens":2}}'
)
CHUNK = '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,%s}]}'
WORD = b"data: " + (CHUNK % '"delta":{"role":"assistant","content":"Hi"},"finish_reason":null').encode() + b"\n\n"
FINISH = b"data: " + (CHUNK % '"delta":{},"finish_reason":"stop"').encode() + b"\n\n"
DONE = b"data: [DONE]\n\n"


async def take(upstream: UpstreamClient, endpoint: Endpoint, stream: bool) -> tuple[Reply, list[Frame]]:
    try:
        async with upstream.open(endpoint, "openai-chat", "m", b"{}", stream, {}, "sk-secret") as reply:
            return reply, [frame async for frame in reply.frames()]
    finally:
        await upstream.close()


def answered(content: bytes, *, stream: bool, kind: str = "", **headers: str) -> tuple[Reply, list[Frame]]:
    """What is made of a whole answer."""

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=content, headers={"content-type": kind, **headers})

    upstream = UpstreamClient({"openai-chat": OpenAIChat()}, transport=httpx.MockTransport(answer))
    return run(take(upstream, ENDPOINT, stream))


def served(script: object) -> list[Frame]:
    """What is made of bytes that come over a real socket."""

    async def ask() -> list[Frame]:
        async with Provider(script) as provider:  # type: ignore[arg-type]
            upstream = UpstreamClient({"openai-chat": OpenAIChat()})
            _, frames = await take(upstream, Endpoint("prov", ("openai-chat",), provider.url), stream=True)
            return frames

    return run(ask())


def text(frames: list[Frame]) -> str:
    return "".join(delta.text for frame in frames for delta in frame.deltas if isinstance(delta, TextDelta))


def failures(frames: list[Frame]) -> list[Failed]:
    return [delta for frame in frames for delta in frame.deltas if isinstance(delta, Failed)]


def test_a_stream_gives_its_very_bytes_back() -> None:
    stream = WORD + b": comment\n\n" + FINISH + DONE
    reply, frames = answered(stream, stream=True, kind="text/event-stream")
    assert reply.streamed
    assert b"".join(frame.raw for frame in frames) == stream
    assert text(frames) == "Hi"
    assert not failures(frames)


def test_a_plain_answer_is_one_frame() -> None:
    reply, frames = answered(WHOLE, stream=False, kind="application/json")
    assert not reply.streamed
    assert [frame.raw for frame in frames] == [WHOLE]
    assert text(frames) == "Hi"
    assert [type(delta) for delta in frames[0].deltas[-2:]] == [Finished, UsageReported]


def test_a_whole_answer_although_a_stream_was_asked_for_is_recognised() -> None:
    reply, frames = answered(b"\n \n" + WHOLE, stream=True, kind="text/event-stream")
    assert not reply.streamed
    assert text(frames) == "Hi"


def test_a_stream_although_a_whole_answer_was_asked_for_is_recognised() -> None:
    reply, frames = answered(WORD + FINISH + DONE, stream=False, kind="application/json")
    assert reply.streamed
    assert text(frames) == "Hi"


def test_a_compressed_answer_is_read_although_none_was_asked_for() -> None:
    _, frames = answered(gzip.compress(WORD + FINISH + DONE), stream=True, **{"content-encoding": "gzip"})
    assert text(frames) == "Hi"


def test_an_error_in_the_clothes_of_a_success_is_a_fault_without_the_key() -> None:
    with pytest.raises(PeerFault) as failed:
        answered(b'{"error":{"message":"no credits for sk-secret","code":402}}', stream=True)
    assert failed.value.fault.message == "no credits for •••"


def test_an_error_inside_a_stream_is_a_failure_without_the_key() -> None:
    _, frames = answered(WORD + b'data: {"error":{"message":"died on sk-secret","code":500}}\n\n', stream=True)
    assert text(frames) == "Hi"
    assert [failed.fault.message for failed in failures(frames)] == ["died on •••"]
    assert b"sk-secret" not in b"".join(frame.raw for frame in frames), "its bytes are kept"


def test_words_that_are_no_events_do_not_quote_the_key_either() -> None:
    _, frames = answered(b"bad key sk-secret", stream=True)
    assert b"".join(frame.raw for frame in frames) == "bad key •••".encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "'prov' answered with nothing"),
        (b" \n ", "'prov' answered with nothing"),
        (b"<!doctype html><title>Welcome</title>", 'with a web page "Welcome": is its base_url right'),
        (b'{"id": "c1", "cho', "something that is not JSON"),
    ],
)
def test_an_answer_that_is_none_is_a_fault(content: bytes, words: str) -> None:
    with pytest.raises(PeerFault, match=words):
        answered(content, stream=False)


def test_a_list_instead_of_an_answer_is_a_fault() -> None:
    with pytest.raises(PeerFault, match="status 502"):
        answered(b"[1]", stream=False)
    with pytest.raises(PeerFault) as failed:
        answered(b'[{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}]', stream=False)
    assert failed.value.fault.kind == "rate_limit"


def test_a_stream_that_ends_before_its_end_is_reported_as_failed() -> None:
    _, frames = answered(WORD, stream=True)
    assert text(frames) == "Hi"
    assert len(failures(frames)) == 1


def test_a_connection_lost_in_mid_stream_is_reported_with_its_cause() -> None:
    async def cut(line: Line) -> None:
        await line.head()
        await line.chunk(WORD)

    frames = served(cut)
    assert text(frames) == "Hi"
    assert [failed.fault.kind for failed in failures(frames)] == ["upstream"]
    assert "'prov' broke off" in failures(frames)[0].fault.message


def test_a_connection_lost_before_the_first_event_is_a_fault() -> None:
    async def cut(line: Line) -> None:
        await line.head()

    with pytest.raises(PeerFault, match="'prov' broke off"):
        served(cut)


def test_a_connection_lost_after_the_end_harms_nothing() -> None:
    async def cut(line: Line) -> None:
        await line.head()
        await line.chunk(WORD + FINISH + DONE)

    frames = served(cut)
    assert text(frames) == "Hi"
    assert not failures(frames)


def test_a_server_that_never_hangs_up_after_the_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_module, "LINGER_SECONDS", 0.05)

    async def linger(line: Line) -> None:
        await line.head()
        await line.chunk(WORD + FINISH + DONE)
        await line.hung_up()

    assert not failures(served(linger))


def test_a_stream_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_module, "MAX_STREAM_BYTES", 5_000)

    async def endless(line: Line) -> None:
        await line.head()
        for _ in range(1_000):
            await line.chunk(WORD)
        await line.hung_up()

    frames = served(endless)
    assert "without end: more than 5,000 bytes" in failures(frames)[-1].fault.message
    assert len(b"".join(frame.raw for frame in frames)) <= 5_000


def test_letters_cut_between_two_packets_stay_whole() -> None:
    word = WORD.replace(b"Hi", "Grüße 👋".encode())

    async def byte_by_byte(line: Line) -> None:
        await line.head()
        for at in range(len(word)):
            await line.chunk(word[at : at + 1])
        await line.chunk(FINISH + DONE)
        await line.end()

    assert text(served(byte_by_byte)) == "Grüße 👋"


def test_a_failure_that_could_hold_a_header_is_not_quoted() -> None:
    fault = broken_off("prov", httpx.LocalProtocolError("Illegal header value b'Bearer sk-secret'"))
    assert fault.message == "'prov' cannot be talked to: LocalProtocolError"


def test_a_page_without_a_title_says_nothing() -> None:
    assert page_title(b"<html></html>") == ""


def test_a_key_that_is_no_secret_does_not_garble_a_message() -> None:
    fault = Fault("upstream", "an example")
    assert masked(fault, "x") is fault
    assert masked(fault, "") is fault


def test_geminis_list_of_pieces_is_read_where_events_were_asked_for() -> None:
    piece = '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"%s"}]}%s}],"modelVersion":"g"}'
    said = "[" + piece % ("H", "") + ",\n" + piece % ("i", ',"finishReason":"STOP"') + "]"
    error = '[{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}]'

    async def ask(content: str) -> list[Frame]:
        transport = httpx.MockTransport(lambda request: httpx.Response(200, content=content))
        upstream = UpstreamClient({"gemini": GeminiGenerate()}, transport=transport)
        endpoint = Endpoint("prov", ("gemini",), "http://prov.test")
        try:
            async with upstream.open(endpoint, "gemini", "g", b"{}", True, {}, "sk-secret") as reply:
                return [frame async for frame in reply.frames()]
        finally:
            await upstream.close()

    frames = run(ask(said))
    assert text(frames) == "Hi" and not failures(frames)
    assert all(frame.repairs for frame in frames), "a client that wants events must not be sent a list"
    with pytest.raises(PeerFault) as failed:
        run(ask(error))
    assert failed.value.fault.kind == "rate_limit"
