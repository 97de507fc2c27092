"""What 50,000 exchanges cost: filtering at every keystroke, sorting, following a live one.

In seconds of the processor: what else a machine has to do is not the table's fault.
"""

import asyncio
import statistics
import time
from collections.abc import Callable
from contextlib import suppress

import orjson
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from tests.fakes.console import FakeConsole
from tests.fakes.samples import NOON
from tests.fakes.traffic import afternoon

from callgate.core.events import ExchangeStarted, WireCaptured
from callgate.core.match import Expression, ExpressionError, parse
from callgate.core.messages import say
from callgate.engine.tasks import Tasks
from callgate.ui.bridge import Bridge
from callgate.ui.theme import Theme
from callgate.ui.traffic.body import read_body
from callgate.ui.traffic.captured import Capture
from callgate.ui.traffic.columns import DURATION
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.inspector import WireInspector
from callgate.ui.traffic.model import TrafficModel

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

EXCHANGES = 50_000
KEYSTROKE_MS = 100
STALL_MS = 50
TYPED = ("tool:run_*", "agent:codex", "dur>500ms tokens>5k", "status:failed or status=429", "weather", "not model:gpt*")
MAY_BE_SLOWER = ("args.path:src/**",)
"""Looks into the arguments of every call: a few times what the others cost."""


@pytest.fixture(scope="module")
def model() -> TrafficModel:
    model = TrafficModel()
    model.load(afternoon(EXCHANGES))
    model.set_with_rounds(False)
    return model


def milliseconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def told(name: str, times: list[float]) -> float:
    best, median = min(times), statistics.median(times)
    print(f"\n{name:42} median {median:6.1f} ms, best {best:6.1f} ms", end="")
    return best


@pytest.mark.parametrize("text", TYPED)
def test_every_keystroke_filters_within_a_tenth_of_a_second(qapp: QApplication, model: TrafficModel, text: str) -> None:
    """Each word is typed letter by letter; letters that make no expression yet change nothing."""
    expressions: list[Expression] = []
    for end in range(1, len(text) + 1):
        with suppress(ExpressionError):  # half an expression
            expressions.append(parse(text[:end]))
    slowest = max(
        min(milliseconds(lambda wanted=wanted: model.set_filter(wanted)) for _ in range(3)) for wanted in expressions
    )
    print(f"\n{text:42} {len(expressions)} keystrokes, slowest {slowest:6.1f} ms, {model.rowCount():,} rows", end="")
    assert slowest < KEYSTROKE_MS


@pytest.mark.parametrize("text", MAY_BE_SLOWER)
def test_looking_into_arguments_stays_usable(qapp: QApplication, model: TrafficModel, text: str) -> None:
    expression = parse(text)
    assert told(text, [milliseconds(lambda: model.set_filter(expression)) for _ in range(5)]) < 5 * KEYSTROKE_MS


def test_sorting_and_following(qapp: QApplication, model: TrafficModel) -> None:
    model.set_filter(parse(""))
    told("sorting by duration", [milliseconds(lambda: model.sort(DURATION, Qt.SortOrder.DescendingOrder))])
    start = ExchangeStarted("new", "c", "a", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)
    assert told("one more exchange", [milliseconds(lambda: model.apply([start]))]) < KEYSTROKE_MS
    assert told("a tick of the clock", [milliseconds(lambda: model.tick(NOON + 1)) for _ in range(5)]) < KEYSTROKE_MS


def test_reading_five_megabytes(qapp: QApplication) -> None:
    """Beside the loop, in Python itself: slow, but nobody waits."""
    data = orjson.dumps({"items": [{"n": number, "text": "x" * 90} for number in range(45_000)]})
    capture = Capture("client_request", 0, ((0.0, data),))
    assert (
        told(f"reading {len(data) / 1e6:.1f} MB", [milliseconds(lambda: read_body(capture)) for _ in range(3)]) < 2000
    )


def test_looking_at_five_megabytes_leaves_the_loop_its_turns(qapp: QApplication) -> None:
    """The longest stretch of the loop's own thread, while both bodies are read, shown raw and compared."""
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    console = FakeConsole()
    tasks = Tasks(console.bus)
    bridge = Bridge(console.bus, tasks)
    start = ExchangeStarted("e", "c", "a", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)
    bodies = [orjson.dumps({"items": [{"n": n + k, "text": "x" * 90} for n in range(45_000)]}) for k in (0, 1)]
    console.play([start, WireCaptured("e", "c", 0, "client_request", bodies[0], NOON)])
    console.play([WireCaptured("e", "c", 1, "upstream_request", bodies[1], NOON + 1)])
    bridge.flush()
    fold = ExchangeFold()
    fold.apply(start)
    inspector = WireInspector(console, bridge, Theme())
    inspector.resize(900, 600)
    inspector.show()
    worst: dict[str, float] = {}

    async def during(name: str, act: Callable[[], object], done: Callable[[], bool]) -> None:
        act()
        async with asyncio.timeout(60):
            while not done():
                began = time.thread_time()
                await asyncio.sleep(0.001)
                worst[name] = max(worst.get(name, 0.0), (time.thread_time() - began) * 1000)

    async def look() -> None:
        client, upstream, changes = inspector.client_request, inspector.upstream_request, inspector.changes
        both = (client, upstream)
        row = fold.groups["e"][0]
        await during("open", lambda: inspector.show_row(row), lambda: all(p.body.is_structured for p in both))
        await during("raw", inspector.modes.button(1).click, lambda: all(p.raw.is_loaded for p in both))
        await during("changes", lambda: inspector.tabs.setCurrentIndex(2), lambda: changes.model.rowCount() > 0)
        inspector.close()
        bridge.close()
        await tasks.close()

    with loop:
        loop.run_until_complete(look())
    asyncio.set_event_loop(None)
    print("\n" + ", ".join(f"{name}: longest turn {span:.1f} ms" for name, span in worst.items()), end="")
    assert max(worst.values()) < STALL_MS
