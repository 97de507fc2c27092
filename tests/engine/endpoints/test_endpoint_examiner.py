"""An endpoint is asked for its models, and what came of it is said in words."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from callgate.core.errors import UserFault
from callgate.core.request import WireName
from callgate.engine.endpoints.endpoint_examiner import EndpointExaminer
from callgate.engine.endpoints.endpoint_service import Examination
from callgate.upstream.client import UpstreamClient
from callgate.upstream.endpoint import Endpoint, Vertex
from callgate.wire.registry import CODECS

KEY = "sk-secret-0123456789"
Answer = Callable[[httpx.Request], httpx.Response]


def examined(
    answer: Answer, key: str = KEY, wire: WireName = "openai-chat", url: str = "http://x.test/v1", **more: Any
) -> Examination:
    async def go() -> Examination:
        upstream = UpstreamClient(CODECS, transport=httpx.MockTransport(answer))
        try:
            return await EndpointExaminer(upstream).examine(Endpoint("up", (wire,), url, **more), key)
        finally:
            await upstream.close()

    return asyncio.run(asyncio.wait_for(go(), 5))


def listing(*models: str, guarded: bool = True) -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        if guarded and not any(KEY in value for value in request.headers.values()):
            return httpx.Response(401, json={"error": {"message": "no key"}})
        return httpx.Response(200, json={"object": "list", "data": [{"id": model} for model in models]})

    return answer


def answering(status: int, text: str = "", **headers: str) -> Answer:
    return lambda request: httpx.Response(status, text=text, headers=headers)


def failing(error: Exception) -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        raise error

    return answer


def test_an_endpoint_that_lists_its_models_is_reached() -> None:
    found = examined(listing("a", "b"))
    assert (found.outcome, found.models, found.served) == ("reached", ("a", "b"), 2)
    assert found.words == "It answers and has 2 models." and found.works and found.at


@pytest.mark.parametrize(
    ("globs", "words"),
    [
        (("gpt-*",), "It answers and has 3 models, 1 of them fit the patterns."),
        (("claude-*",), "none fits the patterns claude-*: no request would go there"),
    ],
)
def test_models_outside_the_patterns_are_counted(globs: tuple[str, ...], words: str) -> None:
    assert words in examined(listing("gpt-5", "whisper", "tts"), models=globs).words


def test_a_server_without_models_is_reached_all_the_same() -> None:
    found = examined(listing())
    assert (found.outcome, found.words) == ("reached", "It answers, but has no models yet.")


def test_a_list_that_anyone_gets_says_nothing_about_the_key() -> None:
    assert "lists them to anyone" in examined(listing("a", guarded=False)).words
    assert "anyone" not in examined(listing("a", guarded=False), key="").words


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_said_in_the_providers_words_without_the_key(status: int) -> None:
    body = f'{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}'
    found = examined(answering(status, body))
    assert found.outcome == "refused" and "Incorrect API key" in found.words
    assert KEY not in found.words and not found.works


def test_google_refuses_a_key_with_400() -> None:
    body = '{"error":{"code":400,"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}'
    assert examined(answering(400, body), wire="gemini", url="http://x.test").outcome == "refused"


def test_one_that_wants_the_clients_own_key_answers() -> None:
    found = examined(answering(401, '{"error":{"message":"no"}}'), key="")
    assert found.outcome == "unlisted" and "your program has to send" in found.words and found.works


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (answering(404), "no list of models at /v1/models (HTTP 404)"),
        (answering(405), "HTTP 405"),
        (answering(302, location="http://elsewhere"), "HTTP 302"),
        (answering(200, "<html><title>Router</title>"), "a web page"),
        (answering(200, '{"hello":"world"}'), "something else than a list of models"),
        (answering(200, ""), "something else"),
    ],
)
def test_whoever_speaks_otherwise_is_told_apart(answer: Answer, words: str) -> None:
    found = examined(answer)
    assert found.outcome == "foreign" and words in found.words and "up to and with /v1" in found.words


def test_the_advice_fits_the_protocol() -> None:
    assert "the root, without /v1" in examined(answering(404), wire="anthropic", url="http://x.test").words


@pytest.mark.parametrize(
    ("error", "outcome", "words"),
    [
        (httpx.ConnectError("All connection attempts failed"), "unreachable", "Nobody listens at http://x.test"),
        (httpx.ConnectError("[Errno -2] Name or service not known"), "unreachable", "no machine named x.test"),
        (httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] bad"), "unreachable", "could not prove who it is"),
        (httpx.ConnectTimeout(""), "unreachable", "did not take the connection in time"),
        (httpx.RemoteProtocolError("illegal status line"), "failing", "an HTTP server at all?"),
    ],
)
def test_what_broke_on_the_way_is_said(error: Exception, outcome: str, words: str) -> None:
    found = examined(failing(error))
    assert found.outcome == outcome and words in found.words


def test_a_server_in_trouble_is_quoted() -> None:
    found = examined(answering(500, '{"error":{"message":"the disk is full"}}'))
    assert found.outcome == "failing" and found.words == "It answered HTTP 500. It says: the disk is full."


def test_a_silent_server_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callgate.engine.endpoints.endpoint_examiner.EXAMINE_SECONDS", 0.05)

    async def never(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    found = examined(never)  # type: ignore[arg-type]
    assert found.outcome == "silent" and "gave no answer" in found.words


def test_a_key_that_no_header_can_carry_is_said_without_it() -> None:
    found = examined(listing("a"), key="sk secret")
    assert found.outcome == "failing" and "sk secret" not in found.words


class Tokens:
    quota_project = ""

    def __init__(self, problem: str = "") -> None:
        self.problem = problem

    async def token(self) -> str:
        if self.problem:
            raise UserFault(self.problem)
        return "token"


@pytest.mark.parametrize(
    ("tokens", "key", "outcome", "words"),
    [
        (Tokens(), "", "unlisted", "Google's login works"),
        (Tokens("run gcloud"), "", "keyless", "run gcloud."),
        (None, "", "keyless", "needs Google credentials"),
        (Tokens("never asked"), "k", "unlisted", "lists no models"),
    ],
)
def test_on_vertex_the_login_is_tried(tokens: Tokens | None, key: str, outcome: str, words: str) -> None:
    async def go() -> Examination:
        upstream = UpstreamClient(CODECS, transport=httpx.MockTransport(failing(AssertionError("nobody is asked"))))
        try:
            claude = Endpoint("v", ("anthropic",), "", vertex=Vertex("p", "eu"))
            return await EndpointExaminer(upstream, tokens).examine(claude, key)
        finally:
            await upstream.close()

    found = asyncio.run(go())
    assert found.outcome == outcome and words in found.words
