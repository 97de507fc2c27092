"""Requests that a server of their own wire would misunderstand are spelled anew, whatever the wire."""

from typing import Any

import pytest

from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialect_rewrite import needs_rewrite
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.registry import CODECS

SCHEMA = {"type": "object", "properties": {}}
BODIES: dict[WireName, dict[str, Any]] = {
    "openai-chat": {
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}],
    },
    "openai-responses": {"input": "q", "tools": [{"type": "function", "name": "f", "parameters": SCHEMA}]},
    "anthropic": {
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"name": "f", "input_schema": SCHEMA}],
    },
    "gemini": {"contents": [{"parts": [{"text": "q"}]}], "tools": [{"functionDeclarations": [{"name": "f"}]}]},
}
CALLED = [
    {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "a", "output": "ok"},
]


def asked(wire: WireName, **more: Any) -> ChatRequest:
    body = BODIES[wire] | more
    return CODECS[wire].read_request(body if wire == "gemini" else {"model": "m", **body}, model="m")


@pytest.mark.parametrize(
    ("wire", "more"),
    [
        ("openai-chat", {"tool_choice": "required"}),
        ("openai-responses", {"tool_choice": "required"}),
        ("openai-responses", {"input": [{"role": "developer", "content": "d"}]}),
        ("openai-responses", {"input": CALLED}),
        ("openai-responses", {"parallel_tool_calls": False}),
        ("openai-responses", {"tools": [{"type": "custom", "name": "c"}]}),
        ("anthropic", {"tool_choice": {"type": "any"}}),
        ("anthropic", {"tool_choice": {"type": "none"}}),
        ("anthropic", {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}),
        ("anthropic", {"tool_choice": {"type": "tool", "name": "f"}}),
    ],
)
def test_what_ollama_does_not_heed_is_spelled_anew(wire: WireName, more: dict[str, Any]) -> None:
    request = asked(wire, **more)
    assert needs_rewrite(request, DIALECTS["ollama"])
    assert not needs_rewrite(request, PLAIN)


@pytest.mark.parametrize("wire", BODIES)
def test_what_everyone_heeds_goes_on_as_it_is(wire: WireName) -> None:
    assert not needs_rewrite(asked(wire), DIALECTS["ollama"])
    if wire == "anthropic":
        assert not needs_rewrite(asked(wire, tool_choice={"type": "auto"}), DIALECTS["ollama"])


def test_a_server_that_is_offered_only_what_was_chosen_is_said_not_to_be_forced() -> None:
    for wire, choice in (("openai-responses", "required"), ("anthropic", {"type": "any"})):
        written = CODECS[wire].write_request(asked(wire, tool_choice=choice), DIALECTS["ollama"])  # type: ignore[index,arg-type]
        assert "tool_choice" not in written.body
        assert "ollama cannot be made to call a tool" in written.warnings[0]
