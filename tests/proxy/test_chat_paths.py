"""Which paths are relayed unread, and that no spelling of a route that asks a model is one of them."""

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, provider

from callgate.core.events import ExchangeStarted
from callgate.proxy.chat_paths import asks_a_model, methods_of, plain_path, runs_unjudged
from callgate.runtime.runtime import Launch

SPELLINGS = [
    "/v1/chat/completions%00",
    "/v1/chat/completions%3Fx",
    "/v1/chat/completions%253Fx",
    "/v1/chat%252fcompletions",
    "/v1/chat%25252fcompletions",
    "/v1/chat/completions/x",
    "/v1/chat/completions/x/y",
    "/v1/threads/x/chat/completions",
    "/v1/threads/x/messages/../chat/completions%2e",
    "/v1/chat/completions;x=1",
    "/v1/chat;x=1/completions",
    "/v1/chat/completions%3bx",
    "/v1/chat/completions.",
    "/v1/chat/completions%2e",
    "/v1/chat/completions%20",
    "/v1/chat/completions%09",
    "/v1/chat/completions%0d%0a",
    "/v1/chat/completions%23x",
    "/v1/chat\\completions",
    "/v1/chat%5ccompletions",
    "/v1\\chat\\completions",
    "/v1/x/%252e%252e/chat/completions",
    "/v1/x/%252e%252e/embeddings",
    "/v1/x/..%5c..%5cembeddings",
    "/v1/CHAT/COMPLETIONS",
    "/v1/%43hat/Completions",
    "/v1/%EF%BD%83%EF%BD%88%EF%BD%81%EF%BD%94/completions",
    "/v1/chat/completions%E2%80%8B",
    "/v1/chat%E2%80%8B/comp%C2%ADletions",
    "/v1/chat%EF%BC%8Fcompletions",
    "/v1/chat%c0%afcompletions",
    "/v1/chat",
    "/v1/openai/deployments/m/chat/completions",
    "/v1/messages.",
    "/v1/messages%00",
    "/v1/messages/x",
    "/v1/MESSAGES",
    "/v1/responses%2f",
    "/v1/responses%00",
    "/v1/responses/x/y",
    "/v1/threads/t/messages%2f..%2f..%2f..%2fresponses",
    "/v1/models/m:generateContent%00",
    "/v1/models/m:generateContent/x",
    "/v1/models/m%253AgenerateContent",
    "/v1/models/m:StreamGenerateContent;x",
    "/v1beta/models/m:generateContent%20",
    "/v1beta/models/m/generateContent",
    "/v1beta/projects/p/models/m:streamRawPredict",
    "/v1/x/api/chat",
    "/v1/api%2fchat",
    "/v1/%2e%2e/api/chat",
    "/v1/%2e%2e/api/generate",
    "/v1/x/API/Generate",
    "/v1beta/api/%67enerate",
]
RELAYED = [
    "/v1/embeddings",
    "/v1/completions",
    "/v1/files/a%2Fb%3Fc/content",
    "/v1/threads/t_1/messages",
    "/v1/threads/t_1/messages/msg_1",
    "/v1/threads",
    "/v1/vector_stores/vs_1/file_batches",
    "/v1/moderations",
    "/v1/images/generations",
    "/v1/fine_tuning/jobs",
    "/v1/batches/batch_1/cancel",
    "/v1/messages/batches/msgbatch_1/cancel",
    "/v1beta/batches/b1:cancel",
    "/v1/threads/t_1/runs/run_1/cancel",
    "/v1/models/ft:gpt-4o:org::messages-1",
    "/v1/models/deepseek-chat",
    "/v1/audio/speech",
    "/v1beta/models/text-embedding:embedContent",
    "/v1beta/models/m:asyncBatchEmbedContent",
]
UNJUDGED = [
    "/v1/threads/runs",
    "/v1/threads/t_1/runs",
    "/v1/threads/t_1/runs/run_1/submit_tool_outputs",
    "/v1/threads/t_1/runs%00",
    "/v1/threads/t_1/%72uns",
    "/v1/THREADS/RUNS",
    "/v1/assistants",
    "/v1/batches",
    "/v1/batches/",
    "/v1/x/%62atches;y",
    "/v1/messages/batches",
    "/v1/realtime/sessions",
    "/v1/realtime/client_secrets",
    "/v1/realtime/calls",
    "/v1/chatkit/sessions",
    "/v1/sessions/s_1/events",
    "/v1/agents",
    "/v1/evals/e_1/runs",
    "/v1beta/interactions",
    "/v1beta/models/m:batchGenerateContent",
    "/v1beta/models/m:BidiGenerateContent",
    "/v1beta/auth_tokens",
    "/v1/batches/../batches/b/cancel%2f..%2f..",
]


@pytest.mark.parametrize("path", RELAYED)
def test_what_asks_no_model_is_relayed(path: str) -> None:
    assert not asks_a_model(path) and not runs_unjudged(path, {"POST"})


@pytest.mark.parametrize("path", UNJUDGED)
def test_where_calls_are_never_seen_only_reading_is_relayed(path: str) -> None:
    assert runs_unjudged(path, {"POST"}) and runs_unjudged(path, {"PUT"})
    assert not runs_unjudged(path, {"GET"}) and not runs_unjudged(path, {"DELETE"})
    assert runs_unjudged(path, methods_of("GET", {"x-http-method-override": " post"}))
    assert methods_of("GET", {"accept": "POST"}) == {"GET"}


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", SPELLINGS)
def test_what_could_be_read_as_a_chat_route_is_not(path: str, method: str) -> None:
    assert asks_a_model(path, method)


def test_stored_completions_are_read_and_deleted_and_nothing_else() -> None:
    path = "/v1/chat/completions/chatcmpl-abc123"
    assert not asks_a_model(path, "GET") and not asks_a_model(f"{path}/messages", "GET")
    assert not asks_a_model(path, "DELETE") and asks_a_model(path, "POST")


def test_a_path_that_is_encoded_again_and_again_means_nothing() -> None:
    path = "/v1/embeddings%41"
    for _ in range(20):
        path = path.replace("%", "%25")
    assert plain_path(path) is None and asks_a_model(path)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningStation, ScriptedProvider]]:
    home = tmp_path_factory.mktemp("paths")
    config = home / "callgate.toml"
    with provider(Reply(b'{"ok":true}', content_type="application/json")) as up:
        wires = '["openai-chat", "gemini", "anthropic", "openai-responses"]'
        config.write_text(f'[[upstreams]]\nname = "up"\nwire = {wires}\nbase_url = "{up.address}/v1"\n', "utf-8")
        with running(Launch(config, 0, home, home / "data", demo_pace_ms=0)) as runtime:
            yield runtime, up


@pytest.mark.parametrize("path", [*SPELLINGS, "//v1//chat/completions%00", "/v1/v1/chat/completions%3F"])
def test_on_the_wire_every_spelling_is_refused_or_judged(
    before: tuple[RunningStation, ScriptedProvider], path: str
) -> None:
    runtime, up = before
    up.asked.clear()
    judged = sum(isinstance(event, ExchangeStarted) for event in runtime.events)
    body = b'{"model":"gpt-x","messages":[{"role":"user","content":"Hi"}]}'
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n"
    host, port = runtime.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        said = b"".join(iter(lambda: connection.recv(65536), b""))
    was_judged = sum(isinstance(event, ExchangeStarted) for event in runtime.events) > judged
    assert was_judged or said.split()[1] in (b"400", b"404", b"405"), said
    assert was_judged or not [asked for asked in up.asked if asked.raw], "it was relayed unread"


@pytest.mark.parametrize("path", UNJUDGED)
def test_on_the_wire_what_is_never_seen_is_refused(before: tuple[RunningStation, ScriptedProvider], path: str) -> None:
    runtime, up = before
    up.asked.clear()
    with httpx.Client(base_url=runtime.address, trust_env=False, timeout=10) as client:
        answer = client.post(path, json={"model": "m"})
        assert answer.status_code == 404 or (answer.status_code == 403 and "relay_unjudged" in answer.text), answer.text
        client.get(path, headers={"x-http-method-override": "POST"})
    assert not [asked for asked in up.asked if asked.path != "/v1/models"], "a list of models is asked for by us"


def test_a_setting_relays_what_is_never_seen(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    with provider(Reply(b'{"ok":true}', content_type="application/json")) as up:
        config.write_text(
            f'[server]\nrelay_unjudged = true\n[[upstreams]]\nname = "up"\nwire = "openai-chat"\n'
            f'base_url = "{up.address}/v1"\n',
            "utf-8",
        )
        with running(Launch(config, 0, tmp_path, tmp_path / "data")) as runtime:
            answer = httpx.post(f"{runtime.address}/v1/threads/runs", json={"assistant_id": "a"}, trust_env=False)
            assert answer.json() == {"ok": True}
            spelled = httpx.post(f"{runtime.address}/v1/threads/x/chat/completions", json={}, trust_env=False)
            assert spelled.status_code == 404
        assert len(up.asked) == 1
