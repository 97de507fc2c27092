import asyncio
import threading
from typing import Any

import pytest

from callgate.core.messages import Message, Reasoning, Text, ToolCall
from callgate.core.request import ChatRequest
from callgate.engine.exchange import upstream_request
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.upstream_request import UpstreamRequestBuilder
from callgate.upstream.endpoint import Endpoint
from callgate.upstream.routing import Route
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate

THOUGHT = Reasoning("hm", "proof-1", wire="anthropic")
CALL = ToolCall("call_1", "f", "{}")


def spelled(request_builder: UpstreamRequestBuilder, agent: str) -> bytes:
    request = ChatRequest("openai-chat", "m", (Message("user", (Text("hi"),)), Message("assistant", (CALL,))))
    route = Route(Endpoint("up", ("anthropic",), "http://127.0.0.1:9"), "anthropic", "m")
    return asyncio.run(request_builder.spell(request, route, Arrival(request, agent))).body


def test_a_long_history_is_written_beside_the_loop_and_a_short_one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[bool] = []

    def noted(*given: Any) -> Any:
        where.append(threading.current_thread() is threading.main_thread())
        return translate(*given)

    monkeypatch.setattr(upstream_request, "translate", noted)
    request = ChatRequest("openai-chat", "m", (Message("user", (Text("hi"),)),))
    route = Route(Endpoint("up", ("anthropic",), "http://127.0.0.1:9"), "anthropic", "m")
    for size in (0, upstream_request.LARGE_BYTES):
        arrival = Arrival(request, "anne", b" " * size)
        assert b'"hi"' in asyncio.run(UpstreamRequestBuilder(CODECS).spell(request, route, arrival)).body
    assert where == [True, False]


def test_a_providers_proofs_are_given_back_for_the_agent_that_they_were_made_for() -> None:
    request_builder = UpstreamRequestBuilder(CODECS)
    request_builder.remember(Message("assistant", (THOUGHT, CALL)), "anne")
    assert b"proof-1" in spelled(request_builder, "anne")
    assert b"proof-1" not in spelled(request_builder, "bob")


def test_only_the_agents_that_were_heard_of_last_are_remembered() -> None:
    request_builder = UpstreamRequestBuilder(CODECS)
    request_builder.remember(Message("assistant", (THOUGHT, CALL)), "anne")
    for number in range(upstream_request.MOST_AGENTS - 1):
        request_builder.remember(Message("assistant", (THOUGHT, CALL)), f"agent {number}")
    assert b"proof-1" in spelled(request_builder, "anne")
    for number in range(upstream_request.MOST_AGENTS):
        request_builder.remember(Message("assistant", (THOUGHT, CALL)), f"other {number}")
    assert b"proof-1" not in spelled(request_builder, "anne")


def test_a_model_picked_by_its_endpoints_name_is_all_that_changes_in_a_clients_bytes() -> None:
    body = b'{ "temperature": 1.0, "model" : "up/m", "seed": 1e2, "x": "\\u00e9", "messages": [] }'
    arrival = Arrival(ChatRequest("openai-chat", "up/m", ()), "anne", body)
    route = Route(Endpoint("up", ("openai-chat",), "http://127.0.0.1:9"), "openai-chat", "m")
    assert UpstreamRequestBuilder(CODECS).untouched(arrival, route).body == body.replace(b"up/m", b"m")
