"""Counts of tokens that cannot be true: the round's end is kept all the same, and nothing is warned of."""

import sqlite3
from pathlib import Path

import httpx
import orjson
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, provider

from callgate.core.events import ExchangeEnded, FaultRaised, RoundEnded
from callgate.core.messages import MOST_TOKENS, token_count
from callgate.runtime.runtime import Launch

WILD = [2**63, 2**63 - 1, 2**64 - 1, -1, -(2**63), 1e300, -1e300, 0.5, True, "7", None, [], {}]
TOO_BIG = b"99999999999999999999999999999999"
PATHS = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/m:generateContent",
}
N = "a number"
OK_CHAT = {"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}
OK_TEXT = {"type": "output_text", "text": "ok", "annotations": []}
OK_ITEM = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [OK_TEXT]}
OK_PART = {"content": {"role": "model", "parts": [{"text": "ok"}]}, "finishReason": "STOP", "index": 0}
REPLIES = {
    "openai-chat": {
        "id": "c", "object": "chat.completion", "created": N, "model": "m", "choices": [OK_CHAT],
        "usage": {
            "prompt_tokens": N, "completion_tokens": N, "total_tokens": N,
            "prompt_tokens_details": {"cached_tokens": N}, "completion_tokens_details": {"reasoning_tokens": N},
        },
    },
    "openai-responses": {
        "id": "resp_1", "object": "response", "created_at": N, "status": "completed", "model": "m", "output": [OK_ITEM],
        "usage": {
            "input_tokens": N, "output_tokens": N, "total_tokens": N,
            "input_tokens_details": {"cached_tokens": N}, "output_tokens_details": {"reasoning_tokens": N},
        },
    },
    "anthropic": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "ok"}],
        "usage": {
            "input_tokens": N, "output_tokens": N, "cache_creation_input_tokens": N, "cache_read_input_tokens": N,
        },
    },
    "gemini": {
        "candidates": [OK_PART], "modelVersion": "m", "responseId": "r",
        "usageMetadata": {
            "promptTokenCount": N, "candidatesTokenCount": N, "totalTokenCount": N, "thoughtsTokenCount": N,
            "cachedContentTokenCount": N,
        },
    },
}  # fmt: skip
"""A whole reply of each wire, with a number in every place that has one."""


def reply(wire: str, count: bytes) -> Reply:
    body = orjson.dumps(REPLIES[wire]).replace(orjson.dumps(N), count)
    return Reply(body, content_type="application/json")


BODIES = {
    "openai-chat": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    "openai-responses": {"model": "m", "input": "hi"},
    "anthropic": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}


def ask(runtime: RunningStation, wire: str) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=10) as client:
        return client.post(f"{runtime.address}{PATHS[wire]}", json=BODIES[wire], headers={"x-api-key": "k"})


@pytest.mark.parametrize("client", ["openai-chat", "anthropic"])
@pytest.mark.parametrize("wire", BODIES)
def test_the_end_of_a_round_is_kept_whatever_its_usage_says(tmp_path: Path, wire: str, client: str) -> None:
    counts = [*(orjson.dumps(one) for one in WILD if isinstance(one, int | float)), TOO_BIG, b"1e999", b'"7"', b"[]"]
    script = [reply(wire, count) for count in counts]
    config = tmp_path / "callgate.toml"
    with provider(script[0]) as up:
        base = up.address if wire in ("anthropic", "gemini") else f"{up.address}/v1"
        config.write_text(f'[[upstreams]]\nname = "up"\nwire = "{wire}"\nbase_url = "{base}"\n', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            for scripted in script:
                up.replies[:] = [scripted]
                answer = ask(runtime, client)
                assert answer.status_code == 200 or b"e999" in scripted.body, (scripted.body, answer.text)
            ended = [event for event in runtime.events if isinstance(event, RoundEnded)]
            exchanges = [event for event in runtime.events if isinstance(event, ExchangeEnded)]
            assert not [event for event in runtime.events if isinstance(event, FaultRaised)]
    assert len(exchanges) == len(script)
    with sqlite3.connect(tmp_path / "data" / "callgate.db") as database:
        (kept,) = database.execute("SELECT count(*) FROM events WHERE kind = 'round_ended'").fetchone()
        (counted, most) = database.execute(
            "SELECT count(*), max(input) FROM statistics_rounds WHERE outcome = 'completed'"
        ).fetchone()
    database.close()
    assert kept == len(ended) and counted >= len(script) - 1
    assert 0 <= most <= MOST_TOKENS


@pytest.mark.parametrize("value", [value for value in WILD if value != 0.5])
def test_a_count_that_cannot_be_true_is_none(value: object) -> None:
    assert token_count(value) == 0  # type: ignore[arg-type]


def test_a_true_count_is_kept() -> None:
    assert token_count(7) == 7 and token_count(7.0) == 7 and token_count(MOST_TOKENS) == MOST_TOKENS
    assert token_count(float("nan")) == 0 and token_count(float("inf")) == 0
