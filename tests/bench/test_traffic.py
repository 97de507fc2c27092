"""What 50,000 exchanges cost: filtering at every keystroke, sorting, following a live one."""

import statistics
import time
from collections.abc import Callable

import orjson
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.fakes.samples import NOON
from tests.fakes.traffic import afternoon

from callgate.core.events import ExchangeStarted
from callgate.core.match import parse
from callgate.core.messages import say
from callgate.ui.traffic.body import read_body
from callgate.ui.traffic.captured import Capture
from callgate.ui.traffic.columns import DURATION
from callgate.ui.traffic.model import TrafficModel

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

EXCHANGES = 50_000
KEYSTROKE_MS = 100
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
    expressions = []
    for end in range(1, len(text) + 1):
        try:
            expressions.append(parse(text[:end]))
        except Exception as unreadable:  # half an expression
            assert "ExpressionError" in type(unreadable).__name__
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
    data = orjson.dumps({"items": [{"n": number, "text": "x" * 90} for number in range(45_000)]})
    capture = Capture("client_request", 0, ((0.0, data),))
    assert told(f"reading {len(data) / 1e6:.1f} MB", [milliseconds(lambda: read_body(capture)) for _ in range(3)]) < 250
