"""Simon Willison's `llm`, from Python, with a model as `extra-openai-models.yaml` describes one."""

from typing import Any

from conversation import SYSTEM, TOOLS, serve
from llm.default_plugins.openai_models import AsyncChat


async def play(errand: dict[str, Any]) -> dict[str, Any]:
    model = AsyncChat(
        model_id=errand["model"],
        model_name=errand["model"],
        api_base=f"{errand['address']}/v1",
        supports_tools=True,
        supports_schema=True,
        vision=True,
        reasoning=errand["thinks"],
        can_stream=True,
    )
    model.key = "sk-of-the-client"
    conversation = model.conversation(tools=TOOLS[errand["tools"]])
    options = {"reasoning_effort": "medium"} if errand["thinks"] else {}
    replies: list[str] = []
    for say in errand["says"]:
        chain = conversation.chain(say["text"], system=SYSTEM, stream=errand["stream"], options=options)
        replies.append(await chain.text())
    return {"replies": replies}


serve(play)
