"""What servers do not heed of tools."""

import pytest

from callgate.core.messages import Message, ToolCall, say
from callgate.core.request import ChatRequest, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.dialect_tools import tools_need_rewrite
from callgate.wire.dialects import DIALECTS, PLAIN

ASK = ChatRequest("openai-chat", "m", (say("user", "q"),), (ToolSpec("f"),))


@pytest.mark.parametrize(
    ("request_", "dialect", "unread"),
    [
        (ASK, "ollama", False),
        (ASK, "llama-cpp-python", True),
        (ChatRequest("openai-chat", "m", ASK.messages, ASK.tools, parallel_calls=False), "ollama", True),
        (ChatRequest("openai-chat", "m", ASK.messages, (), parallel_calls=False), "ollama", False),
        (ChatRequest("openai-chat", "m", ASK.messages, (ToolSpec("f", variant="custom"),)), "vllm", True),
        (ChatRequest("openai-chat", "m", (Message("assistant", (ToolCall("a", "f", "x", "custom"),)),)), "vllm", True),
        (ChatRequest("openai-chat", "m", ASK.messages, ASK.tools, ToolChoice("required", ("f",))), "llama.cpp", True),
        (ChatRequest("openai-chat", "m", ASK.messages, ASK.tools, ToolChoice("auto", ("f",))), "vllm", True),
        (ChatRequest("openai-chat", "m", ASK.messages, ASK.tools, ToolChoice("required")), "vllm", False),
    ],
)
def test_each_dialect_heeds_what_it_heeds(request_: ChatRequest, dialect: str, unread: bool) -> None:
    assert tools_need_rewrite(request_, DIALECTS[dialect]) is unread
    assert not tools_need_rewrite(request_, PLAIN)
