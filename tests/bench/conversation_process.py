"""A process of its own that opens, scrolls and streams into a conversation of 10,000 blocks, and prints what it took.

Run as a program: memory counts only for a process that has done nothing else. Times are of the main thread's CPU, so
that a busy machine does not count.
"""

import asyncio
import gc
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import qasync
from PySide6.QtWidgets import QApplication
from tests.fakes.console import FakeConsole
from tests.fakes.conversation_service import FakeConversationService

from callgate.core.calls.invocation import Allow, ArgumentsComplete, Invocation, Phase, Return, advance
from callgate.core.deltas import TextDelta
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
)
from callgate.core.messages import Message, Text, ToolCall, ToolResult, Usage, say
from callgate.engine.console.conversation_service import Story
from callgate.engine.tasks import Tasks
from callgate.store.database import Database
from callgate.store.event_json import read_event, write_event
from callgate.store.journal import Journal
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.panel import ConversationPanel
from callgate.ui.theme.theme import Theme

NOON = 1_760_000_000.0
EXCHANGES = 1250
DELTAS = 6_000
A_SECOND = 1_000


def large_results() -> dict[str, str]:
    """A megabyte of each kind that is shown in its own way."""
    return {
        "json": orjson.dumps([{"a": n, "b": "x" * 40, "c": [1, 2]} for n in range(14_000)]).decode(),
        "table": orjson.dumps([{"a": n, "b": "x" * 40, "c": "y"} for n in range(14_000)]).decode(),
        "text": "a line of text with some words\n" * 33_000,
        "line": "x" * 1_000_000,
        "terminal": "\x1b[32mok\x1b[0m a line of output\n" * 30_000 + "[exit code 0]",
    }


def exchange(number: int, result: str = "") -> Iterator[Event]:
    """Eight blocks: who, question, who, words, code, words, call, cost."""
    name, at = f"e{number}", NOON + number
    parent = f"e{number - 1}" if number else ""
    question = (say("user", f"Question {number} about things"),)
    yield ExchangeStarted(name, "c", "x", "openai-chat", "m", True, 0, question, (), at, parent)
    yield RoundStarted(name, "c", 1, "demo", "openai-chat", "m", (), True, at)
    words = "with some **words** and `code` " * (number % 30)
    text = f"Answer {number}, {words}\n\n```py\nfor x in range(10):\n    print(x)\n```\nand after that."
    arguments = f'{{"path": "src/file_{number}.py", "start": {number}}}'
    call = Invocation(
        f"i{number}", name, "c", 1, 1, f"call{number}", "read_file", "gate", "builtin", "x", "m",
        phases=(Phase("Streaming", at),),
    )  # fmt: skip
    yield DeltaArrived(name, "c", 1, TextDelta(0, text), at)
    allowed = advance(advance(call, ArgumentsComplete(arguments), at), Allow("Setting", "rule"), at)
    returned = result or ('{"lines": [1, 2, 3], "name": "x"}' if number % 2 else "def f():\n    return 1\n" * 6)
    over = advance(allowed, Return(ToolResult(call.call_id, (Text(returned),))), at + 1)
    yield from (InvocationChanged(one, at) for one in (call, allowed, over))
    message = Message("assistant", (Text(text), ToolCall(call.call_id, "read_file", arguments)))
    yield RoundEnded(name, "c", 1, message, "stop", Usage(10, 20), at + 2)
    yield ExchangeEnded(name, "c", "completed", at + 2, message)


def memory_mb(line: str) -> float:
    """Of this very program: `getrusage` counts what it was forked from too, which pytest makes half a gigabyte."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return int(next(one for one in lines if one.startswith(line)).split()[1]) / 1024


class JournalService(FakeConversationService):
    """The fake desk, but what it tells is read from a real journal."""

    def __init__(self, stored: Journal) -> None:
        super().__init__()
        self._stored = stored

    async def story(self, conversation_id: str, last: int = 0) -> Story:
        return Story(*await self._stored.story(conversation_id, last))


class Stalls:
    """How much of the main thread's time passes between two turns of the loop."""

    def __init__(self) -> None:
        self.worst = 0.0
        self._watching = asyncio.ensure_future(self._watch())

    async def _watch(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.002)
            self.worst = max(self.worst, time.thread_time() - before)

    def stop(self) -> float:
        self._watching.cancel()
        return self.worst * 1000


async def until(condition: object) -> None:
    async with asyncio.timeout(60):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.001)


async def open_it(panel: ConversationPanel, conversation: str, blocks: int) -> dict[str, float]:
    stalls = Stalls()
    begun, wall = time.process_time(), time.perf_counter()
    panel.open(conversation)
    await until(lambda: panel.view.transcript.blocks and panel.view.shown)
    panel.view.viewport().repaint()
    opened, opened_wall = time.process_time() - begun, time.perf_counter() - wall
    await until(lambda: len(panel.view.transcript.blocks) >= blocks)
    await asyncio.sleep(0.05)
    return {"open_ms": opened * 1000, "open_wall_ms": opened_wall * 1000, "open_stall_ms": stalls.stop()}


def scroll(panel: ConversationPanel) -> dict[str, float]:
    bar, times = panel.view.verticalScrollBar(), []
    chance = random.Random(1)
    for turn in range(80):
        begun = time.thread_time()
        bar.setValue(chance.randrange(bar.maximum()))
        panel.view.viewport().repaint()
        if turn >= 20:
            times.append(time.thread_time() - begun)
    steps = []
    for _ in range(150):
        begun = time.thread_time()
        bar.setValue(bar.value() - 40)
        panel.view.viewport().repaint()
        steps.append(time.thread_time() - begun)
    times.sort()
    return {
        "jump_median_ms": times[len(times) // 2] * 1000,
        "jump_p95_ms": times[int(len(times) * 0.95)] * 1000,
        "step_median_ms": sorted(steps)[len(steps) // 2] * 1000,
    }


async def stream(panel: ConversationPanel, console: FakeConsole) -> dict[str, float]:
    panel.view.go_to_end()
    name = f"e{EXCHANGES}"
    started = (say("user", "Go on"),)
    parent = f"e{EXCHANGES - 1}"
    console.bus.publish(ExchangeStarted(name, "c", "x", "openai-chat", "m", True, 0, started, (), NOON, parent))
    console.bus.publish(RoundStarted(name, "c", 1, "demo", "openai-chat", "m", (), True, NOON))
    await asyncio.sleep(0.2)
    stalls, begun, cpu = Stalls(), time.perf_counter(), time.process_time()
    sent = 0
    while sent < DELTAS:
        due = min(DELTAS, int((time.perf_counter() - begun) * A_SECOND))
        for number in range(sent, due):
            end = "\n\n" if number % 90 == 89 else "\n```py\nx = 1\n```\n" if number % 400 == 399 else " "
            console.bus.publish(DeltaArrived(name, "c", 1, TextDelta(0, f"word{number}{end}"), NOON))
        sent = due
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.1)
    return {"stream_stall_ms": stalls.stop(), "stream_cpu_s": time.process_time() - cpu}


async def measure(app: QApplication, folder: Path) -> dict[str, float]:
    database = Database(folder / "journal.db")
    journal = Journal(database)
    for event in (event for number in range(EXCHANGES) for event in exchange(number)):
        journal.record(event)
    await journal.story("nobody")
    console = FakeConsole(conversation_service=JournalService(journal))
    tasks = Tasks(console.bus)
    theme = Theme()
    theme.set_mode("dark")
    theme.apply(app)
    bridge = Bridge(console.bus, tasks)
    panel = ConversationPanel(console, bridge, theme)
    panel.resize(900, 800)
    panel.show()
    await asyncio.sleep(0.1)
    out = await open_it(panel, "c", EXCHANGES * 8)
    out |= scroll(panel)
    out |= await stream(panel, console)
    out["resident_mb"] = memory_mb("VmHWM")
    for kind, result in large_results().items():
        conversation = f"big {kind}"
        events = [_moved(event, conversation) for event in exchange(0, result)]
        for event in events[:-3]:
            journal.record(event)
        await journal.story("nobody")
        await open_it(panel, conversation, 7)
        stalls = Stalls()
        for event in events[-3:]:
            console.bus.publish(event)
        await asyncio.sleep(0.4)
        out[f"big_{kind}_ms"] = stalls.stop()
    bridge.close()
    await tasks.close()
    database.close()
    return out


def _moved(event: Event, conversation: str) -> Event:
    name = f'"conversation_id":"{conversation}"'
    return read_event(write_event(event).replace('"conversation_id":"c"', name))


def main(folder: str) -> None:
    gc.disable()  # the window collects by a timer of its own, between frames
    app = QApplication([])
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with loop:
        numbers = loop.run_until_complete(measure(app, Path(folder)))
    sys.stdout.write(orjson.dumps(numbers).decode() + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
