"""Malformed requests: each gets an error of its wire that names the field, and the server goes on."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import orjson
import pytest
import zstandard
from tests.fakes.raw_http import connection, one_answer, sent, status_of
from tests.fakes.running import RunningStation, running

from callgate.runtime.runtime import Launch

HI = [{"role": "user", "content": "hi"}]


def tool(**function: object) -> list:
    return [{"type": "function", "function": function}]


BAD: dict[str, tuple[object, str]] = {
    "no messages": ({"model": "m"}, "messages"),
    "empty messages": ({"model": "m", "messages": []}, "messages"),
    "messages no list": ({"model": "m", "messages": "hi"}, "messages"),
    "no model": ({"messages": HI}, "model"),
    "model no text": ({"model": 7, "messages": HI}, "model"),
    "message no object": ({"model": "m", "messages": ["hi"]}, "messages[0]"),
    "unknown role": ({"model": "m", "messages": [{"role": "wizard", "content": "hi"}]}, "messages[0].role"),
    "content of wrong type": ({"model": "m", "messages": [{"role": "user", "content": 7}]}, "messages[0].content"),
    "tools no list": ({"model": "m", "messages": HI, "tools": {}}, "tools"),
    "tool of no known type": ({"model": "m", "messages": HI, "tools": [{"type": "magic"}]}, "tools[0].type"),
    "tool without a type": ({"model": "m", "messages": HI, "tools": [{"function": {"name": "f"}}]}, "tools[0].type"),
    "tool without a function": ({"model": "m", "messages": HI, "tools": [{"type": "function"}]}, "tools[0].function"),
    "tool without a name": ({"model": "m", "messages": HI, "tools": tool(description="x")}, "tools[0].function.name"),
    "name with spaces": ({"model": "m", "messages": HI, "tools": tool(name="get weather")}, "tools[0].function.name"),
    "name too long": ({"model": "m", "messages": HI, "tools": tool(name="x" * 65)}, "tools[0].function.name"),
    "schema that is none": (
        {"model": "m", "messages": HI, "tools": tool(name="f", parameters={"type": "wish"})},
        "tools[0].function.parameters",
    ),
    "schema no object": (
        {"model": "m", "messages": HI, "tools": tool(name="f", parameters=[1])},
        "tools[0].function.parameters",
    ),
    "tool result without an id": (
        {"model": "m", "messages": [*HI, {"role": "tool", "content": "x"}]},
        "messages[1].tool_call_id",
    ),
    "tool result of an unknown call": (
        {"model": "m", "messages": [*HI, {"role": "tool", "tool_call_id": "nope", "content": "x"}]},
        "messages",
    ),
    "negative rounds": ({"model": "m", "messages": HI, "max_tool_rounds": -1}, "max_tool_rounds"),
    "rounds no number": ({"model": "m", "messages": HI, "max_tool_rounds": "many"}, "max_tool_rounds"),
    "execution unknown": ({"model": "m", "messages": HI, "tool_execution": "maybe"}, "tool_execution"),
    "use_tools no boolean": ({"model": "m", "messages": HI, "use_vscode_tools": "yes"}, "use_vscode_tools"),
    "stream no boolean": ({"model": "m", "messages": HI, "stream": "yes"}, "stream"),
    "temperature no number": ({"model": "m", "messages": HI, "temperature": "hot"}, "temperature"),
    "choice of an unknown tool": (
        {
            "model": "m",
            "messages": HI,
            "tools": tool(name="f"),
            "tool_choice": {"type": "function", "function": {"name": "g"}},
        },
        "tool_choice",
    ),
    "more choices than anyone can read": ({"model": "m", "messages": HI, "n": 10**9}, "n"),
    "not an object": ([1, 2], "body"),
}


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStation]:
    folder = tmp_path_factory.mktemp("bad")
    with running(Launch(None, 0, folder, folder / "data", demo_pace_ms=0, windowed=False)) as runtime:
        yield runtime


def post(runtime: RunningStation, content: bytes, **headers: str) -> httpx.Response:
    sent = {"content-type": "application/json", **{key.replace("_", "-"): value for key, value in headers.items()}}
    with httpx.Client(trust_env=False) as client:
        return client.post(f"{runtime.address}/v1/chat/completions", content=content, headers=sent)


def refused(response: httpx.Response, status: int = 400) -> dict:
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert error["message"]
    return error


@pytest.mark.parametrize("case", BAD)
def test_a_malformed_request_gets_a_400_that_names_the_field(runtime: RunningStation, case: str) -> None:
    body, param = BAD[case]
    error = refused(post(runtime, orjson.dumps(body)))
    assert error["type"] == "invalid_request_error"
    assert error["param"].replace(".[", "[").startswith(param), error


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"a":1}{', b"null"])
def test_what_is_not_a_json_object_is_refused(runtime: RunningStation, content: bytes) -> None:
    assert refused(post(runtime, content))["param"] == "body"


@pytest.mark.parametrize("levels", [250, 500, 1_000, 5_000])
@pytest.mark.parametrize(
    "path", ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1beta/models/m:generateContent"]
)
def test_what_is_nested_beyond_all_reason_is_refused(runtime: RunningStation, path: str, levels: int) -> None:
    content = b'{"model":"m","x":' + b'{"a":' * levels + b"1" + b"}" * levels + b"}"
    with httpx.Client(trust_env=False) as client:
        sent = {"content-type": "application/json"}
        refusal = client.post(f"{runtime.address}{path}", content=content, headers=sent)
    assert "nested too deeply" in refused(refusal)["message"]


def test_another_content_type_is_refused(runtime: RunningStation) -> None:
    assert refused(post(runtime, b"{}", content_type="text/plain"))["param"] == "content-type"


def test_a_huge_body_is_refused_before_it_fills_the_memory(runtime: RunningStation) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(80):
            yield b" " * 1024 * 1024

    with httpx.Client(trust_env=False, timeout=20) as client:
        response = client.post(
            f"{runtime.address}/v1/chat/completions", content=endless(), headers={"content-type": "application/json"}
        )
    assert "larger than 64 MB" in refused(response, 413)["message"]


ROUTES = ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1beta/models/m:generateContent"]
GZIP_BOMB = gzip.compress(b" " * (80 * 1024 * 1024))


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
@pytest.mark.parametrize("path", ROUTES)
def test_a_small_body_that_holds_a_huge_one_is_too_large_in_the_words_of_its_wire(
    runtime: RunningStation, path: str, coding: str
) -> None:
    bomb = GZIP_BOMB if coding == "gzip" else zstandard.compress(b" " * (80 * 1024 * 1024))
    headers = {"content-type": "application/json", "content-encoding": coding}
    with httpx.Client(trust_env=False, timeout=20) as client:
        error = refused(client.post(f"{runtime.address}{path}", content=bomb, headers=headers), 413)
    assert "larger than 64 MB when it is decompressed" in error["message"]
    if path == "/v1/messages":
        assert error["type"] == "request_too_large"


@pytest.mark.parametrize("path", [*ROUTES, "/v1/embeddings", "/v1/tools", "/mcp"])
def test_a_body_that_is_announced_as_huge_is_refused_before_it_comes(runtime: RunningStation, path: str) -> None:
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    with connection(runtime.address) as opened:
        opened.sendall(f"{head}content-length: {70 * 1024 * 1024}\r\n\r\n{{".encode())
        answer = one_answer(opened)
    assert status_of(answer) == 413 and b"larger than 64 MB" in answer


def test_a_body_of_another_length_than_stated_harms_no_other_request(runtime: RunningStation) -> None:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    assert status_of(sent(runtime.address, head + b"connection: close\r\ncontent-length: 2\r\n\r\n{}{}{}{}")) == 400
    with connection(runtime.address) as opened:  # it leaves in the middle
        opened.sendall(head + b"content-length: 100\r\n\r\n{}")
    with httpx.Client(trust_env=False) as client:
        assert client.get(f"{runtime.address}/healthz").status_code == 200


@pytest.mark.parametrize(
    ("header", "value"),
    [("x_callgate_tools", "some"), ("x_callgate_execution", "perhaps"), ("x_callgate_max_rounds", "-3")],
)
def test_bad_headers_for_callgate_are_refused(runtime: RunningStation, header: str, value: str) -> None:
    body = orjson.dumps({"model": "m", "messages": HI})
    assert refused(post(runtime, body, **{header: value}))["param"] == header.replace("_", "-")


def test_a_wrong_method_and_an_unknown_route_are_explained(runtime: RunningStation) -> None:
    with httpx.Client(trust_env=False) as client:
        wrong = client.get(f"{runtime.address}/v1/chat/completions")
        assert "not allowed" in refused(wrong, 405)["message"] and wrong.headers["allow"] == "POST"
        assert refused(client.get(f"{runtime.address}/nowhere"), 404)["code"] == "unknown_url"
        assert refused(client.get(f"{runtime.address}/v1/tools/none"), 404)["param"] == "name"


def test_a_page_of_another_site_and_a_foreign_host_are_refused(runtime: RunningStation) -> None:
    body = orjson.dumps({"model": "m", "messages": HI})
    assert refused(post(runtime, body, origin="https://evil.example"), 403)
    assert refused(post(runtime, body, host="evil.example"), 403)


def test_the_server_goes_on_after_all_of_it(runtime: RunningStation, tmp_path: Path) -> None:
    body = orjson.dumps({"model": "m", "messages": HI})
    answer = post(runtime, body)
    assert answer.status_code == 200 and answer.json()["choices"][0]["message"]["content"]
