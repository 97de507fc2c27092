"""Exchanges of programs that call a tool themselves, over MCP: rows like all others."""

import orjson
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from tests.fakes.samples import NOON, sample_conversation

from callgate.core.errors import Fault
from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, WireCaptured
from callgate.core.rules.match import parse
from callgate.ui.traffic.columns import COLUMNS
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.inspector.captured import captures
from callgate.ui.traffic.inspector.copy_as import client_call, client_har
from callgate.ui.traffic.model import TrafficModel

STARTED = ExchangeStarted("exch_1", "conv_1", "script", "mcp", "", False, 0, (), (), NOON)
ASKED = WireCaptured("exch_1", "conv_1", 0, "client_request", b'{"name":"read_file","arguments":{}}', NOON)
FAILED = ExchangeEnded("exch_1", "conv_1", "failed", NOON + 1, fault=Fault("upstream", "<b>broken</b>"))
EVENTS: tuple[Event, ...] = (STARTED, FAILED)


def test_a_call_over_mcp_can_be_copied_with_the_address_it_came_to() -> None:
    fold = ExchangeFold()
    fold.apply_all(EVENTS)
    row = next(fold.exchanges())
    held = captures([ASKED])
    call = client_call(row, held, "http://127.0.0.1:8080")
    assert call is not None
    assert call.url == "http://127.0.0.1:8080/mcp"
    assert orjson.loads(client_har(row, held, "http://127.0.0.1:8080"))["request"]["url"] == call.url


def test_tips_are_plain_text_whatever_a_provider_said(qapp: QApplication) -> None:
    model = TrafficModel()
    model.load(EVENTS)
    tips = [model.data(model.index(0, column), Qt.ItemDataRole.ToolTipRole) for column in range(len(COLUMNS))]
    assert any(isinstance(tip, str) and "&lt;b&gt;broken" in tip for tip in tips)


def test_calls_to_mcp_servers_have_rows_of_their_own_under_their_round(qapp: QApplication) -> None:
    model = TrafficModel(is_mcp=lambda source: source == "built-in")
    model.load(sample_conversation())
    rows = [row for row in model.shown if row.call]
    assert {row.calls[0].tool for row in rows} >= {"read_file", "search_text"}
    first = rows[0]
    place = model.place_of(first.id)
    assert model.shown[place] is first and model.shown[place - 1].round == first.round
    texts = [model.index(place, column).data() for column in range(len(COLUMNS))]
    assert texts[:4] == ["  ↳ call", "claude-code", "built-in (MCP)", "read_file"] and first.code is None
    model.set_filter(parse("tool:search_text and state:Completed"))
    assert any(row.call for row in model.shown)
    model.set_with_rounds(False)
    assert not any(row.call for row in model.shown)


def test_a_live_call_appears_and_ends_in_place(qapp: QApplication) -> None:
    model = TrafficModel(is_mcp=lambda source: True)
    events = sample_conversation()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for event in events:
        model.apply([event])
    live = [row.id for row in model.shown]
    model.load(())
    assert live == [row.id for row in model.shown]
