"""OpenAI Chat with a guard: lists its models and answers only whoever brings the right key."""

from tests.fakes.providers.openai_chat import OpenAIChatService
from tests.fakes.providers.service import Asked, Reply, whole


class KeyedChatService(OpenAIChatService):
    def __init__(self, key: str, models: tuple[str, ...] = ("gpt-4.1", "gpt-4.1-mini", "whisper-1")) -> None:
        super().__init__()
        self.key, self.models = key, models

    def respond(self, asked: Asked) -> Reply:
        if asked.headers.get("authorization") != f"Bearer {self.key}":
            self.asked.append(asked)
            wrong = {
                "message": "Incorrect API key provided.",
                "type": "invalid_request_error",
                "code": "invalid_api_key",
            }
            return whole({"error": wrong}, 401)
        if asked.method == "GET":
            self.asked.append(asked)
            return whole({"object": "list", "data": [{"id": model, "object": "model"} for model in self.models]})
        return super().respond(asked)
