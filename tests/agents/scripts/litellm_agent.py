"""LiteLLM as a client package: a tool loop by hand, over each wire it can speak to a base URL."""

import inspect
import json
from typing import Any

import litellm
from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from pydantic import TypeAdapter

litellm.telemetry = False
PROVIDERS = {
    "openai-chat": "openai",
    "openai-responses": "openai/responses",
    "anthropic": "anthropic",
    "gemini": "gemini",
}


def described(function: Any) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": {
            name: TypeAdapter(parameter.annotation).json_schema()
            for name, parameter in inspect.signature(function).parameters.items()
        },
    }
    about = {"name": function.__name__, "description": function.__doc__, "parameters": parameters}
    return {"type": "function", "function": about}


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    wire, address = errand["wire"], errand["address"]
    base = {"openai": f"{address}/v1", "gemini": f"{address}/v1beta"}.get(wire.partition("-")[0], address)
    functions = {function.__name__: function for function in TOOLS[errand["tools"]]}
    given: dict[str, Any] = {
        "model": f"{PROVIDERS[wire]}/{errand['model']}",
        "api_base": base,
        "api_key": "sk-of-the-client",
        "stream": errand["stream"],
        "num_retries": errand.get("retries", 0),
    }
    if functions:
        given["tools"] = [described(function) for function in functions.values()]
    if errand["thinks"]:
        given["reasoning_effort"] = "medium"
        if wire.startswith("openai"):  # it would leave it out for models that it does not know there
            given["allowed_openai_params"] = ["reasoning_effort"]
    if errand["stream"]:
        given["stream_options"] = {"include_usage": True}
    if errand.get("format"):
        given["response_format"] = Report
    if errand.get("choice"):
        given["tool_choice"] = errand["choice"]
    messages: list[Any] = [{"role": "system", "content": SYSTEM}]
    replies: list[str] = []
    answer: Any = None
    for say in errand["says"]:
        content: list[Any] = [{"type": "text", "text": say["text"]}]
        if "image" in say:
            content.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}})
        messages.append({"role": "user", "content": content})
        while True:
            answer = await litellm.acompletion(messages=messages, **given)
            if errand["stream"]:
                chunks = [chunk async for chunk in answer]
                answer = litellm.stream_chunk_builder(chunks, messages=messages)
            message = answer.choices[0].message
            messages.append(message)
            if errand.get("choice"):
                return {"calls": [call.function.name for call in message.tool_calls]}
            for call in message.tool_calls or ():
                result = functions[call.function.name](**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
            if not message.tool_calls:
                replies.append(message.content or "")
                break
    value = Report.model_validate_json(replies[-1]).model_dump() if errand.get("format") else None
    return {"replies": replies, "value": value, "usage": str(answer.usage)}


serve(play)
