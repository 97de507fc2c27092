"""An application on `ollama.Client.chat`, which keeps messages as the official package gives them."""

import itertools
from typing import Any

import ollama
from tests.fakes.sdks.heard import Called, Heard, Tokens
from tests.fakes.sdks.openai_chat import TOOLS

SYSTEM = {"role": "system", "content": "Be brief."}


class OllamaAgent:
    """Calls have no ids in this package: those given here are the application's own."""

    finishes = ("stop", "stop")
    reply_prefix = ""

    def __init__(self, address: str, model: str, *, stream: bool, **options: Any) -> None:
        self.sdk = ollama.Client(address, timeout=10, headers={"authorization": "Bearer sk-of-the-client"})
        self._model = model
        self._stream = stream
        self._options = {"tools": TOOLS, **options}
        self._messages: list[Any] = [SYSTEM]
        self._names: dict[str, str] = {}
        self._numbers = itertools.count(1)

    def say(self, text: str) -> Heard:
        self._messages.append({"role": "user", "content": text})
        return self._ask()

    def give(self, results: dict[str, str]) -> Heard:
        for call_id, result in results.items():
            self._messages.append({"role": "tool", "tool_name": self._names[call_id], "content": result})
        return self._ask()

    def turn_to(self, model: str) -> None:
        self._model = model

    def forget(self) -> None:
        self._messages = [SYSTEM]

    def close(self) -> None:
        self.sdk._client.close()

    def _ask(self) -> Heard:
        asked: dict[str, Any] = {"model": self._model, "messages": self._messages, **self._options}
        chunks = list(self.sdk.chat(**asked, stream=True)) if self._stream else [self.sdk.chat(**asked, stream=False)]
        last = chunks[-1]
        assert last.done and not any(chunk.done for chunk in chunks[:-1])
        text = "".join(chunk.message.content or "" for chunk in chunks)
        thinking = "".join(chunk.message.thinking or "" for chunk in chunks)
        calls = [call for chunk in chunks for call in chunk.message.tool_calls or ()]
        self._messages.append(
            ollama.Message(role="assistant", content=text, thinking=thinking or None, tool_calls=calls or None)
        )
        called = [
            Called(f"own_{next(self._numbers)}", call.function.name, dict(call.function.arguments)) for call in calls
        ]
        self._names |= {call.id: call.name for call in called}
        tokens = Tokens(last.prompt_eval_count or 0, 0, last.eval_count or 0, None)
        return Heard("", text, thinking, tuple(called), last.done_reason or "", tokens)
