"""A token is taken out of a request wherever it stands, and what is behind sees nothing of it."""

import asyncio
import base64
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.types import Receive, Scope, Send

from callgate.core.agent import Agent
from callgate.proxy.agent_path import AgentPath, Credential, credential_of
from callgate.store.files.agent_tokens import AgentToken

TOKEN, OTHER = "cg_" + "t0ken-_x" * 5, "cg_" + "0ther-_y" * 5
KNOWN = {TOKEN: AgentToken("id1", "codex", "", 0), OTHER: AgentToken("id2", "ci", "", 0)}
PROVEN = Credential("codex", "id1")


def passed_on(
    path: str = "/v1/x",
    query: str = "",
    headers: dict[str, str] | None = None,
    server_token: str = "",
    more: tuple[tuple[str, str], ...] = (),
) -> Scope:
    got: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        got.append(scope)

    async def nothing(*_: Any) -> Any: ...

    lines = [*(headers or {}).items(), *more]
    # as uvicorn has it: the path decoded, and as it came
    from_wire = {
        "type": "http",
        "path": decoded(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in lines],
    }
    asyncio.run(AgentPath(app, KNOWN.get, server_token)(from_wire, nothing, nothing))
    seen = {key: value for key, value in got[0].items() if key != "callgate.credential"}
    for token in (TOKEN, OTHER):
        if token != server_token:
            assert token not in str(seen)
            assert token not in decoded(str(seen))
    return got[0]


def decoded(text: str) -> str:
    return unquote(text)


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        (f"/agent/{TOKEN}/v1/chat/completions", "/v1/chat/completions"),
        (f"/agent/{TOKEN}/v1beta/models/m:generateContent", "/v1beta/models/m:generateContent"),
        (f"/agent/{TOKEN}/mcp", "/mcp"),
        (f"/agent/{TOKEN}/", "/"),
        (f"/agent/{TOKEN}", "/"),
        (f"//agent//{TOKEN}//v1//x", "/v1/x"),
        (f"/./agent/./{TOKEN}/v1/x", "/v1/x"),
        (f"/Agent/{TOKEN}/v1/x", "/v1/x"),
        (f"/%61gent/{TOKEN.replace('_', '%5F')}/v1/x", "/v1/x"),
    ],
)
def test_a_token_in_the_path_proves_the_name_and_is_gone(path: str, rest: str) -> None:
    scope = passed_on(path)
    assert credential_of(scope) == PROVEN
    assert (scope["path"], scope["raw_path"].decode()) == (rest, rest)


def test_what_is_encoded_behind_the_token_stays_encoded() -> None:
    scope = passed_on(f"/agent/{TOKEN}/v1/files/a%2Fb")
    assert (scope["raw_path"], scope["path"]) == (b"/v1/files/a%2Fb", "/v1/files/a/b")


@pytest.mark.parametrize(
    "path",
    [
        "/agent",
        "/agent/",
        "/agent//v1/chat/completions",
        "/agent/wrong/v1/x",
        f"/agent/{TOKEN}x/v1/x",
        f"/agent/{TOKEN}/agent/{TOKEN}/v1/x",
        f"/agent/{TOKEN}/agent/{OTHER}/v1/x",
        f"/agent/{TOKEN}/%61gent/{TOKEN}/v1/x",
        f"/agent%2f{TOKEN}/v1/x",
        f"/agent%2F{TOKEN}%2Fv1/x",
        f"/agent/{TOKEN}%2fv1/x",
        f"/v1/agent/{TOKEN}/chat/completions",
        f"/v1/../agent/{TOKEN}/v1/x",
        f"/v1/{TOKEN}/x",
        f"/v1/files/{TOKEN.replace('_', '%5f')}",
    ],
)
def test_no_other_spelling_of_the_path_proves_anything_or_goes_on(path: str) -> None:
    credential = credential_of(passed_on(path))
    assert credential.fault is not None and credential.fault.kind == "authentication"
    assert not credential.name


def test_a_path_without_a_token_is_left_as_it_came() -> None:
    scope = passed_on("/v1/files/agent%2Fx")
    assert (scope["raw_path"], credential_of(scope)) == (b"/v1/files/agent%2Fx", Credential())


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": f"Bearer {TOKEN}"},
        {"authorization": f"bearer   {TOKEN} "},
        {"authorization": TOKEN},
        {"authorization": "Basic " + base64.b64encode(f"{TOKEN}:".encode()).decode()},
        {"authorization": "Basic " + base64.b64encode(f"user:{TOKEN}".encode()).decode()},
        {"x-api-key": TOKEN},
        {"x-goog-api-key": TOKEN},
        {"api-key": TOKEN},
        {"X-Callgate-Token": TOKEN},
        {"x-callgate-token": f"Bearer {TOKEN}"},
    ],
)
def test_a_token_in_a_header_proves_the_name_and_is_gone(headers: dict[str, str]) -> None:
    scope = passed_on(headers={**headers, "accept": "a/b"})
    assert credential_of(scope) == PROVEN
    assert scope["headers"] == [(b"accept", b"a/b")]


@pytest.mark.parametrize("query", [f"key={TOKEN}", f"alt=sse&%6bey={TOKEN}", f"key={TOKEN.replace('_', '%5F')}&b=1"])
def test_a_token_as_the_key_in_the_query_proves_the_name_and_is_gone(query: str) -> None:
    scope = passed_on(query=query)
    assert credential_of(scope) == PROVEN
    assert "ey" not in scope["query_string"].decode()


def test_the_providers_key_beside_a_token_goes_on() -> None:
    scope = passed_on(
        f"/agent/{TOKEN}/v1/x", "key=AIza-provider", {"authorization": "Bearer sk-provider", "x-api-key": TOKEN}
    )
    assert credential_of(scope) == PROVEN
    assert scope["headers"] == [(b"authorization", b"Bearer sk-provider")]
    assert scope["query_string"] == b"key=AIza-provider"


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer cg_short"},
        {"authorization": f"Bearer {TOKEN}x"},
        {"x-api-key": "cg_"},
        {"x-callgate-token": ""},
        {"x-callgate-token": "sk-provider"},
        {"x-custom": f"a {TOKEN}"},
        {"cookie": f"t={TOKEN}"},
        {"x-callgate-agent": TOKEN},
        {"user-agent": TOKEN},
        {"authorization": f"Bearer sk-1, Bearer {TOKEN}"},
        {"x-api-key": TOKEN, "x-callgate-token": OTHER},
    ],
)
def test_a_wrong_revoked_misplaced_or_second_token_is_refused_and_goes_nowhere(headers: dict[str, str]) -> None:
    credential = credential_of(passed_on(headers=headers))
    assert credential.fault is not None and not credential.name
    assert "cg_t0" not in credential.fault.message


@pytest.mark.parametrize("query", [f"a={TOKEN}", f"{TOKEN}", f"{TOKEN}=1", f"x=1;key={TOKEN}", "key=cg_wrong"])
def test_a_token_elsewhere_in_the_query_is_refused_and_goes_nowhere(query: str) -> None:
    scope = passed_on(query=query)
    assert credential_of(scope).fault is not None
    assert b"cg_" not in scope["query_string"]


def test_the_same_token_twice_is_one() -> None:
    more = (("x-callgate-token", TOKEN),)
    assert credential_of(passed_on(f"/agent/{TOKEN}/v1", headers={"x-api-key": TOKEN}, more=more)) == PROVEN


def test_the_one_token_for_all_is_left_to_the_guard_even_if_it_looks_like_an_agents() -> None:
    scope = passed_on(headers={"authorization": f"Bearer {TOKEN}"}, query=f"key={TOKEN}", server_token=TOKEN)
    assert credential_of(scope) == Credential()
    assert scope["headers"] == [(b"authorization", f"Bearer {TOKEN}".encode())]


def test_a_request_that_never_came_through_here_proves_nothing() -> None:
    assert credential_of({"type": "http"}) == Credential()
    assert not Agent("codex").proven
