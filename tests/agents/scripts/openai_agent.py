"""OpenAI's Agents SDK over both of OpenAI's wires."""

from typing import Any

from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from openai import AsyncOpenAI
from openai.types.shared import Reasoning

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    ToolOutputImage,
    function_tool,
    set_tracing_disabled,
)

set_tracing_disabled(True)


def picture() -> ToolOutputImage:
    """A picture as a result."""
    return ToolOutputImage(image_url=f"data:image/png;base64,{PIXEL}")


def said(say: dict[str, Any]) -> list[Any]:
    content: list[Any] = [{"type": "input_text", "text": say["text"]}]
    if "image" in say:
        content.append({"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PIXEL}"})
    return [{"role": "user", "content": content}]


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    client = AsyncOpenAI(
        base_url=f"{errand['address']}/v1", api_key="sk-of-the-client", max_retries=errand.get("retries", 0)
    )
    kind: Any = OpenAIChatCompletionsModel if errand["wire"] == "openai-chat" else OpenAIResponsesModel
    settings: dict[str, Any] = {"include_usage": True}
    if errand["thinks"]:
        settings["reasoning"] = Reasoning(effort="medium", summary="auto")
    if errand.get("choice"):
        settings["tool_choice"] = errand["choice"]
    if errand.get("unstored"):
        settings |= {"store": False, "response_include": ["reasoning.encrypted_content"]}
    tools = [function_tool(function) for function in TOOLS[errand["tools"]]]
    if errand.get("look"):
        tools = [function_tool(picture, name_override="list_notes")]
    agent = Agent(
        "errand",
        instructions=SYSTEM,
        model=kind(model=errand["model"], openai_client=client),
        model_settings=ModelSettings(**settings),
        tools=list(tools),
        output_type=Report if errand.get("format") else None,
    )
    history: list[Any] = []
    replies: list[Any] = []
    chain: dict[str, Any] = {}
    usage: Any = None
    for say in errand["says"]:
        given = [*history, *said(say)]
        if errand["stream"]:
            run: Any = Runner.run_streamed(agent, given, **chain)
            async for _ in run.stream_events():
                pass
        else:
            run = await Runner.run(agent, given, **chain)
        replies.append(run.final_output)
        if errand.get("chained"):
            chain = {"previous_response_id": run.last_response_id}
        else:
            history = run.to_input_list()
        usage = run.context_wrapper.usage
    value = replies[-1].model_dump() if isinstance(replies[-1], Report) else None
    return {"replies": [str(reply) for reply in replies], "value": value, "usage": str(usage)}


serve(play)
