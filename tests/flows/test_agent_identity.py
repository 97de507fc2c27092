"""A name is worth what proves it: tokens on every wire, what a claimed name gets, and where a token never shows."""

import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, ScriptedProvider, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision
from callgate.core.events import ExchangeEnded, ExchangeStarted, InvocationChanged
from callgate.runtime.runtime import Launch

HELLO = [{"role": "user", "content": "hello"}]
ROUTES: dict[str, tuple[str, dict[str, Any]]] = {
    "openai-chat": ("/v1/chat/completions", {"model": "m", "messages": HELLO}),
    "openai-responses": ("/v1/responses", {"model": "m", "input": "hello"}),
    "anthropic": ("/v1/messages", {"model": "m", "max_tokens": 9, "messages": HELLO}),
    "gemini": (
        "/v1beta/models/m:generateContent",
        {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]},
    ),
    "relayed": ("/v1/embeddings", {"model": "m", "input": "hello"}),
}
WAYS: dict[str, Callable[[str], tuple[str, dict[str, str], str]]] = {
    "bearer": lambda token: ("", {"authorization": f"Bearer {token}"}, ""),
    "x-api-key": lambda token: ("", {"x-api-key": token}, ""),
    "x-goog-api-key": lambda token: ("", {"x-goog-api-key": token}, ""),
    "api-key": lambda token: ("", {"api-key": token}, ""),
    "query": lambda token: ("", {}, f"?key={token}"),
    "own header": lambda token: ("", {"x-callgate-token": token, "authorization": "Bearer sk-theirs"}, ""),
    "path": lambda token: (f"/agent/{token}", {"authorization": "Bearer sk-theirs"}, ""),
}
NO_ANSWER = Reply(b'{"error":{"message":"no","type":"invalid_request_error"}}', 400, "application/json")
CALL = Reply(chat_stream(*call_deltas(0, "call_1", "Bash", '{"x":1}'), finish="tool_calls"))
TOOLS = [{"type": "function", "function": {"name": "Bash", "parameters": {"type": "object"}}}]


def launch(tmp_path: Path, more: str = "", up: ScriptedProvider | None = None, key: str = "") -> Launch:
    path = tmp_path / "callgate.toml"
    if up is not None:
        wires = '["openai-chat", "openai-responses", "anthropic", "gemini"]'
        more += f'\n[[upstreams]]\nname = "up"\nwire = {wires}\nmodels = ["*"]\n{key}'
        more += f'base_url = "{up.address}/v1"\n'
    path.write_text(more, "utf-8")
    return Launch(path, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)


@contextmanager
def program(
    tmp_path: Path, more: str = "", up: ScriptedProvider | None = None, key: str = ""
) -> Iterator[RunningStation]:
    with running(launch(tmp_path, more, up, key)) as runtime:
        yield runtime


def send(runtime: RunningStation, path: str, body: dict[str, Any] | None = None, **headers: str) -> httpx.Response:
    with httpx.Client(base_url=runtime.address, trust_env=False, timeout=10) as client:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.get(path, headers=named) if body is None else client.post(path, json=body, headers=named)


def make_token(runtime: RunningStation, name: str = "ci-bot") -> str:
    return runtime.do(lambda: runtime.runtime.agents.add(name))


def started(runtime: RunningStation) -> list[ExchangeStarted]:
    return [event for event in list(runtime.events) if isinstance(event, ExchangeStarted)]


def traces(folder: Path, token: str) -> list[str]:
    """Files that hold a token, or enough of it to use."""
    return [file.name for file in folder.rglob("*") if file.is_file() and token[3:].encode() in file.read_bytes()]


# ---- attack 9 -------------------------------------------------------------------------------------------------------

TRUSTED = '[[rules]]\nverdict = "allow"\ntool = "Bash"\nagent = "trusted-agent"\n'


def test_a_claimed_name_does_not_get_the_rules_of_the_agent_that_it_names(tmp_path: Path) -> None:
    body = {"model": "m", "messages": HELLO, "tools": TOOLS, "stream": True}
    with provider(CALL) as up, program(tmp_path, TRUSTED, up) as runtime:
        asking = threading.Thread(
            target=send, args=(runtime, "/v1/chat/completions", body), kwargs={"x_callgate_agent": "trusted-agent"}
        )
        asking.start()
        held = runtime.wait_for_state("WaitingForConfirmation")
        assert held.verdict is not None
        assert "trusted-agent is claimed, not proven" in held.verdict.reason
        assert held.verdict.needs_proof
        runtime.decide(held, Decision("deny"))
        asking.join(10)
        token = make_token(runtime, "trusted-agent")
        answer = send(runtime, "/v1/chat/completions", body, x_callgate_token=token)
        assert '"Bash"' in answer.text
        released = runtime.wait_for_state("Released")
        assert released.agent_proven and released.verdict is not None and released.verdict.kind == "allow"


def test_the_rate_limit_is_not_evaded_by_other_names(tmp_path: Path) -> None:
    with program(tmp_path, '[server]\nrate_limit = "3/hour"\n') as runtime:
        codes = [
            send(runtime, "/v1/models", user_agent=f"agent{number}/1", x_callgate_agent=f"a{number}").status_code
            for number in range(5)
        ]
        assert codes == [200, 200, 200, 429, 429]
        one, two = make_token(runtime, "one"), make_token(runtime, "two")
        assert [send(runtime, "/v1/models", x_callgate_token=one).status_code for _ in range(4)][2:] == [200, 429]
        assert send(runtime, "/v1/models", x_callgate_token=two).status_code == 200, "each token has its own"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which process a connection belongs to")
def test_another_process_has_an_allowance_of_its_own(tmp_path: Path) -> None:
    ask = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=10).status)"
    with program(tmp_path, '[server]\nrate_limit = "2/hour"\n') as runtime:
        codes = [send(runtime, "/v1/models").status_code for _ in range(3)]
        assert codes == [200, 200, 429]
        other = subprocess.run(
            [sys.executable, "-c", ask, f"{runtime.address}/v1/models"],
            capture_output=True, text=True, timeout=30, check=False, env={"no_proxy": "*"},
        )  # fmt: skip
        assert other.stdout.strip() == "200", other.stderr


# ---- tokens ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", list(WAYS))
def test_a_token_proves_the_name_on_every_wire_and_is_seen_nowhere(
    tmp_path: Path, way: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("UP_KEY", "the-endpoints-own")
    with provider(NO_ANSWER) as up, program(tmp_path, "", up, 'key_env = "UP_KEY"\n') as runtime:
        token = make_token(runtime)
        before, headers, query = WAYS[way](token)
        for wire, (path, body) in ROUTES.items():
            asked = len(up.asked)
            answer = send(runtime, f"{before}{path}{query}", body, **headers)
            assert answer.status_code == 400, (wire, answer.text)
            assert len(up.asked) == asked + 1
            there = up.asked[-1]
            assert token[3:] not in str((there.path, there.headers)) and token.encode() not in there.raw, wire
            assert "the-endpoints-own" in str((there.headers, there.path)), wire
            assert "/agent" not in there.path
            assert token[3:] not in f"{answer.text}{answer.headers}"
        heard = started(runtime)
        assert [(event.agent, event.agent_proven) for event in heard] == [("ci-bot", True)] * 4
        assert send(runtime, f"{before}/v1/tools{query}", **headers).status_code == 200
        runtime.wait_for(lambda events: len([e for e in events if isinstance(e, ExchangeEnded)]) >= 4 or None)
        assert token[3:] not in str(runtime.events)
    assert traces(tmp_path, token) == []
    # what this thread logs is the client's own
    ours = [record.getMessage() for record in caplog.records if record.threadName != threading.main_thread().name]
    assert ours and token[3:] not in "\n".join(ours)


def test_the_providers_own_key_beside_a_token_is_passed_on(tmp_path: Path) -> None:
    with provider(NO_ANSWER) as up, program(tmp_path, "", up) as runtime:
        token = make_token(runtime)
        for way in ("path", "own header"):
            before, headers, query = WAYS[way](token)
            path, body = ROUTES["openai-chat"]
            send(runtime, f"{before}{path}{query}", body, **headers)
            assert up.asked[-1].headers["authorization"] == "Bearer sk-theirs"
        send(runtime, path, body, authorization=f"Bearer {token}")
        assert "authorization" not in up.asked[-1].headers


@pytest.mark.parametrize("wire", list(ROUTES))
@pytest.mark.parametrize("way", list(WAYS))
def test_a_revoked_token_is_refused_in_the_clients_wire_and_sent_to_no_provider(
    tmp_path: Path, wire: str, way: str
) -> None:
    with provider(NO_ANSWER) as up, program(tmp_path, "", up) as runtime:
        token = make_token(runtime)
        runtime.do(lambda: [runtime.runtime.agents.revoke(one.id) for one in runtime.runtime.agents.tokens()])
        before, headers, query = WAYS[way](token)
        path, body = ROUTES[wire]
        answer = send(runtime, f"{before}{path}{query}", body, **headers)
        assert (answer.status_code, up.asked) == (401, [])
        error = answer.json()["error"]
        assert "not valid" in error["message"] and token[3:] not in answer.text
        assert {"anthropic": error.get("type"), "gemini": error.get("status")}.get(wire) in (
            None, "authentication_error", "UNAUTHENTICATED",
        )  # fmt: skip
        assert send(runtime, f"{before}/healthz{query}", **headers).status_code == 401


def test_a_token_revoked_in_another_process_is_refused_at_once_and_ends_what_runs(tmp_path: Path) -> None:
    body = {"model": "m", "messages": HELLO, "tools": TOOLS, "stream": True}
    with provider(CALL) as up, program(tmp_path, "", up) as runtime:
        token = make_token(runtime)
        asking = threading.Thread(
            target=send, args=(runtime, "/v1/chat/completions", body), kwargs={"x_callgate_token": token}
        )
        asking.start()
        runtime.wait_for_state("WaitingForConfirmation")
        command = ["agents", "revoke", "ci-bot", "--data", str(tmp_path / "data")]
        done = subprocess.run([sys.executable, "-m", "callgate", *command], timeout=60, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        assert send(runtime, "/v1/models", x_callgate_token=token).status_code == 401
        assert runtime.wait_for_state("Cancelled").explanation == "the agent's token was revoked"
        asking.join(10)


def test_a_request_whose_body_comes_after_its_token_was_revoked_is_refused(tmp_path: Path) -> None:
    with provider(NO_ANSWER) as up, program(tmp_path, "", up) as runtime:
        token = make_token(runtime)
        path, body = ROUTES["openai-chat"]

        def slowly() -> Iterator[bytes]:
            raw = orjson.dumps(body)
            yield raw[:5]
            (one,) = runtime.do(runtime.runtime.agents.tokens)
            while runtime.do(lambda: one.last_used is None and runtime.runtime.agents.tokens()[0].last_used is None):
                pass  # bounded by the client's time-out: its head is on its way
            runtime.do(lambda: runtime.runtime.agents.revoke(one.id))
            yield raw[5:]

        head = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        with httpx.Client(base_url=runtime.address, trust_env=False, timeout=10) as client:
            answer = client.post(path, content=slowly(), headers=head)
        assert (answer.status_code, up.asked) == (401, [])


def test_an_agents_token_is_enough_where_the_program_has_one_for_all(tmp_path: Path) -> None:
    with provider(NO_ANSWER) as up, program(tmp_path, '[server]\ntoken = "for-all"\n', up) as runtime:
        path, body = ROUTES["openai-chat"]
        assert send(runtime, path, body).status_code == 401
        send(runtime, path, body, authorization="Bearer for-all", x_callgate_agent="ci-bot")
        send(runtime, path, body, authorization=f"Bearer {make_token(runtime)}")
        assert [event.agent for event in started(runtime)] == ["ci-bot", "ci-bot"]
        assert [event.agent_proven for event in started(runtime)] == [False, True]


@pytest.mark.parametrize("way", list(WAYS))
def test_mcp_calls_are_those_of_the_proven_agent(tmp_path: Path, way: str) -> None:
    rule = '[[rules]]\nverdict = "allow"\ntool = "list_directory"\nagent = "ci-bot"\n'
    with program(tmp_path, rule) as runtime:
        token = make_token(runtime)
        before, headers, query = WAYS[way](token)
        call = {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {
                "name": "list_directory", "arguments": {"path": "."},
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": {"name": "other", "version": "1"},
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
            },
        }  # fmt: skip
        more = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28"}
        more |= {"mcp-method": "tools/call", "mcp-name": "list_directory"}
        answer = send(runtime, f"{before}/mcp{query}", call, **headers, **more)
        assert answer.status_code == 200 and '"isError":true' not in answer.text.replace(" ", ""), answer.text
        done = runtime.wait_for_state("Completed")
        assert (done.agent, done.agent_proven) == ("ci-bot", True)
    assert traces(tmp_path, token) == []


# ---- conversations --------------------------------------------------------------------------------------------------


def demo(runtime: RunningStation, body: dict[str, Any], **headers: str) -> httpx.Response:
    return send(runtime, "/v1/responses", {"model": "callgate-demo", **body}, **headers)


def test_a_claimed_name_neither_reads_nor_continues_what_the_proven_agent_said(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        token = make_token(runtime)
        proven, claimed = {"x_callgate_token": token}, {"x_callgate_agent": "ci-bot"}
        first = demo(runtime, {"input": "my secret is 42"}, **proven).json()["id"]
        conversation = started(runtime)[0].conversation_id
        for path in (f"/v1/responses/{first}", f"/v1/responses/{first}/input_items"):
            assert send(runtime, path, **claimed).status_code == 404
            assert send(runtime, path, **proven).status_code == 200
        for headers in (claimed, {}, {"x_callgate_token": make_token(runtime, "other")}):
            answer = demo(runtime, {"input": "what is it?", "previous_response_id": first}, **headers)
            assert answer.status_code == 400 and first in answer.json()["error"]["message"]
            joined = demo(runtime, {"input": "hi"}, **headers, x_callgate_conversation=conversation)
            assert joined.status_code == 403 and "belongs to an agent" in joined.text
        assert demo(runtime, {"input": "go on", "previous_response_id": first}, **proven).status_code == 200
        assert demo(runtime, {"input": "hi"}, **proven, x_callgate_conversation=conversation).status_code == 200
        assert {event.conversation_id for event in started(runtime)} == {conversation}


def test_after_a_restart_a_conversation_still_belongs_to_the_proven_agent(tmp_path: Path) -> None:
    chat = {"model": "callgate-demo", "messages": HELLO}
    with program(tmp_path) as runtime:
        token = make_token(runtime)
        answer = send(runtime, "/v1/chat/completions", chat, x_callgate_token=token).json()
        first = demo(runtime, {"input": "my secret is 42"}, x_callgate_token=token).json()["id"]
        conversation = started(runtime)[0].conversation_id
    longer = {**chat, "messages": [*HELLO, answer["choices"][0]["message"], {"role": "user", "content": "more"}]}
    with program(tmp_path) as runtime:
        send(runtime, "/v1/chat/completions", longer, x_callgate_agent="ci-bot")
        assert started(runtime)[0].conversation_id != conversation
        send(runtime, "/v1/chat/completions", longer, x_callgate_token=token)
        assert started(runtime)[1].conversation_id == conversation
        assert send(runtime, f"/v1/responses/{first}", x_callgate_agent="ci-bot").status_code == 404
        runtime.do(lambda: runtime.runtime.history.forget(conversation))  # as if it were too old to be remembered
        joined = demo(runtime, {"input": "hi"}, x_callgate_agent="ci-bot", x_callgate_conversation=conversation)
        assert joined.status_code == 403


def test_a_claimed_name_does_not_join_a_call_that_waits_for_the_proven_agent(tmp_path: Path) -> None:
    body = {"model": "m", "messages": HELLO, "tools": TOOLS, "stream": True}
    retries = {"x_stainless_retry_count": "1", "x_callgate_agent": "ci-bot"}
    with provider(CALL) as up, program(tmp_path, "", up) as runtime:
        first = threading.Thread(
            target=send,
            args=(runtime, "/v1/chat/completions", body),
            kwargs={"x_callgate_token": make_token(runtime)},
        )
        first.start()
        held = runtime.wait_for_state("WaitingForConfirmation")
        second = threading.Thread(target=send, args=(runtime, "/v1/chat/completions", body), kwargs=retries)
        second.start()
        other = runtime.wait_for(
            lambda events: next(
                (
                    event.invocation
                    for event in events
                    if isinstance(event, InvocationChanged)
                    and event.invocation.state == "WaitingForConfirmation"
                    and event.invocation.exchange_id != held.exchange_id
                ),
                None,
            )
        )
        assert (held.agent_proven, other.agent_proven) == (True, False)
        for one in (held, other):
            runtime.decide(one, Decision("deny"))
        first.join(10)
        second.join(10)


def test_what_the_person_does_in_the_window_can_be_claimed_by_nobody(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        demo(runtime, {"input": "hi"}, x_callgate_agent="callgate")
        assert started(runtime)[0].agent != "callgate"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which process a connection belongs to")
def test_the_process_behind_a_connection_is_noted(tmp_path: Path) -> None:

    with program(tmp_path) as runtime:
        demo(runtime, {"input": "hi"})
        assert started(runtime)[0].agent_process.endswith(f"· pid {os.getpid()}")


def test_a_journal_of_an_earlier_version_loads(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        demo(runtime, {"input": "hi"}, x_callgate_agent="ci-bot")
        conversation = started(runtime)[0].conversation_id

    with sqlite3.connect(tmp_path / "data" / "callgate.db") as connection:
        for number, body in connection.execute("SELECT id, body FROM events").fetchall():
            event = orjson.loads(body)
            for name in ("agent_proven", "agent_process"):
                event.pop(name, None)
                event.get("invocation", {}).pop(name, None)
            connection.execute("UPDATE events SET body = ? WHERE id = ?", (orjson.dumps(event).decode(), number))
    connection.close()
    with program(tmp_path) as runtime:
        events = runtime.call(runtime.runtime.journal.events(conversation))
        first = next(event for event in events if isinstance(event, ExchangeStarted))
        assert (first.agent, first.agent_proven) == ("ci-bot", False)
