"""What is copied runs elsewhere, and carries no key."""

import ast
import json
import shlex
import subprocess
from dataclasses import replace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.traffic import translated_exchange, translated_wire

from callgate.engine.wires import TRAITS
from callgate.export.http import path_of
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.inspector.captured import Capture, captures
from callgate.ui.traffic.inspector.copy_as import (
    HttpCall,
    as_curl,
    as_python,
    client_call,
    client_har,
    upstream_call,
    upstream_har,
)
from callgate.ui.traffic.row import TrafficRow

ADDRESS = "http://127.0.0.1:8080"


def row() -> TrafficRow:
    fold = ExchangeFold()
    fold.apply_all(translated_exchange())
    return fold.groups["ex_t"][0]


HELD = captures(translated_wire())


def client() -> HttpCall:
    call = client_call(row(), HELD, ADDRESS)
    assert call is not None
    return call


def upstream() -> HttpCall:
    call = upstream_call(row(), 1, HELD)
    assert call is not None
    return call


def said_by_shell(command: str) -> list[str]:
    """The words that a real shell makes of a curl line."""
    script = 'curl() { printf "%s\\0" "$@"; };\n' + command
    environment = {"API_KEY": "THE-KEY", "UPSTREAM_URL": "https://up", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh", "-c", script], capture_output=True, env=environment, timeout=5, check=True)
    return done.stdout.decode().split("\0")[:-1]


def test_curl_says_the_same_request_with_the_key_from_the_environment() -> None:
    words = said_by_shell(as_curl(client()))
    assert words[0] == f"{ADDRESS}/v1/chat/completions"
    assert "authorization: Bearer THE-KEY" in words and not any(word.startswith("host:") for word in words)
    assert words[-1].encode() == HELD["client_request", 0].data
    assert "sk-live" not in as_curl(client())


def test_an_upstream_request_names_what_is_not_captured() -> None:
    text = as_curl(upstream())
    words = said_by_shell(text)
    assert words[0] == "https://up/v1/messages" and "x-api-key: THE-KEY" in words
    assert text.startswith("# UPSTREAM_URL is the base address of the endpoint 'anthropic'.")


@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=60))
def test_no_text_escapes_its_quotes(text: str) -> None:
    call = HttpCall(ADDRESS, (("x-note", "a ***"),), text.encode())
    assert shlex.split(as_curl(call).replace("\\\n", " ").replace('"x-note: a $API_KEY"', "H"))[-1] == text


def test_hostile_words_are_only_words_to_a_shell() -> None:
    evil = "'; touch /tmp/pwned; echo '$(id) `id` \\ \" *** $HOME"
    call = HttpCall(f"{ADDRESS}/{evil}", (("x-evil", evil),), evil.encode())
    words = said_by_shell(as_curl(call))
    assert words[-1] == evil
    assert words[2] == "x-evil: " + evil.replace("***", "THE-KEY")


def test_bytes_that_no_shell_can_hold_go_through_a_pipe() -> None:
    call = HttpCall(ADDRESS, (), b"\xff\x00\xfe")
    assert as_curl(call).startswith("echo /wD+ | base64 -d | curl") and "--data-binary @-" in as_curl(call)


@pytest.mark.parametrize("which", [client, upstream])
def test_python_is_python_and_says_the_same(which) -> None:
    call = which()
    module = ast.parse(as_python(call))
    post = next(node for node in ast.walk(module) if isinstance(node, ast.Call) and node.keywords)
    sent = next(keyword.value for keyword in post.keywords if keyword.arg == "json")
    assert ast.literal_eval(sent) == orjson.loads(call.body)
    assert 'os.environ["API_KEY"]' in as_python(call) and "sk-live" not in as_python(call)


def test_python_keeps_bytes_that_are_no_json() -> None:
    assert "content=b'\\xff{'" in as_python(HttpCall(ADDRESS, (), b"\xff{"))


def test_a_har_entry_holds_both_sides() -> None:
    entry = json.loads(client_har(row(), HELD, ADDRESS))
    assert entry["request"]["url"] == f"{ADDRESS}/v1/chat/completions" and entry["response"]["status"] == 200
    assert len(entry["_events"]) == 12 and entry["_callgate"]["exchange"] == "ex_t"
    assert "sk-live" not in json.dumps(entry)


def test_what_was_not_captured_cannot_be_copied() -> None:
    assert client_call(row(), {}, ADDRESS) is None and upstream_call(row(), 7, HELD) is None


@pytest.mark.parametrize(
    ("wire", "stream", "path"),
    [
        ("openai-chat", True, "/v1/chat/completions"),
        ("openai-responses", True, "/v1/responses"),
        ("anthropic", False, "/v1/messages"),
        ("gemini", True, "/v1beta/models/m:streamGenerateContent?alt=sse"),
        ("gemini", False, "/v1beta/models/m:generateContent"),
        ("mcp", False, "/mcp"),
    ],
)
def test_every_wire_has_its_path(wire, stream: bool, path: str) -> None:
    assert path_of(TRAITS, wire, "m", stream) == path


def test_a_gemini_client_that_got_an_array_did_not_ask_for_events() -> None:
    asked = {**HELD, ("client_response", 0): Capture("client_response", 0, ((1.0, b"[\n"), (2.0, b"{}]")))}
    spoke = replace(row(), wire="gemini", asked_model="m", stream=True)
    url = f"{ADDRESS}/v1beta/models/m:streamGenerateContent"
    call = client_call(spoke, asked, ADDRESS)
    assert call is not None and call.url == url
    assert json.loads(client_har(spoke, asked, ADDRESS))["request"]["url"] == url
    refused = {**asked, ("client_response", 0): Capture("client_response", 0, ((1.0, b'{"error":{}}'),))}
    call = client_call(spoke, refused, ADDRESS)
    assert call is not None and call.url == f"{url}?alt=sse"


URL = "https://api.test/v1/messages?beta=true"


def known() -> TrafficRow:
    return replace(row(), urls=(URL,))


def test_an_upstream_request_whose_address_is_known_goes_there_with_its_own_headers() -> None:
    call = upstream_call(known(), 1, HELD)
    assert call is not None and call.url == URL and not call.note
    words = said_by_shell(as_curl(call))
    assert words[0] == URL and words[-1].encode() == HELD["upstream_request", 1].data
    ast.parse(as_python(call))
    assert known().url_of(2) == "" and known().url_of(0) == ""


def test_an_upstream_har_entry_has_the_true_address_and_status() -> None:
    entry = json.loads(upstream_har(known(), 1, HELD))
    assert entry["request"]["url"] == URL and entry["response"]["status"] == 200
    assert entry["_callgate"]["round"] == 1 and entry["request"]["queryString"] == [{"name": "beta", "value": "true"}]
    answer = HELD["upstream_response", 1]
    refused = {**HELD, ("upstream_response", 1): replace(answer, head=((":status", "429"), ("x", "y")))}
    response = json.loads(upstream_har(known(), 1, refused))["response"]
    assert (response["status"], response["headers"]) == (429, [{"name": "x", "value": "y"}])
    assert ".invalid/" in json.loads(upstream_har(row(), 1, HELD))["request"]["url"]
    assert upstream_har(row(), 9, HELD) == ""
