"""A gate mode that is over is told to everybody."""

import asyncio
from pathlib import Path

from callgate.core.events import Event, GateChanged
from callgate.core.gate_mode import GateMode
from callgate.engine.bus import Bus
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.mode_clock import ModeClock
from callgate.engine.tasks import Tasks
from callgate.store.rulebook import Rulebook


def test_it_falls_back_when_its_time_is_over_and_a_newer_choice_stays(tmp_path: Path) -> None:
    async def run() -> list[str]:
        bus, now = Bus(), [100.0]
        tasks = Tasks(bus)
        gate = Gate(bus, Rulebook(tmp_path / "rules.toml"), GateConduct(), lambda _call, _text: "", lambda: now[0])
        ModeClock(bus, gate, tasks, lambda: now[0])
        heard: list[Event] = []
        bus.subscribe(heard.append)
        gate.set_mode(GateMode("observe", 100.02))
        async with asyncio.timeout(5):
            while len(heard) < 2:
                await asyncio.sleep(0.005)
        gate.set_mode(GateMode("observe", 100.02))
        gate.set_mode(GateMode("ask"))
        await asyncio.sleep(0.05)
        assert gate.mode.kind == "ask"
        await tasks.close()
        return [event.mode.kind for event in heard if isinstance(event, GateChanged)]

    assert asyncio.run(run()) == ["observe", "rules", "observe", "ask"]
