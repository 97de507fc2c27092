"""LangChain's own agent loop (LangGraph) over its OpenAI, Anthropic and Google packages."""

from typing import Any

from conversation import PIXEL, SYSTEM, TOOLS, Report, serve
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver


def model(errand: dict[str, Any]) -> Any:
    wire, address, name, thinks = (errand[key] for key in ("wire", "address", "model", "thinks"))
    given = {"model": name, "api_key": "sk-of-the-client", "max_retries": errand.get("retries", 0)}
    match wire:
        case "openai-chat":
            effort = {"reasoning_effort": "medium"} if thinks else {}
            return ChatOpenAI(base_url=f"{address}/v1", **given, **effort, use_responses_api=False, stream_usage=True)
        case "openai-responses" | "openai-responses stored":
            effort = {"reasoning": {"effort": "medium", "summary": "auto"}} if thinks else {}
            state = {"use_previous_response_id": True} if wire.endswith("stored") else {}
            if errand.get("unstored"):
                state = {"store": False, "include": ["reasoning.encrypted_content"]}
            return ChatOpenAI(base_url=f"{address}/v1", **given, **effort, **state, use_responses_api=True)
        case "anthropic":
            thinking = {"thinking": {"type": "adaptive"}} if thinks else {}
            return ChatAnthropic(base_url=address, **given, **thinking, max_tokens=4096)
        case _:
            thinking = {"include_thoughts": True, "thinking_level": "high"} if thinks else {}
            return ChatGoogleGenerativeAI(base_url=address, **given, **thinking)


def said(say: dict[str, Any]) -> dict[str, Any]:
    if "image" not in say:
        return {"role": "user", "content": say["text"]}
    image = {"type": "image", "base64": PIXEL, "mime_type": "image/png"}
    return {"role": "user", "content": [{"type": "text", "text": say["text"]}, image]}


def pictures() -> list[Any]:
    """A picture as a result."""
    return [{"type": "text", "text": "seen"}, {"type": "image", "base64": PIXEL, "mime_type": "image/png"}]


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    chat = model(errand)
    if errand.get("format"):
        return await structured(chat, errand)
    tools = [tool(function, parse_docstring="Args:" in (function.__doc__ or "")) for function in TOOLS[errand["tools"]]]
    if errand.get("look"):
        tools = [tool("list_notes")(pictures)]
    if errand.get("choice"):
        answer = await chat.bind_tools(tools, tool_choice=errand["choice"]).ainvoke([said(errand["says"][0])])
        return {"calls": answer.tool_calls}
    agent = create_agent(chat, tools, system_prompt=SYSTEM, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    replies: list[str] = []
    usage: Any = None
    for say in errand["says"]:
        given: Any = {"messages": [said(say)]}
        if errand["stream"]:
            text = ""
            async for chunk, _ in agent.astream(given, thread, stream_mode="messages"):
                if chunk.type == "AIMessageChunk":
                    text += chunk.text
            state = (await agent.aget_state(thread)).values
            replies.append(text)
        else:
            state = await agent.ainvoke(given, thread)
            replies.append(state["messages"][-1].text)
        usage = state["messages"][-1].usage_metadata
    return {"replies": replies, "usage": usage}


async def structured(chat: Any, errand: dict[str, Any]) -> dict[str, Any]:
    bound = chat.with_structured_output(Report, method=errand["format"])
    if errand["stream"]:
        got = [partial async for partial in bound.astream([said(errand["says"][0])])][-1]
    else:
        got = await bound.ainvoke([said(errand["says"][0])])
    return {"value": got.model_dump() if isinstance(got, Report) else got}


serve(play)
