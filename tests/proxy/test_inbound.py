"""Requests as clients really send them: base URLs that are not quite right, and compressed bodies."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
import zstandard
from openai import OpenAI
from packaging.requirements import Requirement
from starlette.requests import Request
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, provider

from callgate import proxy
from callgate.proxy.inbound import asks_for_events, tidy_path
from callgate.runtime.runtime import Launch

CHAT = {"model": "callgate-demo", "messages": [{"role": "user", "content": "hi"}]}
MESSAGES = {**CHAT, "max_tokens": 100}
RESPONSES = {"model": "callgate-demo", "input": "hi"}
GEMINI = {"contents": [{"parts": [{"text": "hi"}]}]}


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStation]:
    home = tmp_path_factory.mktemp("inbound")
    (home / "callgate.toml").touch()
    with running(Launch(home / "callgate.toml", 0, home, home / "data", demo_pace_ms=0)) as started:
        yield started


def post(address: str, body: dict[str, Any] | bytes, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    with httpx.Client(trust_env=False, timeout=10) as client:
        return client.post(address, content=content, headers={"content-type": "application/json", **headers})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("/v1//chat/./completions/", "/v1/chat/completions"),
        ("/v1/v1/messages", "/v1/messages"),
        ("/v1/v1/v1beta/models/m:generateContent", "/v1beta/models/m:generateContent"),
        ("/chat/completions", "/v1/chat/completions"),
        ("/messages/count_tokens", "/v1/messages/count_tokens"),
        ("/models", "/v1/models"),
        ("/v1/x/../v1/responses", "/v1/responses"),
        ("/v1/embeddings", "/v1/embeddings"),
        ("/embeddings", "/embeddings"),
        ("/v1", "/v1"),
        ("/mcp", "/mcp"),
        ("/", "/"),
    ],
)
def test_one_spelling_for_all_that_mean_the_same_path(given: str, meant: str) -> None:
    assert tidy_path(given) == meant


@pytest.mark.parametrize(
    ("path", "body", "key"),
    [
        ("/chat/completions", CHAT, "choices"),
        ("/v1/v1/chat/completions", CHAT, "choices"),
        ("/messages", MESSAGES, "content"),
        ("/v1/v1/messages", MESSAGES, "content"),
        ("/responses", RESPONSES, "output"),
        ("/models/callgate-demo:generateContent", GEMINI, "candidates"),
        ("/v1beta/v1beta/models/callgate-demo:generateContent", GEMINI, "candidates"),
    ],
)
def test_a_base_url_with_a_version_too_many_or_too_few_works(
    runtime: RunningStation, path: str, body: dict[str, Any], key: str
) -> None:
    answer = post(f"{runtime.address}{path}", body)
    assert answer.status_code == 200 and key in answer.json()
    assert answer.headers["x-callgate-exchange"], "it was read and judged, not relayed"


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("", False),
        ("alt=sse", True),
        ("key=k&alt=sse", True),
        ("%24alt=sse", True),
        ("$alt=sse;enum-encoding=int", True),
        ("alt=json", False),
        ("$alt=json;enum-encoding=int", False),
        ("salt=sse", False),
    ],
)
def test_events_are_asked_for_by_either_name_of_the_parameter(query: str, events: bool) -> None:
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": query.encode(), "headers": []}
    assert asks_for_events(Request(scope)) == events


def test_a_path_that_leads_nowhere_says_which_base_url_is_right(runtime: RunningStation) -> None:
    answer = post(f"{runtime.address}/nowhere/chat", CHAT)
    assert answer.status_code == 404
    assert f"{runtime.address}/v1 for OpenAI clients" in answer.json()["error"]["message"]


def test_the_official_package_without_the_version_in_its_base_url_is_answered(runtime: RunningStation) -> None:
    client = OpenAI(base_url=runtime.address, api_key="any")
    said = client.chat.completions.create(model="callgate-demo", messages=[{"role": "user", "content": "hi"}])
    assert said.choices[0].message.content


@pytest.mark.parametrize("wire", ["openai-responses", "openai-chat"])
def test_a_compressed_request_is_read_and_goes_on_as_it_was_before(tmp_path: Path, wire: str) -> None:
    raw = orjson.dumps({"model": "gpt-5", "input": "hello " * 1_000, "stream": False, "store": False})
    with provider(Reply(b'{"error":{"message":"enough"}}', status=400, content_type="application/json")) as up:
        config = tmp_path / "callgate.toml"
        config.write_text(f'[[upstreams]]\nname = "up"\nwire = "{wire}"\nbase_url = "{up.address}/v1"\n', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            headers = {"content-encoding": "zstd"}
            answer = post(f"{runtime.address}/v1/responses", zstandard.compress(raw, 3), **headers)
        [asked] = up.asked
    assert answer.status_code == 400 and "enough" in answer.text
    assert "content-encoding" not in asked.headers
    assert asked.raw == raw if wire == "openai-responses" else "hello hello" in asked.raw.decode()


def test_tokens_of_a_compressed_request_are_counted_by_its_provider(tmp_path: Path) -> None:
    raw = orjson.dumps({"model": "claude-x", "messages": [{"role": "user", "content": "Hi"}]})
    with provider(Reply(b'{"input_tokens":42}', content_type="application/json")) as up:
        config = tmp_path / "callgate.toml"
        config.write_text(f'[[upstreams]]\nname = "a"\nwire = "anthropic"\nbase_url = "{up.address}"\n', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            address = f"{runtime.address}/v1/messages/count_tokens"
            answer = post(address, zstandard.compress(raw), **{"content-encoding": "zstd"})
        [asked] = up.asked
    assert answer.json() == {"input_tokens": 42}
    assert "content-encoding" not in asked.headers and asked.raw == raw


def test_what_cannot_be_decompressed_is_said_in_the_clients_words(runtime: RunningStation) -> None:
    answer = post(f"{runtime.address}/v1/messages", b"rubbish", **{"content-encoding": "zstd"})
    assert answer.status_code == 400 and answer.json()["type"] == "error"
    assert "not valid zstd" in answer.json()["error"]["message"]


def test_the_path_is_never_read_from_an_address_that_the_host_header_is_part_of() -> None:
    """Starlette builds `request.url` of both; a strange Host made it another path (CVE-2026-48710)."""
    sources = Path(proxy.__file__).parent.rglob("*.py")
    assert not [path.name for path in sources if "request.url" in path.read_text("utf-8")]
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    (starlette,) = [line for line in declared["project"]["dependencies"] if line.startswith("starlette")]
    assert "1.2.9" not in Requirement(starlette).specifier and "1.3.0" in Requirement(starlette).specifier
