"""An application on `openai.responses`, which keeps its own history (`store: false`)."""

import json
from typing import Any

import openai
from tests.fakes.providers import scene
from tests.fakes.sdks.heard import Called, Heard, ReplyFailed, Tokens

TOOLS: list[Any] = [
    {"type": "function", "name": name, "description": f"Use {name}", "parameters": schema, "strict": False}
    for name, schema in ((scene.WEATHER, scene.WEATHER_SCHEMA), (scene.NOTE, scene.NOTE_SCHEMA))
]
STATELESS: dict[str, Any] = {
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"effort": "medium", "summary": "auto"},
}


class ResponsesAgent:
    finishes = ("completed", "completed")
    reply_prefix = "resp_"

    def __init__(self, address: str, model: str, *, stream: bool, **options: Any) -> None:
        self.sdk = openai.OpenAI(base_url=f"{address}/v1", api_key="sk-of-the-client", max_retries=0, timeout=10)
        self._model = model
        self._stream = stream
        self._options = {"tools": TOOLS, "instructions": "Be brief.", **STATELESS, **options}
        self._input: list[Any] = []

    def say(self, text: str) -> Heard:
        self._input.append({"role": "user", "content": text})
        return self._ask()

    def give(self, results: dict[str, str]) -> Heard:
        for call_id, result in results.items():
            self._input.append({"type": "function_call_output", "call_id": call_id, "output": result})
        return self._ask()

    def turn_to(self, model: str) -> None:
        self._model = model

    def forget(self) -> None:
        self._input = []

    def close(self) -> None:
        self.sdk.close()

    def _ask(self) -> Heard:
        asked = {"model": self._model, "input": self._input, **self._options}
        if self._stream:
            with self.sdk.responses.stream(**asked) as events:
                for event in events:
                    if event.type == "response.failed":
                        raise ReplyFailed(event.response.error.message)
                response: Any = events.get_final_response()
        else:
            response = self.sdk.responses.create(**asked)
        self._input += [item.model_dump(exclude_none=True) for item in response.output]
        usage = response.usage
        return Heard(
            response.id,
            response.output_text,
            "".join(part.text for item in response.output if item.type == "reasoning" for part in item.summary),
            tuple(
                Called(item.call_id, item.name, json.loads(item.arguments))
                for item in response.output
                if item.type == "function_call"
            ),
            response.status,
            Tokens(
                usage.input_tokens,
                usage.input_tokens_details.cached_tokens,
                usage.output_tokens,
                usage.output_tokens_details.reasoning_tokens,
            ),
        )
