"""What is relayed unread: exactly as it came, never past the gate, and no longer than its client stays."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, provider

from callgate.core.events import ExchangeStarted
from callgate.runtime.runtime import Launch

BODY = {"model": "gpt-x", "messages": [{"role": "user", "content": "Hi"}]}
FINE = Reply(b'{"ok":true}', content_type="application/json")


@contextmanager
def station_before(tmp_path: Path, address: str, wire: str = '"openai-chat"') -> Iterator[RunningStation]:
    config = tmp_path / "callgate.toml"
    config.write_text(f'[[upstreams]]\nname = "up"\nwire = {wire}\nbase_url = "{address}/v1"\n', "utf-8")
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        yield runtime


def test_an_encoded_path_and_its_query_go_on_as_they_came(tmp_path: Path) -> None:
    with provider(FINE) as up, station_before(tmp_path, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            assert client.get(f"{runtime.address}/v1/files/a%2Fb%3Fc/content?x=%20y&key=secret").json() == {"ok": True}
        assert up.asked[0].path == "/v1/files/a%2Fb%3Fc/content?x=%20y"


@pytest.mark.parametrize(
    "path",
    [
        "/v1//chat/completions",
        "//v1/chat/completions",
        "/v1/chat/completions/",
        "/v1/./chat/completions",
        "/v1/files/../chat/completions",
        "/v1/files/%2e%2e/chat/completions",
        "/v1/chat%2Fcompletions",
    ],
)
def test_no_spelling_of_a_chat_route_leads_past_the_gate(tmp_path: Path, path: str) -> None:
    body = b'{"model":"gpt-x","messages":[{"role":"user","content":"Hi"}]}'
    with provider(FINE) as up, station_before(tmp_path, up.address) as runtime:
        host, port = runtime.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            connection.sendall(f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
            while connection.recv(65536):
                pass
        assert any(isinstance(event, ExchangeStarted) for event in runtime.events)


def test_a_provider_that_has_not_answered_yet_is_left_when_the_client_leaves(tmp_path: Path) -> None:
    left = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def silent() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(10)
            while connection.recv(65536):
                pass
        left.set()

    serving = threading.Thread(target=silent)
    serving.start()
    try:
        with station_before(tmp_path, f"http://127.0.0.1:{listener.getsockname()[1]}") as runtime:
            with httpx.Client(trust_env=False, timeout=0.3) as client, pytest.raises(httpx.ReadTimeout):
                client.post(f"{runtime.address}/v1/images/generations", json={"prompt": "a cat"})
            assert left.wait(3), "the provider was kept"
    finally:
        serving.join(10)
        listener.close()


def test_a_provider_is_left_when_the_client_leaves_in_the_middle(tmp_path: Path) -> None:
    reply = Reply(b"x" * 1000, hold=threading.Event())
    with provider(reply) as up, station_before(tmp_path, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            with client.stream("POST", f"{runtime.address}/v1/audio/speech", json={"input": "a"}) as response:
                assert next(response.iter_raw())
        assert up.hung_up.wait(3)


def test_a_provider_that_cannot_be_reached_is_told_in_the_clients_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with station_before(tmp_path, address) as runtime, httpx.Client(trust_env=False, timeout=5) as client:
        response = client.get(f"{runtime.address}/v1/files")
        assert response.status_code == 502 and "cannot be reached" in response.json()["error"]["message"]


def test_what_is_asked_by_head_is_relayed_with_the_length_of_what_get_would_give(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = threading.Thread(target=_one_head, args=(listener,))
        serving.start()
        with station_before(tmp_path, f"http://127.0.0.1:{listener.getsockname()[1]}") as runtime:
            with httpx.Client(trust_env=False, timeout=5) as client:
                answer = client.head(f"{runtime.address}/v1/files/f/content")
                assert (answer.status_code, answer.headers["content-length"]) == (200, "12345")
        serving.join(10)


def test_head_is_answered_wherever_get_is(tmp_path: Path) -> None:
    with provider(FINE) as up, station_before(tmp_path, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            statuses = [client.head(f"{runtime.address}{path}").status_code for path in ("/v1/models", "/v1/tools")]
            assert statuses == [200, 200]
            assert client.head(f"{runtime.address}/v1/chat/completions").status_code == 405


def _one_head(listener: socket.socket) -> None:
    """Answers one request as a server does that was asked by HEAD."""
    connection, _ = listener.accept()
    listener.close()  # who asks for its models next is refused, and need not wait
    with connection:
        asked = connection.recv(65536)
        assert asked.startswith(b"HEAD /v1/files/f/content ")
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 12345\r\nconnection: close\r\n\r\n")


@pytest.mark.parametrize(
    "path", ["/v1/realtime", "/v1/responses", "/v1/chat/completions", "/v1beta/live", "/elsewhere"]
)
def test_a_websocket_is_refused_wherever_it_is_asked_for_and_never_relayed_as_something_else(
    tmp_path: Path, path: str
) -> None:
    with provider(FINE) as up, station_before(tmp_path, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            headers = {"upgrade": "websocket", "connection": "Upgrade"}
            assert client.get(f"{runtime.address}{path}", headers=headers).status_code == 426
        assert not [asked for asked in up.asked if not asked.path.endswith("/models")]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1beta/models/text-embedding:embedContent"),
        ("POST", "/v1/models/text-embedding:batchEmbedContents?x=1"),
        ("GET", "/v1beta/cachedContents?pageSize=5"),
        ("DELETE", "/v1beta/files/f"),
    ],
)
def test_what_only_gemini_has_goes_to_whoever_speaks_it(tmp_path: Path, method: str, path: str) -> None:
    config = tmp_path / "callgate.toml"
    with provider(FINE) as other, provider(FINE) as gemini:
        config.write_text(
            f'[[upstreams]]\nname = "o"\nwire = "openai-chat"\nbase_url = "{other.address}/v1"\nmodels = ["gpt-*"]\n'
            f'[[upstreams]]\nname = "g"\nwire = "gemini"\nbase_url = "{gemini.address}"\n',
            "utf-8",
        )
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            with httpx.Client(trust_env=False, timeout=5) as client:
                headers = {"content-type": "application/json", "x-goog-api-key": "k"}
                answer = client.request(method, f"{runtime.address}{path}", content=b"{}", headers=headers)
                assert answer.json() == {"ok": True}
        assert [asked.path for asked in gemini.asked if "pageSize=1000" not in asked.path] == [path]


def test_without_one_that_speaks_gemini_its_verbs_and_places_are_not_found(tmp_path: Path) -> None:
    with provider(FINE) as up, station_before(tmp_path, up.address) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            for path in ("/v1beta/models/m:embedContent", "/v1beta/cachedContents"):
                answer = client.post(f"{runtime.address}{path}", json={})
                assert answer.status_code == 404 and answer.json()["error"]["status"] == "NOT_FOUND"


@pytest.mark.parametrize("framing", ["content-length: 100", "transfer-encoding: chunked"])
def test_an_answer_that_breaks_off_is_cut_off_for_the_client_too_and_is_no_bug(
    tmp_path: Path, framing: str, caplog: pytest.LogCaptureFixture
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def breaking_off() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            begun = b"3\r\nabc\r\n" if "chunked" in framing else b"abc"
            connection.sendall(f"HTTP/1.1 200 OK\r\n{framing}\r\n\r\n".encode() + begun)

    serving = threading.Thread(target=breaking_off)
    serving.start()
    with station_before(tmp_path, f"http://127.0.0.1:{listener.getsockname()[1]}") as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client, pytest.raises(httpx.RemoteProtocolError):
            client.get(f"{runtime.address}/v1/files/f/content")
        serving.join(10)
        listener.close()
    assert any("'up' broke off" in line.getMessage() for line in caplog.records)
    assert not [line for line in caplog.records if line.exc_info], "told in one line"
    caplog.clear()


@pytest.mark.parametrize(
    "path",
    [
        "/v1/engines/x/chat/completions",
        "/v1/Chat/Completions",
        "/v1/anthropic/messages",
        "/v1/messages%20",
        "/v1/messages;x",
        "/v1/openai/responses",
        "/v1/tunedModels/x:generateContent",
        "/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict",
        "/v1/models/gpt:StreamGenerateContent",
        "/v1beta/openai/chat/completions",
        "/v1beta/tunedModels/x%3AstreamGenerateContent?alt=sse",
    ],
)
def test_no_other_spelling_of_a_chat_route_leads_past_the_gate(tmp_path: Path, path: str) -> None:
    with provider(FINE) as up, station_before(tmp_path, up.address, '["openai-chat", "gemini"]') as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            answer = client.post(f"{runtime.address}{path}", json={"model": "m"})
            assert answer.status_code == 404, answer.text
            assert "past the gate" in answer.text
        assert not [asked for asked in up.asked if not asked.path.endswith("/models")]
