import pytest

from callgate.core.errors import UserFault
from callgate.core.request import WireName
from callgate.upstream.headers import (
    USER_AGENT,
    client_key,
    relay_headers,
    reply_headers,
    request_headers,
    shown_headers,
)
from callgate.wire.registry import TRAITS


def headers(
    wire: WireName, given: dict[str, str], key: str = "the-key", client_wire: WireName | None = None
) -> dict[str, str]:
    return request_headers("p", wire, TRAITS[wire].key_form, key, given, client_wire or wire)


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("openai-chat", {"authorization": "Bearer the-key"}),
        ("openai-responses", {"authorization": "Bearer the-key"}),
        ("anthropic", {"x-api-key": "the-key", "anthropic-version": "2023-06-01"}),
        ("gemini", {"x-goog-api-key": "the-key"}),
    ],
)
def test_each_wire_is_told_the_key_in_its_own_way(wire: WireName, expected: dict[str, str]) -> None:
    made = headers(wire, {})
    kinds = ("authorization", "x-api-key", "x-goog-api-key", "anthropic-version")
    assert {name: made[name] for name in kinds if name in made} == expected


def test_a_configured_key_replaces_the_clients_own() -> None:
    made = headers("anthropic", {"Authorization": "Bearer client", "X-Api-Key": "client", "x-goog-api-key": "client"})
    assert made["x-api-key"] == "the-key"
    assert "client" not in str(made)


@pytest.mark.parametrize(
    ("wire", "given", "expected"),
    [
        ("openai-chat", {"X-Api-Key": "own"}, {"authorization": "Bearer own"}),
        ("anthropic", {"x-api-key": "own"}, {"x-api-key": "own"}),
        ("anthropic", {"Authorization": "Bearer own"}, {"authorization": "Bearer own"}),
        ("gemini", {"authorization": "bearer own"}, {"x-goog-api-key": "own"}),
        ("openai-chat", {}, {}),
        ("openai-chat", {"authorization": "Basic abc"}, {}),
    ],
)
def test_without_a_configured_key_the_clients_own_is_passed_on(
    wire: WireName, given: dict[str, str], expected: dict[str, str]
) -> None:
    made = headers(wire, given, key="")
    assert {name: made[name] for name in ("authorization", "x-api-key", "x-goog-api-key") if name in made} == expected


def test_headers_that_matter_are_forwarded_on_the_same_wire() -> None:
    given = {
        "Anthropic-Beta": "tools-1",
        "anthropic-version": "2026-10-21",
        "X-Stainless-Lang": "python",
        "User-Agent": "claude-cli/9",
        "x-client-request-id": "r1",
        "originator": "codex",
        "session-id": "s1",
        "version": "1.2",
    }
    made = headers("anthropic", given)
    assert {name.lower(): value for name, value in given.items()}.items() <= made.items()


def test_headers_of_the_connection_and_of_callgate_stay_behind() -> None:
    given = {
        "Host": "127.0.0.1:8080",
        "Content-Length": "3",
        "Connection": "keep-alive",
        "Transfer-Encoding": "chunked",
        "Accept-Encoding": "gzip, br",
        "Cookie": "a=b",
        "x-callgate-tools": "all",
        "Proxy-Authorization": "Basic x",
    }
    made = headers("openai-chat", given)
    assert made == {
        "user-agent": USER_AGENT,
        "authorization": "Bearer the-key",
        "accept-encoding": "identity",
        "content-type": "application/json",
    }


def test_between_different_wires_only_the_agents_name_goes_on() -> None:
    given = {"openai-beta": "x", "x-stainless-lang": "js", "user-agent": "agent/1"}
    made = headers("anthropic", given, client_wire="openai-chat")
    assert made["user-agent"] == "agent/1"
    assert "openai-beta" not in made
    assert "x-stainless-lang" not in made


def test_the_two_openai_wires_share_their_headers() -> None:
    assert headers("openai-chat", {"openai-beta": "x"}, client_wire="openai-responses")["openai-beta"] == "x"


@pytest.mark.parametrize("key", ["secret\nkey", "secret key", "schlüssel-geheim"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(UserFault) as refused:
        headers("openai-chat", {}, key=key)
    assert key not in str(refused.value)


def test_a_header_with_a_line_break_is_not_forwarded() -> None:
    assert "x-evil" not in headers("openai-chat", {"x-evil": "a\r\nx-other: b"})


def test_a_clients_key_is_found_wherever_it_is_sent() -> None:
    assert client_key({"Authorization": "Bearer a"}) == "a"
    assert client_key({"X-API-KEY": "b"}) == "b"
    assert client_key({"x-goog-api-key": "c"}) == "c"
    assert client_key({}) == ""


def test_a_reply_keeps_what_is_not_the_connections() -> None:
    given = [("Content-Type", "text/plain"), ("Connection", "close"), ("Set-Cookie", "a=b"), ("X-Request-Id", "r")]
    assert reply_headers(given) == {"content-type": "text/plain", "x-request-id": "r"}


def test_a_relayed_body_keeps_its_own_description() -> None:
    given = {"Content-Type": "multipart/form-data; boundary=b", "Accept": "audio/mp3", "content-length": "3"}
    made = relay_headers("p", "openai-chat", "bearer", "the-key", given)
    assert made["content-type"] == "multipart/form-data; boundary=b"
    assert made["accept"] == "audio/mp3"
    assert "content-length" not in made


def test_headers_are_shown_without_secrets() -> None:
    given = {"Authorization": "Bearer k", "X-Api-Key": "k", "x-goog-api-key": "k", "cookie": "k", "x-note": "n"}
    assert [value for _, value in shown_headers(given)] == ["•••", "•••", "•••", "•••", "n"]
