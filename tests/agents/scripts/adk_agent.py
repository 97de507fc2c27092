"""Google's Agent Development Kit over Gemini's wire, and over Anthropic's with its own Claude model."""

import base64
import os
from typing import Any

from anthropic import AsyncAnthropic
from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from google.adk.agents import Agent, RunConfig
from google.adk.agents.run_config import StreamingMode
from google.adk.models.anthropic_llm import AnthropicLlm
from google.adk.models.google_llm import Gemini
from google.adk.runners import InMemoryRunner
from google.genai import types

os.environ["GOOGLE_API_KEY"] = "sk-of-the-client"


def model(errand: dict[str, Any]) -> Any:
    if errand["wire"] == "anthropic":
        client = AsyncAnthropic(
            base_url=errand["address"], api_key="sk-of-the-client", max_retries=errand.get("retries", 0)
        )
        return AnthropicLlm(model=errand["model"], client=client)
    retry = types.HttpRetryOptions(attempts=1 + errand.get("retries", 0))
    return Gemini(model=errand["model"], base_url=errand["address"], retry_options=retry)


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    thinking = types.ThinkingConfig(include_thoughts=True) if errand["thinks"] and errand["wire"] == "gemini" else None
    if errand["thinks"] and errand["wire"] == "anthropic":
        thinking = types.ThinkingConfig(thinking_budget=-1)
    config: dict[str, Any] = {}
    if errand.get("choice"):
        calling = types.FunctionCallingConfig(mode=types.FunctionCallingConfigMode.ANY)
        config["tool_config"] = types.ToolConfig(function_calling_config=calling)
    agent = Agent(
        name="errand",
        model=model(errand),
        instruction=SYSTEM,
        tools=TOOLS[errand["tools"]],
        generate_content_config=types.GenerateContentConfig(thinking_config=thinking, **config),
        output_schema=Report if errand.get("format") else None,
    )
    runner = InMemoryRunner(agent=agent, app_name="errands")
    session = await runner.session_service.create_session(app_name="errands", user_id="u")
    mode = StreamingMode.SSE if errand["stream"] else StreamingMode.NONE
    replies: list[str] = []
    usage: Any = None
    for say in errand["says"]:
        parts = [types.Part(text=say["text"])]
        if "image" in say:
            parts.append(types.Part.from_bytes(data=base64.b64decode(PIXEL), mime_type="image/png"))
        text = ""
        async for event in runner.run_async(
            user_id="u",
            session_id=session.id,
            new_message=types.Content(role="user", parts=parts),
            run_config=RunConfig(streaming_mode=mode),
        ):
            if event.error_code:
                raise RuntimeError(f"{event.error_code} {event.error_message}")
            if event.partial or not event.content:
                continue
            text += "".join(part.text for part in event.content.parts or () if part.text and not part.thought)
            usage = event.usage_metadata or usage
        replies.append(text)
    value = Report.model_validate_json(replies[-1]).model_dump() if errand.get("format") else None
    return {"replies": replies, "value": value, "usage": str(usage)}


serve(play)
