"""A hundred calls wait at once and are decided in any order: every client gets an answer, nothing runs unasked.

The clients are the official packages of all four wires, half of them streaming; some of them hang up.
"""

import asyncio
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import errors as genai_errors
from google.genai.types import FinishReason
from tests.fakes.running import RunningStation, running

from callgate.core.calls.invocation import Decision, Invocation
from callgate.core.events import Event, ExchangeStarted, InvocationChanged, WireCaptured
from callgate.core.failure_notice import MARK
from callgate.runtime.runtime import Launch

CALLS = 100
HEADERS = {"x-callgate-tools": "all", "x-callgate-execution": "auto"}
WAYS = ("approve", "edit", "deny", "answer", "skip", "stop", "leave", "hang up")
HUNG_UP = "the client hung up"


class Decider:
    """Decides every waiting call in one of all possible ways, after all of them wait."""

    def __init__(self, runtime: RunningStation, hang_up: Callable[[int], None]) -> None:
        self._runtime = runtime
        self._hang_up = hang_up
        self._dice = random.Random(11)
        self._numbers: dict[str, int] = {}
        self.asked_last: dict[int, bytes] = {}
        """What the model was asked last, by the number of the question."""
        self.chosen: dict[str, str] = {}
        self.ran: set[str] = set()
        self.ended: dict[str, list[Invocation]] = {}

    def hear(self, event: Event) -> None:
        if isinstance(event, ExchangeStarted):
            [number] = re.findall(r"number (\d+)", event.fresh[-1].text)
            self._numbers[event.exchange_id] = int(number)
        if isinstance(event, WireCaptured) and event.leg == "upstream_request":
            self.asked_last[self._numbers[event.exchange_id]] = event.data
        if not isinstance(event, InvocationChanged):
            return
        invocation = event.invocation
        if invocation.state == "Executing":
            self.ran.add(invocation.id)
        if not invocation.is_live:
            self.ended.setdefault(invocation.id, []).append(invocation)
        if invocation.state == "WaitingForConfirmation":
            waiting = self._runtime.runtime.console.waiting()
            if len(waiting) == CALLS:
                self._runtime.runtime.tasks.start(self._decide_all(list(waiting)), "decide all")

    def number(self, invocation_id: str) -> int:
        return self._numbers[self.ended[invocation_id][0].exchange_id]

    async def _decide_all(self, waiting: list[Invocation]) -> None:
        self._dice.shuffle(waiting)
        for invocation in waiting:
            way = self._dice.choice(WAYS)
            self.chosen[invocation.id] = way
            console = self._runtime.runtime.console
            match way:
                case "edit":
                    console.decide(invocation.id, Decision("approve", arguments='{"path":"other.txt"}'), "test")
                case "answer":
                    console.decide(invocation.id, Decision("answer", result="by hand"), "test")
                case "stop":
                    console.stop(invocation.conversation_id)
                case "hang up":
                    self._hang_up(self._numbers[invocation.exchange_id])
                case "approve" | "deny" | "skip":
                    console.decide(invocation.id, Decision(way), "test")
                case _:
                    pass  # nobody decides it: the deadline does
            await asyncio.sleep(0)


class Clients:
    """One asynchronous client of each package."""

    def __init__(self, address: str) -> None:
        self._openai = openai.AsyncOpenAI(
            base_url=f"{address}/v1", api_key="k", max_retries=0, timeout=90, default_headers=HEADERS
        )
        self._anthropic = anthropic.AsyncAnthropic(
            base_url=address, api_key="k", max_retries=0, timeout=90, default_headers=HEADERS
        )
        options: Any = {"base_url": address, "headers": HEADERS, "timeout": 90_000}
        self._google = genai.Client(api_key="k", http_options=options)

    async def close(self) -> None:
        await self._openai.close()
        await self._anthropic.close()
        await self._google.aio.aclose()
        self._google.close()

    async def answer(self, number: int) -> str:
        """All text of the reply to one question; every wire in turn, streamed and plain."""
        question, stream = f"#read_file Read notes.txt for number {number}", number % 8 < 4
        said: list[Any] = [{"role": "user", "content": question}]
        try:
            match number % 4:
                case 0:
                    return await self._chat(said, stream)
                case 1:
                    return await self._responses(question, stream)
                case 2:
                    return await self._messages(said, stream)
                case _:
                    return await self._generate(question, stream)
        except (openai.APIError, anthropic.APIError, genai_errors.APIError) as stopped:
            return f"error: {stopped}"

    async def _chat(self, said: list[Any], stream: bool) -> str:
        if not stream:
            done = await self._openai.chat.completions.create(model="m", messages=said)
            [choice] = done.choices
            return _told(choice.message.content, stopped=choice.finish_reason == "content_filter")
        async with self._openai.chat.completions.stream(model="m", messages=said) as events:
            return (await events.get_final_completion()).choices[0].message.content or ""

    async def _responses(self, question: str, stream: bool) -> str:
        if not stream:
            response = await self._openai.responses.create(model="m", input=question)
            return _told(response.output_text, stopped=response.status == "failed")
        async with self._openai.responses.stream(model="m", input=question) as events:
            async for event in events:
                if event.type in ("response.failed", "error"):
                    return f"error: {event}"
            return (await events.get_final_response()).output_text

    async def _messages(self, said: list[Any], stream: bool) -> str:
        if not stream:
            message = await self._anthropic.messages.create(model="m", max_tokens=999, messages=said)
        else:
            async with self._anthropic.messages.stream(model="m", max_tokens=999, messages=said) as events:
                message = await events.get_final_message()
        text = "".join(block.text for block in message.content if block.type == "text")
        return _told(text, stopped=message.stop_reason == "refusal")

    async def _generate(self, question: str, stream: bool) -> str:
        models = self._google.aio.models
        if not stream:
            generated = await models.generate_content(model="m", contents=question)
            [candidate] = generated.candidates or ()
            return _told(generated.text, stopped=candidate.finish_reason == FinishReason.OTHER)
        chunks = await models.generate_content_stream(model="m", contents=question)
        return "".join([chunk.text or "" async for chunk in chunks])


def _told(text: str | None, *, stopped: bool) -> str:
    """What a program makes of a plain answer: by how it ended, it knows one that is none."""
    assert stopped == (text or "").startswith(MARK), "words and end say the same"
    return f"error: {text}" if stopped else text or ""


async def all_answers(address: str, hang_ups: dict[int, Callable[[], None]]) -> list[str]:
    clients = Clients(address)
    loop = asyncio.get_running_loop()
    tasks = [asyncio.ensure_future(clients.answer(number)) for number in range(CALLS)]
    for number, task in enumerate(tasks):
        hang_ups[number] = lambda task=task: loop.call_soon_threadsafe(task.cancel)  # type: ignore[misc]
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    await clients.close()
    return [HUNG_UP if isinstance(answer, asyncio.CancelledError) else str(answer) for answer in answers]


@pytest.mark.timeout(150)
def test_a_hundred_waiting_calls_decided_in_any_order_all_end_well(tmp_path: Path) -> None:
    for name in ("notes.txt", "other.txt"):
        (tmp_path / name).write_text(f"content of {name}\n", "utf-8")
    config = tmp_path / "callgate.toml"
    config.write_text('[server]\nrate_limit = ""\n[gate]\ndeadline_seconds = 15\n', "utf-8")

    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        hang_ups: dict[int, Callable[[], None]] = {}
        decider = Decider(runtime, lambda number: hang_ups[number]())
        runtime.do(lambda: runtime.runtime.bus.subscribe(decider.hear))
        answers = asyncio.run(asyncio.wait_for(all_answers(runtime.address, hang_ups), 120))
        runtime.wait_for(lambda _: True if len(decider.ended) == CALLS else None)

    assert len(answers) == CALLS and all(answers)
    assert set(decider.chosen.values()) == set(WAYS) and len(decider.chosen) == CALLS
    for invocation_id, way in decider.chosen.items():
        number = decider.number(invocation_id)
        said = answers[number]
        assert (said == HUNG_UP) == (way == "hang up")
        assert (said.startswith("error:") and "stopped by the person" in said.lower()) == (way == "stop")
        assert ("content of notes.txt" in said) == (way == "approve")
        assert ("content of other.txt" in said) == (way == "edit")
        assert ("by hand" in said) == (way == "answer")
        [ended] = decider.ended[invocation_id]
        assert (invocation_id in decider.ran) == (way in ("approve", "edit"))
        assert (ended.result is not None) == (way not in ("stop", "hang up"))
        results = [
            message for message in json.loads(decider.asked_last[number])["messages"] if message["role"] == "tool"
        ]
        if ended.result is None:
            assert not results, "nobody was told anything of it"
            continue
        [told] = results
        assert told["tool_call_id"] == ended.call_id == ended.result.call_id
        assert ended.result.text in told["content"], "the model was told what the journal holds, once"
        assert (way in ("deny", "skip", "leave")) == ended.refused
        assert not ended.refused or "not run" in told["content"]
