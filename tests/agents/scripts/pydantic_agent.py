"""Pydantic AI over each of its models."""

import base64
from typing import Any

from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from pydantic_ai import Agent, BinaryContent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

OUTPUTS: dict[str, Any] = {
    "tool": ToolOutput(Report),
    "native": NativeOutput(Report),
    "prompted": PromptedOutput(Report),
}


def model(errand: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    wire, address, name = (errand[key] for key in ("wire", "address", "model"))
    key = "sk-of-the-client"
    match wire:
        case "openai-chat":
            return OpenAIChatModel(name, provider=OpenAIProvider(base_url=f"{address}/v1", api_key=key)), {
                "openai_reasoning_effort": "medium"
            }
        case "openai-responses":
            return OpenAIResponsesModel(name, provider=OpenAIProvider(base_url=f"{address}/v1", api_key=key)), {
                "openai_reasoning_effort": "medium",
                "openai_reasoning_summary": "auto",
            }
        case "anthropic":
            return AnthropicModel(name, provider=AnthropicProvider(base_url=address, api_key=key)), {
                "anthropic_thinking": {"type": "adaptive"}
            }
        case _:
            return GoogleModel(name, provider=GoogleProvider(base_url=address, api_key=key)), {
                "google_thinking_config": {"include_thoughts": True, "thinking_level": "HIGH"}
            }


def picture() -> BinaryContent:
    """A picture as a result."""
    return BinaryContent(base64.b64decode(PIXEL), media_type="image/png")


async def drain(_: Any, events: Any) -> None:
    """Asks for every reply as a stream; `run_stream` would end with the first words, before the calls."""
    async for _event in events:
        pass


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    chat, thinking = model(errand)
    settings: Any = thinking if errand["thinks"] else {}
    if errand.get("choice"):
        settings = {**settings, "tool_choice": errand["choice"]}
    output = {"output_type": OUTPUTS[errand["format"]]} if errand.get("format") else {}
    agent: Any = Agent(chat, system_prompt=SYSTEM, model_settings=settings, tools=TOOLS[errand["tools"]], **output)
    if errand.get("look"):
        agent.tool_plain(name="list_notes")(picture)
    history: Any = []
    replies: list[Any] = []
    usage: Any = None
    for say in errand["says"]:
        asked = [say["text"], picture()] if "image" in say else say["text"]
        streamed = {"event_stream_handler": drain} if errand["stream"] else {}
        run = await agent.run(asked, message_history=history, **streamed)
        replies.append(run.output)
        history, usage = run.all_messages(), run.usage
    value = replies[-1].model_dump() if isinstance(replies[-1], Report) else None
    return {"replies": [str(reply) for reply in replies], "value": value, "usage": str(usage)}


serve(play)
