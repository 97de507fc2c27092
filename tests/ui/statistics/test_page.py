"""The page counts what the desk tells, lets one choose, follows what happens, and says when there is nothing."""

import random
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON
from tests.fakes.traffic import afternoon, one_exchange

from callgate.core.catalog.prices import read_prices
from callgate.core.events import ExchangeStarted, InvocationChanged, RoundEnded
from callgate.ui.bridge import Bridge
from callgate.ui.statistics.page import StatisticsPage
from callgate.ui.theme.theme import Theme

EVENTS = list(afternoon(60))


@pytest.fixture
def page(
    loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings, qtbot: QtBot
) -> Iterator[StatisticsPage]:
    page = StatisticsPage(console, bridge, theme, settings, clock=lambda: NOON + 600)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    loop.settle()
    yield page
    page.hide()
    loop.settle()


def test_nothing_yet_says_so_and_offers_more(page: StatisticsPage, loop: BoundLoop) -> None:
    loop.until(lambda: page.counted is not None)
    assert page._empty.isVisible() and page._empty.button.isVisible()
    page._empty.button.click()
    assert page.picker.span == "all" and page.objectName() == "statisticsPage"
    loop.settle()
    assert not page._empty.button.isVisible()


def test_numbers_are_those_of_the_events(
    page: StatisticsPage, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.play(EVENTS)
    bridge.flush()
    page.load()
    loop.until(lambda: page.counted is not None and not page.counted.is_empty)
    rounds = sum(event.kind == "round_started" for event in EVENTS)
    tokens = sum(event.usage.total for event in EVENTS if isinstance(event, RoundEnded) and event.usage)
    calls = len({e.invocation.id for e in EVENTS if isinstance(e, InvocationChanged)})
    assert page.board.rounds.figure.text() == f"{rounds:,}" and page.board.calls.figure.text() == f"{calls:,}"
    drawn = sum(value for layer in page.board.tokens.layers for value in layer.values)
    assert drawn == tokens
    assert sum(bar.total for bar in page.board.tools.bars) == calls
    assert sum(page.board.latency.layers[0].values) == len(page.counted.waits) > 0  # type: ignore[union-attr]
    assert {bar.name for bar in page.board.agents.bars} == {e.agent for e in EVENTS if isinstance(e, ExchangeStarted)}


def test_one_agent_and_one_model_can_be_looked_at(
    page: StatisticsPage, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.play(EVENTS)
    bridge.flush()
    page.load()
    loop.until(lambda: page.agent.count() > 2)
    whole = page.board.rounds.figure.text()
    page.agent.choose("codex")
    assert page.board.rounds.figure.text() != whole and [bar.name for bar in page.board.agents.bars] == ["codex"]
    page.load()
    loop.settle()
    assert page.agent.currentData() == "codex", "counting again keeps the choice"
    page.model.choose("claude-opus-4-1")
    assert page.board.rounds.figure.text() == "0" and page.board.tokens.is_empty
    assert not page.grab().isNull()


def test_prices_count_at_once(page: StatisticsPage, console: FakeConsole, bridge: Bridge, loop: BoundLoop) -> None:
    console.play(EVENTS)
    bridge.flush()
    page.load()
    loop.until(lambda: page.counted is not None and not page.counted.is_empty)
    before = page.board.cost.figure.text()
    page.set_prices(read_prices({"*": {"input": 1e6, "output": 1e6}}))
    assert page.board.cost.figure.text() != before and page.board.cost.note.text() == ""


def test_what_happens_is_counted_soon(
    page: StatisticsPage, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    page._refresh.setInterval(10)
    loop.until(lambda: page.counted is not None)
    console.play(one_exchange(1, NOON + 30, random.Random(2)))
    bridge.flush()
    loop.until(lambda: page.board.rounds.figure.text() not in ("–", "0"))


def test_every_bar_leads_to_its_traffic_and_the_page_can_be_left(
    page: StatisticsPage, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    said: list[tuple[str, ...]] = []
    page.picked.connect(lambda field, value: said.append((field, value)))
    page.closed.connect(lambda: said.append(("closed",)))
    console.play(EVENTS)
    bridge.flush()
    page.load()
    loop.until(lambda: bool(page.board.tools.bars))
    named = {"tool": page.board.tools, "agent": page.board.agents, "model": page.board.models}
    for bars in named.values():
        bars.picked.emit(bars.bars[0].key)
    page._back.click()
    assert said == [*((field, bars.bars[0].name) for field, bars in named.items()), ("closed",)]


def test_the_stretch_is_remembered_and_days_can_be_given(
    page: StatisticsPage,
    settings: QSettings,
    console: FakeConsole,
    bridge: Bridge,
    theme: Theme,
    qtbot: QtBot,
    loop: BoundLoop,
) -> None:
    page.picker.box.choose("week")
    loop.settle()
    other = StatisticsPage(console, bridge, theme, settings)
    qtbot.addWidget(other)
    assert other.picker.span == "week" and not other.picker.first.isVisibleTo(other)
    page.picker.box.choose("custom")
    loop.settle()
    assert page.picker.first.isVisibleTo(page)
    asked = page.picker.range(NOON, None)
    assert asked.until - asked.since == 7 * 86400
