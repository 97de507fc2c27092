"""What a long history costs the loop that the window lives on: from the client's bytes to the provider's, all of it.

An agent sends its whole history with every turn. Counted is the processor time of the loop's own thread: what is done
beside it keeps nobody waiting.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import orjson
import pytest
from tests.bench.test_translation import TOOLS, WIRES, history
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Asked, Reply, serving
from tests.fakes.translating import MODELS, Stage

from callgate.core.messages import Message, say
from callgate.core.request import ChatRequest, WireName
from callgate.wire.dialects import PLAIN
from callgate.wire.registry import CODECS

pytestmark = [pytest.mark.bench, pytest.mark.timeout(180)]

MESSAGES = 3_000
MOST_LOOP_MS = 50
"""The window may stand still no longer than that."""
REPEATS = 3
MODEL = MODELS["openai-chat"]
PATHS: dict[WireName, str] = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "gemini": f"/v1beta/models/{MODEL}:streamGenerateContent?alt=sse",
}
HEAD = b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":'
ANSWER = (
    HEAD
    + b'{"role":"assistant","content":"ok"},"finish_reason":null}]}\n\n'
    + HEAD
    + b'{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
)


class Brief(Recorder):
    """Has one short answer to everything."""

    def answer(self, asked: Asked) -> Reply:
        return Reply(ANSWER)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    service = Brief("openai-chat")
    with serving(service):
        opened = Stage(tmp_path, {service.wire: service}, '[gate]\nclient_tools = "ask"\n')
        with opened.open():
            yield opened


def body(wire: WireName, messages: tuple[Message, ...]) -> bytes:
    request = ChatRequest(wire, MODEL, messages, TOOLS, stream=True, include_usage=True)
    return orjson.dumps(CODECS[wire].write_request(request, PLAIN).body)


def loop_ms(stage: Stage, client: httpx.Client, wire: WireName, agent: str, messages: tuple[Message, ...]) -> float:
    content = body(wire, messages)
    before = stage.runtime.do(time.thread_time)
    answer = client.post(
        stage.address + PATHS[wire],
        content=content,
        headers={"content-type": "application/json", "user-agent": agent},
    )
    spent = stage.runtime.do(time.thread_time) - before
    assert answer.status_code == 200, answer.text
    return spent * 1000


def test_a_turn_of_a_long_conversation_does_not_hold_up_the_loop(stage: Stage) -> None:
    said = history(MESSAGES)
    print("\non the loop's thread, to openai-chat")
    print(f"{'client':18}{'messages':>9}{'first turn ms':>15}{'next turn ms':>14}")
    worst = 0.0
    with httpx.Client(trust_env=False, timeout=60) as client:
        for wire in WIRES:
            firsts: list[float] = []
            nexts: list[float] = []
            for number in range(REPEATS):
                agent = f"{wire}-{number}/1"  # each begins a conversation of its own
                asked = (*said, say("user", "go"))
                firsts.append(loop_ms(stage, client, wire, agent, asked))
                asked = (*asked, say("assistant", "ok"), say("user", "go on"))
                nexts.append(loop_ms(stage, client, wire, agent, asked))
            worst = max(worst, min(firsts), min(nexts))
            print(f"{wire:18}{MESSAGES:9,}{min(firsts):15.1f}{min(nexts):14.1f}")
    assert worst < MOST_LOOP_MS
