"""An application on `google.genai`, which runs its functions itself."""

import json
from typing import Any

from google import genai
from google.genai import types
from tests.fakes.providers import scene
from tests.fakes.sdks.heard import Called, Heard, Tokens

TOOLS: list[Any] = [
    types.Tool(
        function_declarations=[
            types.FunctionDeclaration(name=name, description=f"Use {name}", parameters_json_schema=schema)
            for name, schema in ((scene.WEATHER, scene.WEATHER_SCHEMA), (scene.NOTE, scene.NOTE_SCHEMA))
        ]
    )
]


class GenaiAgent:
    finishes = ("STOP", "STOP")
    reply_prefix = ""

    def __init__(
        self,
        address: str,
        model: str,
        *,
        stream: bool,
        headers: dict[str, str] | None = None,
        piecewise: bool = False,
        **options: Any,
    ) -> None:
        """`piecewise`: keeps one content for each chunk, as the package's own chats do; else the parts as one turn."""
        self.sdk = genai.Client(
            api_key="sk-of-the-client",
            http_options=types.HttpOptions(base_url=address, timeout=10_000, headers=headers),
        )
        self._model = model
        self._stream = stream
        self._piecewise = piecewise
        self._config = types.GenerateContentConfig(
            **{
                "tools": TOOLS,
                "system_instruction": "Be brief.",
                "thinking_config": types.ThinkingConfig(include_thoughts=True, thinking_level="MEDIUM"),
                "automatic_function_calling": types.AutomaticFunctionCallingConfig(disable=True),
                **options,
            }
        )
        self._contents: list[Any] = []
        self._called: dict[str, Any] = {}

    def say(self, text: str) -> Heard:
        self._contents.append(types.Content(role="user", parts=[types.Part(text=text)]))
        return self._ask()

    def give(self, results: dict[str, str]) -> Heard:
        parts = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=self._called[call_id].id, name=self._called[call_id].name, response={"output": result}
                )
            )
            for call_id, result in results.items()
        ]
        self._contents.append(types.Content(role="user", parts=parts))
        return self._ask()

    def turn_to(self, model: str) -> None:
        self._model = model

    def forget(self) -> None:
        self._contents = []

    def close(self) -> None:
        self.sdk.close()

    def _ask(self) -> Heard:
        asked = {"model": self._model, "contents": self._contents, "config": self._config}
        if self._stream:
            chunks = list(self.sdk.models.generate_content_stream(**asked))
        else:
            chunks = [self.sdk.models.generate_content(**asked)]
        contents = [c.content for chunk in chunks for c in chunk.candidates or () if c.content and c.content.parts]
        parts = _joined([part for content in contents for part in content.parts])
        self._contents += contents if self._piecewise else [types.Content(role="model", parts=parts)]
        calls = [part.function_call for part in parts if part.function_call]
        # older models know no ids
        self._called |= {call.id or call.name: call for call in calls}
        last = chunks[-1]
        usage = last.usage_metadata
        return Heard(
            last.response_id,
            "".join(part.text for part in parts if part.text and not part.thought),
            "".join(part.text for part in parts if part.text and part.thought),
            tuple(Called(call.id or call.name, call.name, json.loads(json.dumps(call.args))) for call in calls),
            last.candidates[0].finish_reason.value,
            Tokens(
                usage.prompt_token_count,
                usage.cached_content_token_count or 0,
                usage.candidates_token_count + (usage.thoughts_token_count or 0),
                usage.thoughts_token_count,
            ),
        )


def _joined(parts: list[Any]) -> list[Any]:
    """Neighbouring pieces of text as one part, as applications keep them; what is signed stays by itself."""
    joined: list[Any] = []
    for part in parts:
        before = joined[-1] if joined else None
        if part.text == "" and not part.thought_signature:
            continue
        if (
            before is not None
            and part.text
            and before.text
            and part.thought == before.thought
            and not part.thought_signature
            and not before.thought_signature
        ):
            joined[-1] = before.model_copy(update={"text": before.text + part.text})
        else:
            joined.append(part)
    return joined
