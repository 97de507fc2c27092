"""An application on `openai.chat.completions`."""

import json
from typing import Any

import openai
from tests.fakes.providers import scene
from tests.fakes.sdks.heard import Called, Heard, Tokens

TOOLS: list[Any] = [
    {"type": "function", "function": {"name": name, "description": f"Use {name}", "parameters": schema}}
    for name, schema in ((scene.WEATHER, scene.WEATHER_SCHEMA), (scene.NOTE, scene.NOTE_SCHEMA))
]
SYSTEM = {"role": "system", "content": "Be brief."}


class ChatAgent:
    finishes = ("tool_calls", "stop")
    reply_prefix = "chatcmpl-"

    def __init__(self, address: str, model: str, *, stream: bool, **options: Any) -> None:
        self.sdk = openai.OpenAI(base_url=f"{address}/v1", api_key="sk-of-the-client", max_retries=0, timeout=10)
        self._model = model
        self._stream = stream
        self._options = {"tools": TOOLS, **options}
        self._messages: list[Any] = [SYSTEM]

    def say(self, text: str) -> Heard:
        self._messages.append({"role": "user", "content": text})
        return self._ask()

    def give(self, results: dict[str, str]) -> Heard:
        for call_id, result in results.items():
            self._messages.append({"role": "tool", "tool_call_id": call_id, "content": result})
        return self._ask()

    def turn_to(self, model: str) -> None:
        self._model = model

    def forget(self) -> None:
        self._messages = [SYSTEM]

    def close(self) -> None:
        self.sdk.close()

    def _ask(self) -> Heard:
        asked = {"model": self._model, "messages": self._messages, **self._options}
        if self._stream:
            with self.sdk.chat.completions.stream(**asked, stream_options={"include_usage": True}) as events:
                completion: Any = events.get_final_completion()
        else:
            completion = self.sdk.chat.completions.create(**asked)
        message = completion.choices[0].message
        self._messages.append(message.model_dump(exclude_none=True))
        usage = completion.usage
        return Heard(
            completion.id,
            message.content or "",
            getattr(message, "reasoning_content", None) or "",
            tuple(
                Called(call.id, call.function.name, json.loads(call.function.arguments))
                for call in message.tool_calls or ()
            ),
            completion.choices[0].finish_reason,
            Tokens(
                usage.prompt_tokens,
                usage.prompt_tokens_details.cached_tokens,
                usage.completion_tokens,
                usage.completion_tokens_details.reasoning_tokens,
            ),
        )
