"""Strands Agents over each of its models; it always streams."""

import base64
from typing import Any

from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from strands import Agent, tool
from strands.models.anthropic import AnthropicModel
from strands.models.gemini import GeminiModel
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel


def model(errand: dict[str, Any]) -> Any:
    wire, address, name, thinks = (errand[key] for key in ("wire", "address", "model", "thinks"))
    retries = errand.get("retries", 0)
    openai = {"base_url": f"{address}/v1", "api_key": "sk-of-the-client", "max_retries": retries}
    match wire:
        case "openai-chat":
            return OpenAIModel(
                client_args=openai, model_id=name, params={"reasoning_effort": "medium"} if thinks else {}
            )
        case "openai-responses":
            effort = {"reasoning": {"effort": "medium", "summary": "auto"}} if thinks else {}
            return OpenAIResponsesModel(
                client_args=openai, model_id=name, params=effort, stateful=bool(errand.get("chained"))
            )
        case "anthropic":
            given = {"base_url": address, "api_key": "sk-of-the-client", "max_retries": retries}
            thinking = {"thinking": {"type": "adaptive"}} if thinks else {}
            return AnthropicModel(client_args=given, model_id=name, max_tokens=4096, params=thinking)
        case _:
            thinking = {"thinking_config": {"include_thoughts": True}} if thinks else {}
            options = {"api_key": "sk-of-the-client", "http_options": {"base_url": address}}
            return GeminiModel(client_args=options, model_id=name, params=thinking)


def picture() -> dict[str, Any]:
    """A picture as a result."""
    return {"status": "success", "content": [{"text": "seen"}, image()]}


def image() -> dict[str, Any]:
    return {"image": {"format": "png", "source": {"bytes": base64.b64decode(PIXEL)}}}


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    tools = [tool(function) for function in TOOLS[errand["tools"]]]
    if errand.get("look"):
        tools = [tool(name="list_notes")(picture)]
    agent = Agent(model=model(errand), tools=tools, system_prompt=SYSTEM, callback_handler=None)
    replies: list[str] = []
    output = {"structured_output_model": Report} if errand.get("format") else {}
    result: Any = None
    for say in errand["says"]:
        asked = [{"text": say["text"]}, image()] if "image" in say else say["text"]
        async for event in agent.stream_async(asked, **output):
            if "result" in event:
                result = event["result"]
        replies.append("".join(block.get("text", "") for block in result.message["content"]))
    value = result.structured_output.model_dump() if errand.get("format") else None
    return {"replies": replies, "value": value, "usage": result.metrics.accumulated_usage}


serve(play)
