"""A client's bytes go on as they are, unless the server's dialect would make something else of them."""

from dataclasses import replace
from typing import Any

import pytest

from callgate.core.messages import Message, Reasoning, Text, ToolCall, ToolResult, say
from callgate.core.request import ChatRequest
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.openai_chat.dialect_rewrite import needs_chat_rewrite
from callgate.wire.openai_chat.read_request import read_request

TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
NAMED = {"type": "function", "function": {"name": "f"}}
CALLED = Message("assistant", (ToolCall("c", "f", "{}"),))
RESULT = Message("tool", (ToolResult("c", (Text("r"),)),))
FREE = {"type": "custom", "custom": {"name": "g"}}
FREE_CALL = Message("assistant", (Text("so"), ToolCall("c", "g", "x", "custom")))
THOUGHT = Message("assistant", (Reasoning("hm", wire="openai-chat"), Text("a")))


def asked(*messages: Message, **fields: Any) -> ChatRequest:
    request = read_request({"model": "m", "messages": [{"role": "user", "content": "q"}], **fields})
    return replace(request, messages=(*request.messages, *messages))


@pytest.mark.parametrize(
    ("request_", "misfits", "fits"),
    [
        (asked(say("developer", "be brief")), "ollama deepseek kimi vllm", "openai openrouter"),
        (asked(THOUGHT), "openai", "deepseek kimi vllm ollama openrouter"),
        (asked(say("assistant", "a")), "deepseek kimi", "openai vllm ollama"),
        (asked(CALLED, RESULT), "ollama deepseek kimi", "openai vllm"),
        (asked(max_completion_tokens=9), "ollama llama.cpp deepseek", "openai vllm kimi"),
        (asked(max_tokens=9), "", "ollama llama.cpp deepseek openai"),
        (asked(tools=[TOOL], tool_choice="auto"), "ollama", "llama.cpp openai"),
        (asked(tools=[TOOL], tool_choice=NAMED), "ollama llama.cpp lmstudio", "openai vllm"),
        (asked(tools=[TOOL], tool_choice="required"), "ollama llama-cpp-python", "llama.cpp openai"),
        (asked(tools=[TOOL]), "llama-cpp-python", "ollama openai"),
        (asked(tools=[FREE]), "ollama vllm openrouter llama-cpp-python", "openai"),
        (asked(FREE_CALL), "ollama vllm openrouter deepseek", "openai"),
        (asked(tools=[TOOL], parallel_tool_calls=False), "ollama llama-cpp-python", "openai vllm"),
        (asked(n=2), "ollama deepseek", "openai vllm"),
        (asked(n=1), "", "ollama deepseek"),
        (asked(tools=[], tool_choice="auto"), " ".join(DIALECTS), ""),
    ],
)
def test_only_what_a_dialect_would_misread_is_spelled_anew(request_: ChatRequest, misfits: str, fits: str) -> None:
    found = {name for name in DIALECTS if needs_chat_rewrite(request_, DIALECTS[name])}
    assert found >= set(misfits.split())
    assert not found & set(fits.split())


def test_an_unknown_server_gets_every_request_as_it_came() -> None:
    assert not needs_chat_rewrite(asked(say("developer", "x"), THOUGHT, CALLED, RESULT, max_completion_tokens=9), PLAIN)
