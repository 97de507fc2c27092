"""The services that translation is proven against must themselves refuse what the real ones refuse."""

from typing import Any

import orjson
import pytest
from tests.fakes.providers import anthropic, gemini, openai_chat, openai_responses, scene
from tests.fakes.providers.service import Asked, Service

KEYS = {"authorization": "Bearer k", "x-goog-api-key": "k", "anthropic-version": "2023-06-01"}
ASK = {"role": "user", "content": scene.ASK}
SCHEMA = {"type": "object", "properties": {}}

CHAT_TOOL = {"type": "function", "function": {"name": "f", "parameters": SCHEMA}}
CHAT_CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CHAT_TURN = {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]}
CHAT_RESULT = {"role": "tool", "tool_call_id": "c", "content": "x"}
ITEM_CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
ITEM_RESULT = {"type": "function_call_output", "call_id": "c", "output": "x"}
USE = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
USED = {"type": "tool_result", "tool_use_id": "c", "content": "x"}
CLAUDE_TOOLS = [{"name": "f", "input_schema": SCHEMA}]
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "forged"}
DECLARED = [{"functionDeclarations": [{"name": "f"}]}]
CALL, RESPONSE = {"functionCall": {"name": "f", "args": {}}}, {"functionResponse": {"name": "f", "response": {}}}


def turns(*contents: tuple[str, list[Any]]) -> list[Any]:
    return [{"role": role, "parts": parts} for role, parts in contents]


def claude(*contents: Any) -> list[Any]:
    return [{"role": "assistant" if n % 2 else "user", "content": content} for n, content in enumerate(contents)]


SERVICES: dict[str, tuple[type[Service], str, dict[str, Any]]] = {
    "openai-chat": (openai_chat.OpenAIChatService, "/v1/chat/completions", {"model": openai_chat.MODEL}),
    "openai-responses": (openai_responses.OpenAIResponsesService, "/v1/responses", {"model": openai_responses.MODEL}),
    "anthropic": (anthropic.AnthropicService, "/v1/messages", {"model": anthropic.MODEL, "max_tokens": 9}),
    "gemini": (gemini.GeminiService, f"/v1beta/models/{gemini.MODEL}:generateContent", {}),
}


def refusals(wire: str, body: dict[str, Any]) -> list[str]:
    kind, path, always = SERVICES[wire]
    service = kind()
    service.respond(Asked("POST", path, KEYS, orjson.dumps(always | body)))
    return service.refusals


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        ("openai-chat", {"messages": [ASK, CHAT_TURN, CHAT_RESULT], "tools": [CHAT_TOOL]}),
        ("openai-responses", {"input": [ASK, ITEM_CALL, ITEM_RESULT]}),
        ("anthropic", {"messages": claude("go", [USE], [USED]), "tools": CLAUDE_TOOLS}),
        ("gemini", {"contents": turns(("user", [{"text": "go"}]))}),
    ],
)
def test_a_sound_request_is_answered(wire: str, body: dict[str, Any]) -> None:
    assert refusals(wire, body) == []


@pytest.mark.parametrize(
    ("wire", "body", "words"),
    [
        ("openai-chat", {"messages": [ASK], "max_output_tokens": 5}, "unknown"),
        ("openai-chat", {"messages": [ASK, CHAT_TURN], "tools": [CHAT_TOOL]}, "did not have response"),
        ("openai-chat", {"messages": [ASK, CHAT_RESULT]}, "preceeding message"),
        ("openai-chat", {"messages": [ASK], "tool_choice": "auto"}, "tool_choice"),
        ("openai-responses", {"input": [ASK, ITEM_CALL]}, "No tool output found"),
        ("openai-responses", {"input": [ASK, ITEM_RESULT]}, "No tool call found"),
        ("openai-responses", {"input": [ASK | {"id": "rs_1"}]}, "begins with 'msg_'"),
        ("openai-responses", {"input": [{"type": "reasoning", "id": "rs_1", "summary": []}, ASK]}, "not found"),
        ("openai-responses", {"input": [ASK], "messages": []}, "unknown"),
        ("anthropic", {"messages": claude("go", [USE], "so?"), "tools": CLAUDE_TOOLS}, "without `tool_result`"),
        ("anthropic", {"messages": claude("go", [USE], [USED])}, "must define tools"),
        ("anthropic", {"messages": claude("go", [THOUGHT], "so?")}, "Invalid `signature`"),
        ("anthropic", {"messages": [ASK, ASK]}, "alternate"),
        ("anthropic", {"messages": [ASK], "temperature": 0.5}, "temperature"),
        ("anthropic", {"messages": claude([{"type": "text", "text": ""}])}, "must contain non-whitespace text"),
        ("gemini", {"contents": turns(("user", [{"text": "a"}]), ("user", [{"text": "b"}]))}, "alternate"),
        ("gemini", {"contents": turns(("user", [RESPONSE])), "tools": DECLARED}, "number of function response"),
        (
            "gemini",
            {"contents": turns(("user", [{"text": "a"}]), ("model", [CALL]), ("user", [RESPONSE])), "tools": DECLARED},
            "missing a thought_signature",
        ),
        ("gemini", {"contents": turns(("user", [{"text": "a", "type": "text"}]))}, "unknown"),
    ],
)
def test_what_the_real_service_refuses_is_refused(wire: str, body: dict[str, Any], words: str) -> None:
    (refused,) = refusals(wire, body)
    assert words in refused.splitlines()[0]
