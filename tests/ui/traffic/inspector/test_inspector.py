"""The inspector shows both sides of the exchange that is selected, and follows it while it lives."""

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import NOON
from tests.fakes.traffic import translated_exchange, translated_wire

from callgate.core.events import ExchangeStarted, WireCaptured
from callgate.core.messages import say
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.inspector.inspector import WireInspector
from callgate.ui.traffic.row import TrafficRow


def row_of(events: list, exchange: str = "ex_t") -> TrafficRow:
    fold = ExchangeFold()
    fold.apply_all(events)
    return fold.groups[exchange][0]


ROW = row_of(translated_exchange())


@pytest.fixture
def inspector(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme
) -> Iterator[WireInspector]:
    console.play(translated_exchange())
    bridge.flush()
    inspector = WireInspector(console, bridge, theme)
    qtbot.addWidget(inspector)
    inspector.resize(800, 600)
    inspector.show()
    yield inspector


def test_it_has_its_name_and_says_what_to_do(inspector: WireInspector) -> None:
    assert inspector.objectName() == "wireInspector" and inspector.accessibleName()
    assert inspector._empty.isVisible()


def test_both_sides_of_the_request_are_shown(inspector: WireInspector, loop: BoundLoop) -> None:
    inspector.show_row(ROW)
    loop.until(lambda: inspector.upstream_request.body.is_structured)
    assert inspector.client_request.body.value["logprobs"] is True  # type: ignore[index,call-overload]
    assert inspector.upstream_request.body.value["max_tokens"] == 32000  # type: ignore[index,call-overload]
    assert (
        "openai-chat → anthropic" in inspector.head.notes.text() and "mended: tool name" in inspector.head.notes.text()
    )


def test_the_answer_is_shown_as_events_with_their_times(inspector: WireInspector, loop: BoundLoop) -> None:
    inspector.show_row(ROW)
    loop.until(lambda: inspector.client_response.body.is_stream)
    assert not inspector.modes.button(2).isVisible(), "a request has no events"
    inspector.tabs.setCurrentIndex(1)
    inspector.modes.button(2).click()
    events = inspector.upstream_response.events
    assert events.isVisible() and events.model.index(0, 0).data() == "590 ms"
    inspector.tabs.setCurrentIndex(0)
    assert inspector.modes.checkedId() == 0 and inspector.client_request.json.isVisible()


def test_changes_between_the_legs_are_listed(inspector: WireInspector, loop: BoundLoop) -> None:
    inspector.show_row(ROW)
    loop.until(lambda: bool(inspector.held))
    inspector.tabs.setCurrentIndex(3)
    loop.until(lambda: inspector.changes.model.rowCount() > 0)
    assert not inspector._mode_bar.isVisible()


def test_nothing_is_loaded_while_it_is_hidden(inspector: WireInspector, loop: BoundLoop) -> None:
    inspector.hide()
    inspector.show_row(ROW)
    loop.settle()
    assert not inspector.held
    inspector.show()
    loop.until(lambda: bool(inspector.held))


def test_another_row_supersedes_one_that_is_still_loading(
    inspector: WireInspector, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    other = translated_exchange("ex_o", "conv_o", NOON + 50)
    console.play(other)
    bridge.flush()
    inspector.show_row(ROW)
    inspector.show_row(row_of(other, "ex_o"))
    loop.until(lambda: bool(inspector.held))
    assert inspector._loaded == "ex_o" and inspector.held["client_request", 0].at == NOON + 50
    inspector.show_row(None)
    assert inspector._empty.isVisible()


def test_a_stream_is_followed_while_it_comes(
    inspector: WireInspector, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    wire = translated_wire("ex_l", "conv_l", NOON)
    start = ExchangeStarted("ex_l", "conv_l", "a", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)
    console.play([start, *wire[:4]])
    bridge.flush()
    inspector.show_row(row_of([start], "ex_l"))
    loop.until(lambda: inspector.upstream_response.body.is_stream)
    first = inspector.upstream_response.events.model.rowCount()
    console.play(wire[4:])
    bridge.flush()
    loop.until(lambda: inspector.upstream_response.events.model.rowCount() == 12)
    assert first == 1


def test_rounds_are_chosen_and_a_rounds_row_opens_its_own(
    inspector: WireInspector, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    second = WireCaptured("ex_t", "conv_t", 2, "upstream_request", b'{"second": true}', NOON + 3)
    console.play([second])
    bridge.flush()
    inspector.show_row(ROW)
    loop.until(lambda: inspector.round_box.isVisible())
    assert inspector.number == 1
    inspector.round_box.setCurrentIndex(1)
    assert inspector.upstream_request.body.value == {"second": True}
    assert inspector.upstream_response.is_idle


def test_unchanged_bytes_leave_their_room_to_the_other_pane(
    inspector: WireInspector, console: FakeConsole, bridge: Bridge, loop: BoundLoop
) -> None:
    same = [
        WireCaptured("ex_s", "c", 0, "client_request", b'{"a": 1}', NOON),
        WireCaptured("ex_s", "c", 1, "upstream_request", b'{"a": 1}', NOON + 1),
    ]
    start = ExchangeStarted("ex_s", "c", "a", "openai-chat", "m", True, 0, (say("user", "Hi"),), (), NOON)
    console.play([start, *same])
    bridge.flush()
    inspector.show_row(row_of([start], "ex_s"))
    loop.until(lambda: inspector.upstream_request.is_idle and bool(inspector.held))
    first, _, second = inspector.panes.request.sizes()
    assert first > second


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ("Client request as curl", "curl http://127.0.0.1:8080/v1/chat/completions"),
        ("Client request as Python", "import os"),
        ("Client exchange as HAR entry", "{"),
        ("Upstream exchange as HAR entry", "{"),
        ("Upstream request as curl", "# UPSTREAM_URL is"),
        ("Upstream request as Python", "import os"),
    ],
)
def test_requests_are_copied_in_every_form(inspector: WireInspector, loop: BoundLoop, words: str, begins: str) -> None:
    inspector.show_row(ROW)
    loop.until(lambda: bool(inspector.held))
    menu = inspector.copy_button.menu()
    assert menu is not None
    next(action for action in menu.actions() if action.text() == words).trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(begins) and "sk-live" not in copied
    if begins == "{":
        assert json.loads(copied)["response"]["status"] == 200


def test_panes_stand_beside_each_other_where_there_is_room(inspector: WireInspector, loop: BoundLoop) -> None:
    inspector.resize(950, 500)
    loop.settle()
    assert inspector.panes.request.orientation().name == "Horizontal"
    inspector.resize(420, 500)
    loop.settle()
    assert inspector.panes.request.orientation().name == "Vertical"


def test_which_panes_are_wanted_is_remembered(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings
) -> None:
    first = WireInspector(console, bridge, theme, settings=settings)
    qtbot.addWidget(first)
    first.resize(1200, 600)
    first.show()
    first.which.choose("upstream")
    first.resize(400, 400)
    assert first.which.currentData() == "client", "with little room one at a time"
    first.which.choose("neutral")
    again = WireInspector(console, bridge, theme, settings=settings)
    qtbot.addWidget(again)
    again.resize(1200, 600)
    again.show()
    assert again.which.currentData() == again.panes.which == "upstream"
    again.resize(400, 400)
    assert again.which.currentData() == again.panes.which == "neutral"
