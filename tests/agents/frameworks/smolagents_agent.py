"""smolagents' tool-calling agent: results go back as words of the user, and `final_answer` is a tool."""

import asyncio
from typing import Any

from framework import find_note, get_weather, serve
from smolagents import OpenAIModel, Tool, ToolCallingAgent


class Weather(Tool):
    name = "get_weather"
    description = "Use get_weather"
    inputs = {  # noqa: RUF012 - how the framework wants it
        "city": {"type": "string", "description": "A town’s name"},
        "options": {"type": "object", "description": "How to tell it"},
    }
    output_type = "string"

    def forward(self, city: str, options: dict) -> str:  # type: ignore[type-arg]
        return get_weather(city, options)  # type: ignore[arg-type]


class Note(Tool):
    name = "find_note"
    description = "Use find_note"
    inputs = {  # noqa: RUF012 - how the framework wants it
        "query": {"type": "string", "description": "What to look for"},
        "limit": {"type": "integer", "description": "How many"},
        "tags": {"type": "array", "items": {"type": "string"}, "description": "Of the note"},
    }
    output_type = "string"

    def forward(self, query: str, limit: int, tags: list) -> str:  # type: ignore[type-arg]
        return find_note(query, limit, tags)


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    effort = {"reasoning_effort": "medium"} if errand["thinks"] else {}
    model = OpenAIModel(
        errand["model"],
        api_base=f"{errand['address']}/v1",
        api_key="sk-of-the-client",
        client_kwargs={"max_retries": errand.get("retries", 0)},
        **effort,
    )
    agent = ToolCallingAgent(
        [Weather(), Note()], model, stream_outputs=errand["stream"], max_steps=4, verbosity_level=0
    )
    replies: list[str] = []
    for number, say in enumerate(errand["says"]):
        reply = await asyncio.to_thread(agent.run, say["text"], reset=number == 0)
        replies.append(str(reply))
    return {"replies": replies}


serve(play)
