"""LlamaIndex's function agent over its OpenAI, Anthropic and Google packages."""

import base64
from typing import Any

from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from google.genai import types
from llama_index.core.agent.workflow import AgentStream, FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.google_genai import GoogleGenAI
from llama_index.llms.openai import OpenAIResponses
from llama_index.llms.openai_like import OpenAILike


def model(errand: dict[str, Any]) -> Any:
    wire, address, name, thinks = (errand[key] for key in ("wire", "address", "model", "thinks"))
    given = {"model": name, "api_key": "sk-of-the-client", "max_retries": errand.get("retries", 0)}
    match wire:
        case "openai-chat":
            effort = {"reasoning_effort": "medium"} if thinks else {}
            kind = {"is_chat_model": True, "is_function_calling_model": True}
            return OpenAILike(api_base=f"{address}/v1", **given, **kind, **effort)
        case "openai-responses":
            effort = {"reasoning_options": {"effort": "medium", "summary": "auto"}} if thinks else {}
            return OpenAIResponses(api_base=f"{address}/v1", context_window=100_000, **given, **effort)
        case "anthropic":
            thinking = {"thinking_dict": {"type": "adaptive"}} if thinks else {}
            return Anthropic(base_url=address, **given, **thinking, max_tokens=4096)
        case _:
            thinking = types.ThinkingConfig(include_thoughts=True) if thinks else None
            return GoogleGenAI(
                **given,
                http_options=types.HttpOptions(base_url=address),
                generation_config=types.GenerateContentConfig(thinking_config=thinking, max_output_tokens=4096),
            )


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    chat = model(errand)
    tools = [FunctionTool.from_defaults(function) for function in TOOLS[errand["tools"]]]
    if errand.get("format"):
        said = [ChatMessage(role="user", content=errand["says"][0]["text"])]
        return {"value": (await chat.as_structured_llm(Report).achat(said)).raw.model_dump()}
    if errand.get("choice"):
        answer = await chat.achat_with_tools(tools, errand["says"][0]["text"], tool_required=True)
        return {"calls": [str(call) for call in chat.get_tool_calls_from_response(answer)]}
    agent = FunctionAgent(tools=tools, llm=chat, system_prompt=SYSTEM, streaming=errand["stream"])
    context = Context(agent)
    replies: list[str] = []
    for say in errand["says"]:
        asked: Any = say["text"]
        if "image" in say:
            picture = ImageBlock(image=base64.b64decode(PIXEL), image_mimetype="image/png")
            asked = ChatMessage(role="user", blocks=[TextBlock(text=say["text"]), picture])
        run = agent.run(user_msg=asked, ctx=context)
        streamed = ""
        async for event in run.stream_events():
            if isinstance(event, AgentStream):
                streamed += event.delta
        replies.append(streamed if errand["stream"] else str((await run).response.content))
        await run
    return {"replies": replies}


serve(play)
