"""The requests of agents as they were seen on the wire, to every provider: each is understood, and each strict service
takes what it is sent. What stands out about each client is in its row."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.providers import scene
from tests.fakes.translating import MODELS, OLDER_MODELS, WIRES, Stage, stage

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages?beta=true"
GEMINI = ("/v1/models/{model}:generateContent", "/v1beta/models/{model}:streamGenerateContent?alt=sse")
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ARGUMENTS = '{"city": "Z"}'
CHAT_TOOL = {"type": "function", "function": {"name": "look", "description": "Looks", "parameters": SCHEMA}}
ITEM_TOOL = {"type": "function", "name": "look", "description": "Looks", "parameters": SCHEMA, "strict": False}
BLOCK_TOOL = {"name": "look", "description": "Looks", "input_schema": SCHEMA}
TEXT = {"type": "input_text", "text": "Be brief."}
CHAT_CALL: dict[str, Any] = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": ARGUMENTS}}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]}
USED: dict[str, Any] = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"city": "Z"}}],
}

SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "openai py, what `.stream` gave it": (
        CHAT,
        {
            "stream": True,
            "stream_options": {"include_usage": True},
            "tools": [CHAT_TOOL],
            "messages": [
                {"role": "user", "content": "go"},
                {
                    **CALLED,
                    "parsed": None,
                    "audio": None,
                    "function_call": None,
                    "annotations": None,
                    "refusal": None,
                    "tool_calls": [
                        {
                            **CHAT_CALL,
                            "index": 0,
                            "function": {**CHAT_CALL["function"], "parsed_arguments": {"city": "Z"}},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "sun"},
            ],
        },
    ),
    "smolagents, results as the user's words": (
        CHAT,
        {
            "tools": [CHAT_TOOL],
            "tool_choice": "required",
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": "You are an agent."}]},
                {"role": "user", "content": [{"type": "text", "text": "Task: go"}]},
                {"role": "assistant", "content": [{"type": "text", "text": "Calling tools: look"}]},
                {"role": "user", "content": [{"type": "text", "text": f"Observation:\nsun. {scene.THANKS}"}]},
            ],
        },
    ),
    "qwen-code, arrays of parts everywhere": (
        CHAT,
        {
            "stream": True,
            "max_tokens": 64000,
            "tools": [CHAT_TOOL],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "go"}]},
                CALLED,
                {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "sun"}]},
            ],
        },
    ),
    "pi, the developer's role": (
        CHAT,
        {
            "stream": True,
            "store": False,
            "max_completion_tokens": 32000,
            "tools": [CHAT_TOOL],
            "messages": [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": "go"},
                CALLED,
                {"role": "tool", "tool_call_id": "call_1", "content": "sun"},
            ],
        },
    ),
    "aider, examples and no tools": (
        CHAT,
        {
            "stream": True,
            "messages": [
                {"role": "system", "content": "Act as an expert."},
                *[{"role": role, "content": "example"} for _ in range(4) for role in ("user", "assistant")],
                {"role": "user", "content": scene.THANKS},
            ],
        },
    ),
    "codex, a model that it knows": (
        RESPONSES,
        {
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "reasoning": {"effort": "medium", "summary": "auto"},
            "parallel_tool_calls": True,
            "prompt_cache_key": "k",
            "client_metadata": {"x": "y"},
            "text": {"verbosity": "medium"},
            "tools": [
                ITEM_TOOL,
                {
                    "type": "custom",
                    "name": "apply_patch",
                    "description": "Patches",
                    "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
                },
                {"type": "web_search"},
            ],
            "input": [
                {
                    "type": "message",
                    "id": "msg_1",
                    "role": "developer",
                    "content": [TEXT],
                },
                {"type": "message", "id": "msg_2", "role": "user", "content": [TEXT]},
                {
                    "type": "custom_tool_call",
                    "id": "ctc_1",
                    "call_id": "call_1",
                    "name": "apply_patch",
                    "input": "*** x",
                },
                {"type": "custom_tool_call_output", "id": "ctco_1", "call_id": "call_1", "output": "done"},
            ],
        },
    ),
    "codex, a code-mode model": (
        RESPONSES,
        {
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "reasoning": {"effort": "medium", "context": "all_turns"},
            "parallel_tool_calls": False,
            "input": [
                {
                    "type": "additional_tools",
                    "id": "at_1",
                    "role": "developer",
                    "tools": [
                        {"type": "custom", "name": "exec", "description": "Runs JavaScript"},
                        {"type": "namespace", "name": "functions", "description": "More", "tools": [ITEM_TOOL]},
                    ],
                },
                {"type": "message", "id": "msg_2", "role": "user", "content": [TEXT]},
                {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "exec", "input": "1"},
                {
                    "type": "custom_tool_call_output",
                    "id": "ctco_1",
                    "call_id": "call_1",
                    "output": [{"type": "input_text", "text": "done"}],
                },
            ],
        },
    ),
    "opencode, calls without item ids": (
        RESPONSES,
        {
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "tools": [ITEM_TOOL],
            "input": [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": [TEXT]},
                {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": ARGUMENTS},
                {"type": "function_call_output", "call_id": "call_1", "output": "sun"},
            ],
        },
    ),
    "cline, tools of the provider's": (
        RESPONSES,
        {
            "stream": True,
            "store": False,
            "truncation": "auto",
            "include": ["web_search_call.action.sources"],
            "tools": [ITEM_TOOL, {"type": "web_search"}],
            "input": [{"role": "user", "content": scene.THANKS}],
        },
    ),
    "claude-code, a system message among the others": (
        MESSAGES,
        {
            "stream": True,
            "max_tokens": 32000,
            "metadata": {"user_id": '{"device":"x"}'},
            "thinking": {"type": "adaptive", "display": "omitted"},
            "output_config": {"effort": "medium"},
            "context_management": {"edits": []},
            "system": [
                {"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1"},
                {"type": "text", "text": "You are Claude Code.", "cache_control": {"type": "ephemeral"}},
            ],
            "tools": [BLOCK_TOOL, {**BLOCK_TOOL, "name": "later", "defer_loading": True}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "go"}]},
                {"role": "system", "content": "Today is Monday."},
                USED,
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "toolu_1",
                            "content": "sun",
                            "cache_control": {"type": "ephemeral"},
                        }
                    ],
                },
            ],
        },
    ),
    "langchain, is_error said aloud": (
        MESSAGES,
        {
            "max_tokens": 1024,
            "tools": [BLOCK_TOOL],
            "messages": [
                {"role": "user", "content": "go"},
                USED,
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "sun", "is_error": False}],
                },
            ],
        },
    ),
    "copilot, a temperature": (
        MESSAGES,
        {
            "stream": True,
            "max_tokens": 1024,
            "temperature": 1,
            "tools": [{**BLOCK_TOOL, "eager_input_streaming": True}],
            "messages": [{"role": "user", "content": scene.THANKS}],
        },
    ),
    "google-genai, an empty turn and no ids": (
        GEMINI[0],
        {
            "tools": [{"functionDeclarations": [{"name": "look", "parameters_json_schema": SCHEMA}]}],
            "contents": [
                {"role": "user", "parts": [{"text": "go"}]},
                {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"city": "Z"}}}]},
                {"role": "model", "parts": [{"text": ""}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"result": "sun"}}}]},
            ],
        },
    ),
    "pydantic-ai, a validated choice": (
        GEMINI[1],
        {
            "tools": [{"functionDeclarations": [{"name": "look", "parametersJsonSchema": SCHEMA}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
            "generationConfig": {"responseModalities": ["TEXT"]},
            "contents": [{"role": "user", "parts": [{"text": scene.THANKS}]}],
        },
    ),
}
OWN = {CHAT: "openai-chat", RESPONSES: "openai-responses", MESSAGES: "anthropic", **dict.fromkeys(GEMINI, "gemini")}
KEYS = ({"Authorization": "Bearer k"}, {"x-api-key": "k"}, {"x-goog-api-key": "k"})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("shapes")
    with stage(folder) as services, services.open() as opened:
        yield opened


PAIRS = [(client, provider) for client, provider in product(SHAPES, WIRES) if OWN[SHAPES[client][0]] != provider]
"""On the same wire the bytes go through as they are, which is shown elsewhere."""


@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_every_provider_answers_every_client(played: Stage, client: str, provider: str) -> None:
    path, body = SHAPES[client]
    model = OLDER_MODELS.get(provider, MODELS[provider])  # of the newer ones no thought may be lost: none was had here
    named = body if "{model}" in path else {"model": model, **body}
    key = KEYS[len(client) % len(KEYS)]
    headers = {"anthropic-version": "2023-06-01", **key} if path == MESSAGES else key
    played.services[provider].refusals.clear()
    address = f"{played.address}{path.format(model=model)}"
    answer = httpx.post(address, json=named, headers=headers, timeout=10, trust_env=False)
    assert answer.status_code == 200, answer.text
    assert not played.services[provider].refusals
    assert "error" not in answer.text[:20]
    asked = played.services[provider].bodies[-1]
    if "sun" in str(body):
        assert "sun" in str(asked), "the model is told what the tool said"
