"""Ollama's official package through a running program: streams, held and denied calls, errors, first questions."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import ollama
import pytest
from tests.fakes.providers import scene
from tests.fakes.providers.ollama import MODEL
from tests.fakes.providers.service import Reply, whole
from tests.fakes.running import running
from tests.fakes.sdks.openai_chat import TOOLS
from tests.fakes.translating import ALL_WIRES, Stage, stage

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import InvocationChanged, WireCaptured
from callgate.proxy import answer
from callgate.runtime.runtime import Launch
from callgate.upstream.demo.model import DEMO_MODEL

DENY = '[[rules]]\nverdict = "deny"\ntool = "find_note"\nnote = "Notes are private"\n'
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("ollama"), DENY) as services, services.open() as opened:
        yield opened


@pytest.fixture(autouse=True)
def strict_services(played: Stage) -> Iterator[None]:
    for service in played.services.values():
        service.asked.clear()
    yield
    refusals = played.refusals()
    for service in played.services.values():
        service.refusals.clear()
    assert not refusals, refusals[0]


@STREAMS
@pytest.mark.parametrize("provider", ALL_WIRES)
def test_a_denied_call_never_reaches_the_client(played: Stage, provider: str, stream: bool) -> None:
    options: dict[str, Any] = {"think": True} if provider in ("anthropic", "gemini") else {}
    agent = played.agent("ollama", provider, stream=stream, **options)
    first = agent.say(scene.ASK)
    assert [call.name for call in first.calls] == [scene.WEATHER]
    agent.give({first.calls[0].id: scene.WEATHER_RESULT})
    told = played.services[provider].told(played.services[provider].bodies[-1])
    assert [name for _, name, _ in told.calls] == [scene.WEATHER, scene.NOTE], "the model's history is whole"
    results = list(told.results.values())
    assert results[0] == scene.WEATHER_RESULT
    assert "Notes are private" in results[1]


def test_a_stream_of_its_own_wire_passes_byte_for_byte(played: Stage) -> None:
    service = played.services["ollama"]
    body = {"model": MODEL, "messages": [{"role": "user", "content": scene.THANKS}]}
    with httpx.Client(base_url=played.address, trust_env=False, timeout=10) as plain:
        answered = plain.post("/api/chat", json=body)
    assert answered.headers["content-type"] == "application/x-ndjson"
    assert service.asked[-1].raw == answered.request.content
    lines = answered.content.splitlines()
    assert [b'"done":true' in line for line in lines] == [False] * (len(lines) - 1) + [True]
    assert scene.WELCOME in answered.text


@STREAMS
def test_an_error_is_told_in_words_and_with_its_status(played: Stage, stream: bool) -> None:
    played.services["ollama"].next.append(whole({"error": "model requires more system memory"}, 500))
    agent = played.agent("ollama", "ollama", stream=stream)
    with pytest.raises(ollama.ResponseError, match="model requires more system memory") as failed:
        agent.say(scene.ASK)
    assert failed.value.status_code == 500, "the provider's own"
    with pytest.raises(ollama.ResponseError, match="messages") as refused:
        agent.sdk.chat(MODEL, [], stream=False)
    assert refused.value.status_code == 400


def test_a_stream_that_fails_in_the_middle_is_told_as_failed(played: Stage) -> None:
    line = b'{"model":"m","created_at":"2026-11-19T08:52:03Z","message":{"content":"So"},"done":false}\n'
    failing = Reply(line + b'{"error":"the runner has stopped"}\n', content_type="application/x-ndjson")
    played.services["ollama"].next.append(failing)
    agent = played.agent("ollama", "ollama", stream=True)
    with pytest.raises(ollama.ResponseError, match="the runner has stopped"):
        agent.say(scene.ASK)


def test_what_clients_ask_before_they_start_is_answered(played: Stage) -> None:
    agent = played.agent("ollama", "ollama")
    listed = [model.model for model in agent.sdk.list().models]
    assert MODEL in listed and DEMO_MODEL in listed
    shown = agent.sdk.show(MODEL)
    assert "tools" in (shown.capabilities or ())
    assert agent.sdk.ps().models == []
    with httpx.Client(base_url=played.address, trust_env=False, timeout=10) as plain:
        assert plain.get("/api/version").json().keys() == {"version"}
        missing = plain.get("/api/blobs/x")
        assert missing.status_code == 404 and "/api/blobs/x" in missing.json()["error"]
        assert plain.get("/v1/api/tags").json() == plain.get("/api/tags").json(), "a base URL with a version too many"
    with pytest.raises(ollama.ResponseError, match="does not exist") as unknown:
        agent.sdk.show("nothing")
    assert unknown.value.status_code == 404


def waiting_after(events: list[Any], decided: str) -> Invocation | None:
    changed = (e.invocation for e in events if isinstance(e, InvocationChanged))
    return next((one for one in changed if one.state == "WaitingForConfirmation" and one.id != decided), None)


def test_a_held_call_keeps_the_client_waiting_with_pieces_that_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "BEAT_SECONDS", 0.1)
    config = tmp_path / "callgate.toml"
    config.write_text("", "utf-8")
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        chunks: list[Any] = []
        sdk = ollama.Client(runtime.address, timeout=10)
        asked = [{"role": "user", "content": "Weather in Bern? Use get_weather."}]
        asking = threading.Thread(
            target=lambda: chunks.extend(sdk.chat(DEMO_MODEL, asked, tools=TOOLS[:1], stream=True))
        )
        asking.start()
        first = runtime.wait_for_state("WaitingForConfirmation")

        def beats(events: list[Any]) -> bool | None:
            sent = [e.data for e in events if isinstance(e, WireCaptured) and e.leg == "client_response"]
            return sum(b'"content":""' in data and b'"done":false' in data for data in sent) >= 3 or None

        assert runtime.wait_for(beats)
        assert runtime.decide(first, Decision("approve"))
        second = runtime.wait_for(lambda events: waiting_after(events, first.id))
        assert runtime.decide(second, Decision("approve"))
        asking.join(10)
        assert not asking.is_alive()
        sdk._client.close()
        calls = [call for chunk in chunks for call in chunk.message.tool_calls or ()]
        assert [call.function.name for call in calls] == [first.tool, second.tool]
        assert chunks[-1].done and chunks[-1].done_reason == "stop"
        settled = [e.invocation.state for e in runtime.events if isinstance(e, InvocationChanged)]
        assert settled[-1] == "Released"
