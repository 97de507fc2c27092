"""The table shows what fits, in order, and announces every change as Qt wants it."""

import random
from collections.abc import Iterable
from typing import Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from tests.depth import examples
from tests.fakes.samples import NOON, sample_conversation
from tests.fakes.traffic import afternoon, one_exchange

from callgate.core.catalog.prices import read_prices
from callgate.core.events import Event, ExchangeEnded, ExchangeStarted
from callgate.core.messages import say
from callgate.core.rules.match import parse
from callgate.ui.traffic import model as model_file
from callgate.ui.traffic import row_filter, row_order
from callgate.ui.traffic.columns import AGENT, COLUMNS, DURATION, TIME
from callgate.ui.traffic.model import Role, TrafficModel

DOWN = Qt.SortOrder.DescendingOrder


class ModelTester(Protocol):
    def check(self, model: TrafficModel, force_py: bool = ...) -> None: ...


def filled(events: Iterable[Event]) -> TrafficModel:
    model = TrafficModel()
    model.load(events)
    return model


def ids(model: TrafficModel) -> list[str]:
    return [row.id for row in model.shown]


def test_an_empty_model_is_sound(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(TrafficModel())


def test_a_model_with_traffic_is_sound(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(filled(afternoon(12)))


def test_rows_come_by_time_with_rounds_under_their_exchange(qapp: QApplication) -> None:
    model = filled(sample_conversation())
    assert ids(model) == ["exch_1#0", "exch_1#1", "exch_1#2", "exch_2#0", "exch_3#0"]
    model.sort(TIME, DOWN)
    assert ids(model) == ["exch_3#0", "exch_2#0", "exch_1#0", "exch_1#1", "exch_1#2"]
    model.set_with_rounds(False)
    assert ids(model) == ["exch_3#0", "exch_2#0", "exch_1#0"]


@pytest.mark.parametrize("column", range(len(COLUMNS)))
@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, DOWN])
def test_every_column_sorts_with_blanks_at_the_end(qapp: QApplication, column: int, order: Qt.SortOrder) -> None:
    model = filled(afternoon(30))
    model.set_with_rounds(False)
    model.sort(column, order)
    values = [COLUMNS[column].sort(row) for row in model.shown]
    known = [value for value in values if value is not None]
    assert values[: len(known)] == known
    assert known == sorted(known, reverse=order == DOWN)  # type: ignore[type-var]


def test_a_filter_keeps_the_order_and_counts_exchanges(qapp: QApplication) -> None:
    model = filled(afternoon(30))
    everything = ids(model)
    model.set_filter(parse("agent:codex and dur>1s"))
    assert 0 < model.rowCount() < len(everything)
    assert ids(model) == [row_id for row_id in everything if row_id in set(ids(model))]
    assert model.filtered and model.shown_exchanges == len({row.exchange_id for row in model.shown})
    model.set_filter(parse(""))
    assert ids(model) == everything and model.shown_exchanges == len(model.fold)


def test_a_live_exchange_grows_in_place_and_is_sorted_when_it_ends(qapp: QApplication) -> None:
    model = filled(afternoon(10))
    model.sort(DURATION, DOWN)
    start = ExchangeStarted("new", "c", "a", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)
    model.apply([start])
    assert ids(model)[-1] == "new#0"
    model.tick(NOON + 9000)
    assert ids(model)[-1] == "new#0", "nothing jumps while it lives"
    assert model.shown[-1].seconds == 9000
    model.apply([ExchangeEnded("new", "c", "completed", NOON + 9001)])
    assert ids(model)[0] == "new#0"


def test_rows_enter_and_leave_a_filter_as_they_change(qapp: QApplication) -> None:
    model = TrafficModel()
    model.set_filter(parse("status:running"))
    start = ExchangeStarted("new", "c", "a", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)
    model.apply([start])
    assert ids(model) == ["new#0"]
    model.apply([ExchangeEnded("new", "c", "completed", NOON + 1)])
    assert ids(model) == []


def test_a_pattern_that_takes_too_long_is_reported_once(qapp: QApplication) -> None:
    start = ExchangeStarted("new", "c", "a" * 60 + "b", "openai-chat", "m", True, 0, (), (), NOON)
    model = filled([start])
    failed: list[str] = []
    model.filter_failed.connect(failed.append)
    model.set_filter(parse("agent~'(a|aa)+$'"))
    model.tick(NOON + 5)
    assert len(failed) == 1 and "took longer" in failed[0] and model.rowCount() == 0


def test_new_prices_show_at_once(qapp: QApplication) -> None:
    model = filled(afternoon(5))
    model.set_prices(read_prices({"*": {"input": 1e6, "output": 1e6}}))
    assert all(row.cost and row.cost > 1 for row in model.shown if row.usage)


def test_a_deleted_conversation_leaves_the_table(qapp: QApplication) -> None:
    model = filled(afternoon(12))
    model.forget_conversation("conv_0")
    assert {row.conversation_id for row in model.shown} == {"conv_1"}
    model.forget_conversation("unknown")


def test_the_oldest_are_dropped_when_there_are_too_many(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_file, "MOST_EXCHANGES", 20)
    monkeypatch.setattr(model_file, "_SLACK", 5)
    model = filled(afternoon(40))
    assert len(model.fold) == 20 and model.shown[0].exchange_id == "ex_20"
    for number in range(40, 52):
        model.apply(one_exchange(number, NOON + number * 7, random.Random(number)))
    assert len(model.fold) <= 25 and ids(model)[-1].startswith("ex_51")


def test_cells_headers_and_tips_are_there(qapp: QApplication) -> None:
    model = filled(sample_conversation())
    header = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert header == [column.title for column in COLUMNS]
    cell = model.index(0, AGENT)
    assert cell.data() == "claude-code" and cell.data(Role.ROW) is model.shown[0]
    assert "exchange, claude-code" in cell.data(Qt.ItemDataRole.AccessibleTextRole)
    assert model.row_at(model.index(99, 0)) is None and model.place_of("nothing#0") == -1
    assert model.place_of("exch_2#0") == 3


@settings(deadline=None, max_examples=examples(25))
@given(st.integers(0, 10_000), st.sampled_from(["", "tool:run_*", "status:failed or status:running", "dur>4s"]))
def test_any_course_of_events_keeps_the_model_sound(qapp: QApplication, seed: int, text: str) -> None:
    chance = random.Random(seed)
    model = TrafficModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_filter(parse(text))
    model.sort(chance.randrange(len(COLUMNS)), DOWN if chance.random() < 0.5 else Qt.SortOrder.AscendingOrder)
    queues = [one_exchange(number, NOON + number, chance) for number in range(4)]
    while any(queues):
        queue = chance.choice([queue for queue in queues if queue])
        model.apply([queue.pop(0) for _ in range(min(len(queue), chance.randrange(1, 4)))])
        model.tick(NOON + chance.randrange(60))
    live = ids(model)
    model.load(())
    assert sorted(live) == sorted(ids(model)), "what came bit by bit is what a fresh look gives"


def test_much_work_is_done_in_slices_and_what_happens_meanwhile_is_not_lost(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_SMALL", 0), ("_AT_ONCE", 0.0), ("_SLICE", 0.0), ("_GATHERED", 5)):
        monkeypatch.setattr(model_file, name, value)
    monkeypatch.setattr(row_filter, "SLICE", 7)
    monkeypatch.setattr(row_order, "SLICE", 5)
    model = TrafficModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.load(afternoon(40))
    assert model.is_working and model.rowCount() == 0
    model.apply(one_exchange(40, NOON + 40 * 7, random.Random(1)))
    model.sort(DURATION, DOWN)
    model.set_filter(parse("dur>4s"))
    turns = 0
    while model.is_working:
        model._go_on()
        turns += 1
    assert turns > 10
    whole = filled([*afternoon(40), *one_exchange(40, NOON + 40 * 7, random.Random(1))])
    whole.sort(DURATION, DOWN)
    whole.set_filter(parse("dur>4s"))
    while whole.is_working:
        whole._go_on()
    assert ids(model) == ids(whole) and "ex_40#0" in ids(model)


def test_a_field_that_is_about_to_be_asked_for_is_prepared(qapp: QApplication) -> None:
    model = filled(afternoon(30))
    model.warm("args.path")
    while model._warming:
        model._go_on()
    assert model._columns.filled("args.path") == len(model._columns)
    assert "codex" in model.values("agent")


def test_filtering_again_and_again_stays_right_while_rows_come(qapp: QApplication) -> None:
    model = filled(afternoon(20))
    for number in range(20, 30):
        model.apply(one_exchange(number, NOON + number * 7, random.Random(number))[: number - 19])
        model.set_filter(parse("agent:c*"))
        model.set_filter(parse("tool:run_* or status:running"))
        shown = ids(model)
        model.load(())
        assert ids(model) == shown
