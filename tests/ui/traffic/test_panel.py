"""The traffic panel starts with what is remembered, goes on live, and can be used without a mouse."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QTableView, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON, sample_conversation
from tests.fakes.traffic import afternoon, translated_exchange

from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, ProxyChanged
from callgate.core.messages import say
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic import history as history_file
from callgate.ui.traffic.panel import TrafficPanel
from callgate.ui.traffic.row import TrafficRow


def new_exchange(exchange: str = "live", at: float = NOON + 9000) -> ExchangeStarted:
    return ExchangeStarted(exchange, "conv_live", "codex", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), at)


@pytest.fixture
def panel(qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme) -> Iterator[TrafficPanel]:
    console.play(list(afternoon(20)))
    console.play(translated_exchange(at=NOON + 500))
    bridge.flush()
    panel = TrafficPanel(console, bridge, theme, clock=lambda: NOON + 9010)
    qtbot.addWidget(panel)
    panel.resize(1200, 300)
    panel.show()
    loop.until(lambda: panel.model.rowCount() > 0)
    yield panel


def test_the_parts_have_their_names(panel: TrafficPanel) -> None:
    table, field = panel.findChild(QTableView, "trafficTable"), panel.findChild(QLineEdit, "trafficFilter")
    assert table.accessibleName() and field.accessibleName() and table.isVisible()


def test_it_starts_with_what_is_remembered_and_follows_what_comes(
    panel: TrafficPanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    assert len(panel.model.fold) == 21 and panel._count.text() == "21 exchanges"
    bar = panel.table.verticalScrollBar()
    loop.until(lambda: bar.value() == bar.maximum() > 0)
    console.play([new_exchange()])
    bridge.flush()
    assert panel.model.shown[-1].exchange_id == "live"
    loop.until(lambda: bar.value() == bar.maximum())
    panel._tick()
    assert panel.model.shown[-1].seconds == 10


def test_who_has_scrolled_away_stays_there(
    panel: TrafficPanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    bar = panel.table.verticalScrollBar()
    loop.until(lambda: bar.maximum() > 0)
    bar.setValue(0)
    console.play([new_exchange(), new_exchange("other", NOON + 9001)])
    bridge.flush()
    loop.settle()
    assert bar.value() == 0


def test_an_empty_table_says_what_will_come(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    panel = TrafficPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.show()
    loop.settle()
    assert not panel.table.isVisible() and panel._none.isVisible()
    console.play([new_exchange()])
    loop.until(panel.table.isVisible)


def test_nothing_is_read_while_it_is_not_looked_at(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> None:
    console.play(list(afternoon(3)))
    bridge.flush()
    panel = TrafficPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    loop.settle()
    assert len(panel.model.fold) == 0
    panel.show()
    loop.until(lambda: len(panel.model.fold) == 3)


def test_what_happens_while_history_is_read_is_neither_lost_nor_doubled(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.play([new_exchange("old", NOON), ExchangeEnded("old", "conv_live", "completed", NOON + 5)])
    bridge.flush()
    may_answer = asyncio.Event()
    read = console.recent_exchanges

    async def slowly(limit: int, before: float | None = None) -> Sequence[Event]:
        events = await read(limit, before)
        await may_answer.wait()
        return events

    monkeypatch.setattr(console, "recent_exchanges", slowly)
    panel = TrafficPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.show()
    loop.settle()
    console.play([new_exchange(), ExchangeEnded("live", "conv_live", "completed", NOON + 9002)])
    may_answer.set()
    loop.until(lambda: len(panel.model.fold) == 2)
    assert [(row.exchange_id, row.status) for row in panel.model.shown] == [("old", "completed"), ("live", "completed")]


def test_a_full_page_offers_the_one_before_it(
    qtbot: QtBot,
    loop: BoundLoop,
    console: FakeConsole,
    bridge: Bridge,
    theme: Theme,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history_file, "PAGE", 4)
    console.play(list(afternoon(6)))
    bridge.flush()
    panel = TrafficPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.show()
    loop.until(panel.earlier.isVisible)
    assert [row.exchange_id for row in panel.model.fold.exchanges()] == ["ex_2", "ex_3", "ex_4", "ex_5"]
    panel.earlier.click()
    loop.until(lambda: len(panel.model.fold) == 6)
    loop.until(lambda: not panel.earlier.isVisible())
    assert panel.model.shown[0].exchange_id == "ex_0"


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every popup
def test_typing_filters_and_counts(panel: TrafficPanel) -> None:
    QTest.keyClicks(panel.filter.line, "agent=codex ")
    assert {row.agent for row in panel.model.shown} == {"codex"}
    assert panel._count.text() == f"{panel.model.shown_exchanges} of 21"
    panel.filter.set_text("agent:nobody")
    assert panel._no_match.isVisible() and not panel.table.isVisible()
    panel._no_match.button.click()
    assert panel.table.isVisible() and panel.filter.line.text() == ""


def test_the_values_on_the_table_complete_a_filter(panel: TrafficPanel) -> None:
    assert "codex" in panel._values("agent") and "run_command" in panel._values("tool")
    assert panel._values("dur") == ()


def test_keys_move_open_inspect_and_filter(panel: TrafficPanel, qtbot: QtBot) -> None:
    told: list[TrafficRow | None] = []
    panel.selected.connect(told.append)
    panel.table.setFocus()
    panel.table.selectRow(0)
    QTest.keyClick(panel.table, Qt.Key.Key_J)
    assert panel.table.currentIndex().row() == 1 and told[-1] is panel.model.shown[1]
    QTest.keyClick(panel.table, Qt.Key.Key_K)
    assert panel.table.currentIndex().row() == 0
    with qtbot.waitSignal(panel.open_requested, timeout=1000) as opened:
        QTest.keyClick(panel.table, Qt.Key.Key_Return)
    assert opened.args == ["conv_0"]
    with qtbot.waitSignal(panel.inspect_requested, timeout=1000):
        QTest.keyClick(panel.table, Qt.Key.Key_Space)
    QTest.keyClick(panel.table, Qt.Key.Key_Slash)
    assert panel.filter.line.hasFocus()
    QTest.keyClick(panel.filter.line, Qt.Key.Key_Return)
    assert panel.table.hasFocus()


def test_the_selection_survives_filter_and_sorting(panel: TrafficPanel) -> None:
    panel.table.select_row("ex_t#0")
    panel.table.sortByColumn(13, Qt.SortOrder.DescendingOrder)
    assert panel.current is not None and panel.current.id == "ex_t#0"
    panel.filter.set_text("agent:my_script.py")
    assert panel.current is not None and panel.current.id == "ex_t#0"
    panel.filter.set_text("agent:codex")
    panel.filter.set_text("")
    assert panel.current is not None and panel.current.id == "ex_t#0"


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every menu
def test_a_request_is_copied_without_its_key(
    panel: TrafficPanel, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    console.bus.publish(ProxyChanged("http://127.0.0.1:9191", NOON))
    bridge.flush()
    panel.table.select_row("ex_t#0")
    place = panel.table.visualRect(panel.table.currentIndex()).center()
    panel.table.customContextMenuRequested.emit(place)
    (menu,) = [menu for menu in panel.findChildren(QMenu) if menu.actions()]
    actions = {action.text(): action for action in menu.actions()}
    counted = panel._count.text()
    for form, start in (("curl", "curl http://127.0.0.1:9191/v1/"), ("Python", "import"), ("HAR entry", "{")):
        QGuiApplication.clipboard().clear()
        actions[f"Copy as {form}"].trigger()
        loop.until(lambda: bool(QGuiApplication.clipboard().text()))
        copied = QGuiApplication.clipboard().text()
        assert copied.startswith(start) and "sk-live" not in copied
    assert panel._count.text() == "Copied"
    loop.until(lambda: panel._count.text() == counted)
    actions["Only agent my_script.py"].trigger()
    assert {row.agent for row in panel.model.shown} == {"my_script.py"}
    menu.close()
    panel.table.customContextMenuRequested.emit(QPoint(5, 5000))


def test_a_deleted_conversation_leaves_the_table(panel: TrafficPanel) -> None:
    panel.forget_conversation("conv_0")
    assert not any(row.conversation_id == "conv_0" for row in panel.model.shown)


def test_it_can_be_drawn_in_both_themes(
    panel: TrafficPanel, theme: Theme, console: FakeConsole, bridge: Bridge
) -> None:
    console.play(sample_conversation("conv_w", NOON + 800))
    bridge.flush()
    panel.table.selectRow(2)
    for mode in ("light", "dark"):
        theme.set_mode("dark" if mode == "dark" else "light")
        assert not panel.grab().isNull()


def test_a_filter_looks_through_all_that_was_recorded(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_file, "PAGE", 4)
    console.play(list(afternoon(30)))
    bridge.flush()
    panel = TrafficPanel(console, bridge, theme)
    qtbot.addWidget(panel)
    panel.show()
    loop.until(panel.earlier.isVisible)
    assert len(panel.model.fold) == 4
    panel.filter.set_text("dur>0")
    loop.until(lambda: "reading earlier" in panel._count.text())
    loop.until(lambda: panel.model.shown_exchanges == 30 and not panel.history.is_reading)
    assert panel._count.text() == "30 of 30" and not panel.earlier.isVisible()


def test_the_legend_is_there_where_it_has_room_and_rounds_are_remembered(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings
) -> None:
    panel = TrafficPanel(console, bridge, theme, settings=settings)
    qtbot.addWidget(panel)
    panel.resize(1200, 300)
    panel.show()
    legend = panel.findChild(QWidget, "durationLegend")
    assert legend.isVisible()
    panel.resize(700, 300)
    assert not legend.isVisible()
    panel.rounds.click()
    again = TrafficPanel(console, bridge, theme, settings=settings)
    qtbot.addWidget(again)
    assert not again.rounds.isChecked() and not again.model._with_rounds
    loop.settle()
