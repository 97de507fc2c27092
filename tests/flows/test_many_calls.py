"""A hundred calls wait at once and are decided in any order: every client gets an answer, nothing runs unasked."""

import asyncio
import random
from pathlib import Path

import openai
import pytest
from tests.fakes.running import RunningStation, running

from callgate.core.events import Event, InvocationChanged
from callgate.core.invocation import Decision, Invocation
from callgate.station import Launch

CALLS = 100
AUTO = {"use_tools": True, "tool_execution": "auto"}


class Decider:
    """Decides every waiting call in one of all possible ways, after all of them wait."""

    def __init__(self, station: RunningStation) -> None:
        self._station = station
        self._dice = random.Random(11)
        self.chosen: dict[str, str] = {}
        self.ran: set[str] = set()
        self.ended: dict[str, list[Invocation]] = {}

    def hear(self, event: Event) -> None:
        if not isinstance(event, InvocationChanged):
            return
        invocation = event.invocation
        if invocation.state == "Executing":
            self.ran.add(invocation.id)
        if not invocation.is_live:
            self.ended.setdefault(invocation.id, []).append(invocation)
        if invocation.state == "WaitingForConfirmation":
            waiting = self._station.station.console.waiting()
            if len(waiting) == CALLS:
                self._station.station.tasks.start(self._decide_all(list(waiting)), "decide all")

    async def _decide_all(self, waiting: list[Invocation]) -> None:
        self._dice.shuffle(waiting)
        for invocation in waiting:
            way = self._dice.choice(["approve", "edit", "deny", "answer", "skip", "stop", "leave"])
            self.chosen[invocation.id] = way
            console = self._station.station.console
            match way:
                case "edit":
                    console.decide(invocation.id, Decision("approve", arguments='{"path":"other.txt"}'), "test")
                case "answer":
                    console.decide(invocation.id, Decision("answer", result="by hand"), "test")
                case "stop":
                    console.stop(invocation.conversation_id)
                case "leave":
                    pass  # nobody decides it: the deadline does
                case "approve" | "deny" | "skip":
                    console.decide(invocation.id, Decision(way), "test")
            await asyncio.sleep(0)


@pytest.mark.timeout(120)
def test_a_hundred_waiting_calls_decided_in_any_order_all_end_well(tmp_path: Path) -> None:
    for name in ("notes.txt", "other.txt"):
        (tmp_path / name).write_text(f"content of {name}\n", "utf-8")
    config = tmp_path / "callgate.toml"
    config.write_text('[server]\nrate_limit = ""\n[gate]\ndeadline_seconds = 15\n', "utf-8")

    async def one(sdk: openai.AsyncOpenAI, number: int) -> str:
        stream = await sdk.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": f"Read notes.txt for number {number}"}],
            stream=True,
            extra_body=AUTO,
        )
        try:
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])
        except openai.APIError as stopped:
            return f"error: {stopped.message}"

    async def all_of_them(address: str) -> list[str]:
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0, timeout=90) as sdk:
            return await asyncio.gather(*(one(sdk, number) for number in range(CALLS)))

    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as station:
        decider = Decider(station)
        station.do(lambda: station.station.bus.subscribe(decider.hear))
        answers = asyncio.run(asyncio.wait_for(all_of_them(station.address), 100))
        station.wait_for(lambda _: True if len(decider.ended) == CALLS else None)

    assert len(answers) == CALLS and all(answers)
    ways = decider.chosen.values()
    assert sum(answer.startswith("error:") for answer in answers) == sum(way == "stop" for way in ways)
    assert sum("content of notes.txt" in answer for answer in answers) == sum(way == "approve" for way in ways)
    assert sum("content of other.txt" in answer for answer in answers) == sum(way == "edit" for way in ways)
    assert sum("by hand" in answer for answer in answers) == sum(way == "answer" for way in ways)
    for invocation_id, way in decider.chosen.items():
        [ended] = decider.ended[invocation_id]
        assert (invocation_id in decider.ran) == (way in ("approve", "edit"))
        assert (ended.result is not None) == (way != "stop")
