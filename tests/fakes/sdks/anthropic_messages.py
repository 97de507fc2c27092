"""An application on `anthropic.messages`, with thinking."""

from typing import Any

import anthropic
from tests.fakes.providers import scene
from tests.fakes.sdks.heard import Called, Heard, Tokens

TOOLS: list[Any] = [
    {"name": name, "description": f"Use {name}", "input_schema": schema}
    for name, schema in ((scene.WEATHER, scene.WEATHER_SCHEMA), (scene.NOTE, scene.NOTE_SCHEMA))
]
ADAPTIVE = {"type": "adaptive", "display": "summarized"}
BUDGET = {"type": "enabled", "budget_tokens": 2048}


class MessagesAgent:
    finishes = ("tool_use", "end_turn")
    reply_prefix = "msg_"

    def __init__(self, address: str, model: str, *, stream: bool, **options: Any) -> None:
        self.sdk = anthropic.Anthropic(base_url=address, api_key="sk-of-the-client", max_retries=0, timeout=10)
        self._model = model
        self._stream = stream
        self._options = {"tools": TOOLS, "system": "Be brief.", "max_tokens": 8192, "thinking": ADAPTIVE, **options}
        self._messages: list[Any] = []

    def say(self, text: str) -> Heard:
        self._messages.append({"role": "user", "content": text})
        return self._ask()

    def give(self, results: dict[str, str]) -> Heard:
        blocks = [
            {"type": "tool_result", "tool_use_id": call_id, "content": result} for call_id, result in results.items()
        ]
        self._messages.append({"role": "user", "content": blocks})
        return self._ask()

    def turn_to(self, model: str) -> None:
        self._model = model

    def forget(self) -> None:
        self._messages = []

    def close(self) -> None:
        self.sdk.close()

    def _ask(self) -> Heard:
        asked = {"model": self._model, "messages": self._messages, **self._options}
        if self._stream:
            with self.sdk.messages.stream(**asked) as events:
                message: Any = events.get_final_message()
        else:
            message = self.sdk.messages.create(**asked)
        self._messages.append({"role": "assistant", "content": message.content})
        usage = message.usage
        details = usage.output_tokens_details
        return Heard(
            message.id,
            "".join(block.text for block in message.content if block.type == "text"),
            "".join(block.thinking for block in message.content if block.type == "thinking"),
            tuple(
                Called(block.id, block.name, dict(block.input)) for block in message.content if block.type == "tool_use"
            ),
            message.stop_reason,
            Tokens(
                usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
                usage.cache_read_input_tokens,
                usage.output_tokens,
                details.thinking_tokens if details else None,
            ),
        )
