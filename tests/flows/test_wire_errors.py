"""Providers that fail, seen through every official package: its own exception, with the status and the words."""

from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest
from google.genai import errors as genai
from tests.fakes.providers import failures, scene
from tests.fakes.providers.service import Reply
from tests.fakes.sdks.heard import ReplyFailed
from tests.fakes.translating import WIRES, Stage, stage

KINDS: dict[str, dict[int, type[Exception]]] = {
    "openai-chat": {
        401: openai.AuthenticationError,
        404: openai.NotFoundError,
        429: openai.RateLimitError,
        400: openai.BadRequestError,
        500: openai.InternalServerError,
    },
    "anthropic": {
        401: anthropic.AuthenticationError,
        404: anthropic.NotFoundError,
        429: anthropic.RateLimitError,
        400: anthropic.BadRequestError,
        500: anthropic.InternalServerError,
    },
    "gemini": dict.fromkeys((401, 404, 429, 400), genai.ClientError) | {500: genai.ServerError},
}
KINDS["openai-responses"] = KINDS["openai-chat"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("errors")) as services, services.open() as opened:
        yield opened


@pytest.fixture(scope="module", params=WIRES)
def agents(request: pytest.FixtureRequest, played: Stage) -> dict[tuple[str, bool], Any]:
    """Applications of one wire over every provider, plain and streamed."""
    return {
        (provider, stream): played.agent(request.param, provider, stream=stream)
        for provider in WIRES
        for stream in (False, True)
    }


def raised(played: Stage, agent: Any, provider: str, *replies: Reply) -> tuple[Any, int]:
    """What the package raises when the provider answers so, and the status it tells."""
    service = played.services[provider]
    service.asked.clear()
    agent.forget()
    service.next[:] = replies
    with pytest.raises((openai.APIError, anthropic.APIError, genai.APIError, ReplyFailed)) as caught:
        agent.say(scene.ASK)
    assert len(service.asked) == 1, f"asked {len(service.asked)} times"
    assert not service.next
    status = getattr(caught.value, "status_code", None) or getattr(caught.value, "code", 0)
    return caught.value, status


def wire_of(agents: dict[tuple[str, bool], Any]) -> str:
    kind = type(next(iter(agents.values()))).__name__
    return dict(zip(("ChatAgent", "ResponsesAgent", "MessagesAgent", "GenaiAgent"), WIRES, strict=True))[kind]


@pytest.mark.parametrize("status", [401, 404, 429, 529, 500])
def test_a_refusal_keeps_its_kind_its_words_and_its_hint(
    played: Stage, agents: dict[tuple[str, bool], Any], status: int
) -> None:
    wire = wire_of(agents)
    for (provider, stream), agent in agents.items():
        if stream == (provider == wire):
            continue  # before the first byte both take the same path: one of them for each pair
        error, told = raised(played, agent, provider, failures.failure(provider, status))
        where = f"{wire} over {provider}, stream={stream}: {error!r}"
        assert isinstance(error, KINDS[wire][min(status, 500)]), where
        assert failures.WORDS in str(error), where
        assert told in {529: (529, 503), 500: (500, 502)}.get(status, (status,)), where
        if status == 429:
            assert error.response.headers["retry-after"] == str(failures.RETRY_SECONDS), where
            if provider != wire:
                assert error.response.headers["retry-after-ms"] == str(failures.RETRY_SECONDS * 1000), where
        if status == 529:
            assert told == (529 if wire == "anthropic" else 503), where


def test_too_long_a_prompt_is_said_in_the_words_that_clients_look_for(
    played: Stage, agents: dict[tuple[str, bool], Any]
) -> None:
    wire = wire_of(agents)
    for (provider, stream), agent in agents.items():
        words = failures.OVERFLOWS[provider]
        error, told = raised(played, agent, provider, failures.failure(provider, 400, words))
        where = f"{wire} over {provider}, stream={stream}: {error!r}"
        assert isinstance(error, KINDS[wire][400]) and told == 400, where
        if wire.startswith("openai"):
            assert error.code == "context_length_exceeded", where
        if wire == "anthropic":
            assert "prompt is too long" in str(error), where
        if wire == "gemini":
            assert "exceeds the maximum number of tokens allowed" in str(error), where


def test_a_web_page_is_told_as_one(played: Stage, agents: dict[tuple[str, bool], Any]) -> None:
    wire = wire_of(agents)
    for (provider, stream), agent in agents.items():
        error, told = raised(played, agent, provider, failures.page())
        where = f"{wire} over {provider}, stream={stream}: {error!r}"
        assert isinstance(error, KINDS[wire][500]) and told == 502, where
        assert "web page" in str(error) and "502 Bad Gateway" in str(error), where


def test_an_error_under_status_200_is_an_error(played: Stage, agents: dict[tuple[str, bool], Any]) -> None:
    wire = wire_of(agents)
    for (provider, stream), agent in agents.items():
        reply = failures.under_200(provider, stream=stream)
        error, _ = raised(played, agent, provider, reply)
        where = f"{wire} over {provider}, stream={stream}: {error!r}"
        assert failures.WORDS in str(error), where
        if not stream:
            assert isinstance(error, KINDS[wire][500]), where


def test_a_stream_that_breaks_off_is_an_error_and_not_an_end(
    played: Stage, agents: dict[tuple[str, bool], Any]
) -> None:
    wire = wire_of(agents)
    for (provider, stream), agent in agents.items():
        if not stream:
            continue
        service = played.services[provider]
        service.breaks_off = True
        try:
            error, _ = raised(played, agent, provider)
        finally:
            service.breaks_off = False
        assert "broke off" in str(error), f"{wire} over {provider}: {error!r}"
