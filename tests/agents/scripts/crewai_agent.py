"""CrewAI with one agent and one task over its own OpenAI, Anthropic and Gemini clients."""

from typing import Any

from conversation import SYSTEM, TOOLS, Report, serve
from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool

PROVIDERS = {"openai-chat": "openai", "openai-responses": "openai", "anthropic": "anthropic", "gemini": "gemini"}


def model(errand: dict[str, Any]) -> Any:
    wire, address = errand["wire"], errand["address"]
    given: dict[str, Any] = {"provider": PROVIDERS[wire], "api_key": "sk-of-the-client", "stream": errand["stream"]}
    if wire == "gemini":
        return LLM(model=errand["model"], client_params={"http_options": {"base_url": address}}, **given)
    base = address if wire == "anthropic" else f"{address}/v1"
    if wire == "openai-responses":
        given["api"] = "responses"
    if wire == "openai-chat":
        given["api"] = "completions"
    return LLM(model=errand["model"], base_url=base, max_retries=errand.get("retries", 0), **given)


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    tools = [tool(function.__name__)(function) for function in TOOLS[errand["tools"]]]
    agent = Agent(role="Helper", goal="Help", backstory=SYSTEM, llm=model(errand), tools=tools, verbose=False)
    replies: list[str] = []
    result: Any = None
    for say in errand["says"]:
        task = Task(description=say["text"], expected_output="An answer", agent=agent)
        if errand.get("format"):
            task.output_pydantic = Report
        result = await Crew(agents=[agent], tasks=[task], tracing=False).kickoff_async()
        replies.append(result.raw)
    value = result.pydantic.model_dump() if errand.get("format") else None
    return {"replies": replies, "value": value, "usage": str(result.token_usage)}


serve(play)
