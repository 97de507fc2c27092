"""One history, several servers of one wire: each gets of the others' thinking what its own rules want, and all else
as it came."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Asked, Reply, serving, whole
from tests.fakes.translating import Stage

ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}],
}
THOUGHT = {"role": "assistant", "content": "a", "reasoning_content": "hm", "x_mood": "good"}
PLAIN = {"role": "assistant", "content": "b"}


class Server(Recorder):
    def __init__(self) -> None:
        super().__init__("openai-chat")
        self.heard: list[Asked] = []

    def answer(self, asked: Asked) -> Reply:
        self.heard.append(asked)
        return whole(ANSWER)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Stage, Server]]:
    server = Server()
    with serving(server):
        config = "".join(
            f'[[upstreams]]\nname = "{name or "unknown"}"\nwire = "openai-chat"\nbase_url = "{server.address}/v1"\n'
            f'models = ["of-{name}"]\ndialect = "{name}"\n'
            for name in ("", "openai", "deepseek", "ollama")
        )
        stage = Stage(tmp_path, {}, config)
        with stage.open():
            yield stage, server


def ask(stage: Stage, model: str, *history: dict[str, Any]) -> httpx.Response:
    messages = [message for said in history for message in ({"role": "user", "content": "q"}, said)]
    body = {"model": model, "messages": [*messages, {"role": "user", "content": "now"}], "x_future": 1}
    answer = httpx.post(f"{stage.address}/v1/chat/completions", json=body, timeout=10, trust_env=False)
    assert answer.status_code == 200, answer.text
    return answer


def test_a_server_that_wants_thinking_back_gets_it_for_every_turn(served: tuple[Stage, Server]) -> None:
    stage, server = served
    ask(stage, "of-deepseek", THOUGHT, PLAIN)
    turns = [m for m in server.heard[0].body["messages"] if m["role"] == "assistant"]
    assert turns == [THOUGHT, {**PLAIN, "reasoning_content": ""}]
    assert server.heard[0].body["x_future"] == 1


def test_a_server_without_a_word_for_thinking_gets_none_and_the_client_is_told(served: tuple[Stage, Server]) -> None:
    stage, server = served
    answer = ask(stage, "of-openai", THOUGHT, PLAIN)
    turns = [m for m in server.heard[0].body["messages"] if m["role"] == "assistant"]
    assert turns == [{key: value for key, value in THOUGHT.items() if key != "reasoning_content"}, PLAIN]
    assert "thinking" in answer.headers["x-callgate-warnings"]


@pytest.mark.parametrize("model", ["of-", "of-ollama"])
def test_others_get_the_very_bytes(served: tuple[Stage, Server], model: str) -> None:
    stage, server = served
    request = ask(stage, model, THOUGHT, PLAIN).request
    assert server.heard[0].raw == request.content
