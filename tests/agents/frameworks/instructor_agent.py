"""Instructor over the official packages, in each of its modes."""

from typing import Any

import instructor
from anthropic import AsyncAnthropic
from framework import SYSTEM, Report, serve
from google import genai
from openai import AsyncOpenAI


def client(errand: dict[str, Any]) -> Any:
    wire, address = errand["wire"], errand["address"]
    mode = instructor.Mode[errand["format"]]
    retries = errand.get("retries", 0)
    if wire == "anthropic":
        return instructor.from_anthropic(
            AsyncAnthropic(base_url=address, api_key="sk-of-the-client", max_retries=retries), mode=mode
        )
    if wire == "gemini":
        given = genai.Client(api_key="sk-of-the-client", http_options={"base_url": address})
        return instructor.from_genai(given, mode=mode, use_async=True)
    openai = AsyncOpenAI(base_url=f"{address}/v1", api_key="sk-of-the-client", max_retries=retries)
    return instructor.from_openai(openai, mode=mode)


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": errand["says"][0]["text"]}]
    given: dict[str, Any] = {"model": errand["model"], "messages": messages, "response_model": Report, "max_retries": 1}
    if errand["wire"] == "anthropic":
        given["max_tokens"] = 4096
    asks = client(errand)
    if errand["stream"]:
        got = None
        async for got in asks.create_partial(**given):  # noqa: B007 - the last one counts
            pass
    else:
        got = await asks.create(**given)
    return {"value": got.model_dump()}


serve(play)
