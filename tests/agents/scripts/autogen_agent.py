"""AutoGen's assistant over its OpenAI and Anthropic clients."""

import base64
import io
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import ModelClientStreamingChunkEvent, MultiModalMessage, TextMessage
from autogen_core import Image
from autogen_core.tools import FunctionTool
from autogen_ext.models.anthropic import AnthropicChatCompletionClient
from autogen_ext.models.openai import OpenAIChatCompletionClient
from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from PIL import Image as Pillow

ABILITIES: Any = {
    "vision": True,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": "unknown",
    "multiple_system_messages": True,
}


def model(errand: dict[str, Any]) -> Any:
    given = {"model": errand["model"], "api_key": "sk-of-the-client", "model_info": ABILITIES}
    given["max_retries"] = errand.get("retries", 0)
    if errand["wire"] == "anthropic":
        thinking = {"thinking": {"type": "adaptive"}} if errand["thinks"] else {}
        return AnthropicChatCompletionClient(base_url=errand["address"], max_tokens=4096, **given, **thinking)
    effort = {"reasoning_effort": "medium"} if errand["thinks"] else {}
    usage = {"include_name_in_message": False}
    return OpenAIChatCompletionClient(base_url=f"{errand['address']}/v1", **given, **effort, **usage)


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    tools = [FunctionTool(function, description=function.__doc__ or "") for function in TOOLS[errand["tools"]]]
    client = model(errand)
    agent = AssistantAgent(
        "errand",
        client,
        tools=tools or None,
        system_message=SYSTEM,
        model_client_stream=errand["stream"],
        reflect_on_tool_use=True if tools else None,
        output_content_type=Report if errand.get("format") else None,
    )
    replies: list[str] = []
    last: Any = None
    for say in errand["says"]:
        message: Any = TextMessage(content=say["text"], source="user")
        if "image" in say:
            picture = Image(Pillow.open(io.BytesIO(base64.b64decode(PIXEL))))
            message = MultiModalMessage(content=[say["text"], picture], source="user")
        async for event in agent.run_stream(task=message):
            if not isinstance(event, ModelClientStreamingChunkEvent):
                last = event
        last = last.messages[-1]
        replies.append(last.content if isinstance(last.content, str) else str(last.content))
    value = last.content.model_dump() if errand.get("format") else None
    return {"replies": replies, "value": value, "usage": str(client.total_usage())}


serve(play)
