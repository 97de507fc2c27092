"""A pane shows any bytes in every way it knows, and says so where it can't."""

import asyncio
import os
from dataclasses import replace

import orjson
import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.loop import BoundLoop
from tests.fakes.traffic import translated_wire

from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.captured import Capture, captures
from callgate.ui.traffic.inspector.wire_pane import AT_ONCE, Mode, WirePane

HELD = captures(translated_wire())
MODES: tuple[Mode, ...] = ("structure", "raw", "events", "headers")
HOSTILE = {
    "empty": b"",
    "invalid UTF-8": b'{"name": "caf\xe9\xff"}',
    "binary": os.urandom(5000),
    "zeros": b"\0" * 5000,
    "half JSON": b'{"a": [1, 2',
    "HTML": b"<script>alert(1)</script><img src=x>",
    "deep": b"[" * 900 + b"]" * 900,
    "long line": b'{"a": "' + b"x" * 300_000 + b'"}',
    "broken stream": b'data: {"a": 1}\n\ndata: \xff\xfe\n\ndata: {"cut',
    "bidi": '{"a": "\u202e\u200b\U000e0041"}'.encode(),
}


@pytest.fixture
def pane(qtbot: QtBot, bridge: Bridge, theme: Theme) -> WirePane:
    pane = WirePane(bridge, theme, "Client response", asyncio.Lock())
    qtbot.addWidget(pane)
    pane.resize(500, 400)
    pane.show()
    return pane


def of(data: bytes) -> Capture:
    return Capture("client_response", 0, ((1.0, data),))


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_bytes_are_shown_in_every_way(pane: WirePane, loop: BoundLoop, kind: str) -> None:
    data = HOSTILE[kind]
    pane.show_capture(of(data), 0.5)
    loop.until(lambda: pane.body.data == data)
    for mode in MODES:
        pane.set_mode(mode)
        assert not pane.grab().isNull()
    pane.set_mode("raw")
    loop.until(lambda: pane.raw.is_loaded)


def test_five_megabytes_are_read_beside_the_loop(pane: WirePane, loop: BoundLoop) -> None:
    data = orjson.dumps({"items": [{"n": number, "text": "x" * 90} for number in range(45_000)]})
    assert len(data) > 5_000_000 - AT_ONCE
    pane.show_capture(of(data), 0.5)
    assert pane.body.data == b"", "not before the loop has had its turn"
    loop.until(lambda: pane.body.data == data)
    assert pane.body.is_structured and pane._stack.currentWidget() is pane.json
    pane.grab()
    assert pane.json.model.rowCount() == 1


def test_an_answer_that_is_superseded_while_it_is_read_is_dropped(pane: WirePane, loop: BoundLoop) -> None:
    pane.show_capture(of(b'{"first": "' + b"x" * AT_ONCE + b'"}'), 0)
    loop.settle()
    pane.show_capture(of(b'{"second": 1}'), 0)
    loop.settle()
    assert pane.body.value == {"second": 1}


def test_bytes_that_went_through_unchanged_are_not_shown_twice(pane: WirePane) -> None:
    pane.show_capture(of(b"{}"), 0, "client's")
    assert pane.is_idle and "same bytes as the client's" in pane.empty._title.text()
    pane.set_mode("headers")
    assert pane.is_idle and "No headers" in pane.empty._title.text()


def test_headers_are_shown_without_keys(pane: WirePane) -> None:
    pane.set_mode("headers")
    pane.show_capture(HELD["client_request", 0], 0)
    text = pane.head.text.toPlainText()
    assert "authorization: Bearer ***" in text and "sk-live" not in text


def test_what_was_not_captured_says_so(pane: WirePane) -> None:
    pane.show_capture(None, 0)
    assert pane.is_idle and "Nothing was captured" in pane.empty._title.text()


def test_events_are_for_streams(pane: WirePane) -> None:
    pane.set_mode("events")
    pane.show_capture(HELD["upstream_response", 1], 0)
    assert pane._stack.currentWidget() is pane.events and pane.events.model.rowCount() == 12
    pane.show_capture(of(b"{}"), 0)
    assert pane.is_idle


def test_what_is_open_stays_open_while_a_stream_grows(pane: WirePane) -> None:
    whole = HELD["upstream_response", 1]
    pane.show_capture(replace(whole, pieces=whole.pieces[:4]), 0)
    pane.grab()
    pane.json.tree.setCurrentIndex(pane.json.model.index(1, 0))
    pane.show_capture(whole, 0)
    assert pane.json.model.rowCount() == 12 and pane.json.tree.currentIndex().row() == 1


def test_text_is_not_laid_out_for_nobody(pane: WirePane) -> None:
    pane.hide()
    pane.set_mode("raw")
    pane.show_capture(of(b'{"a": 1}'), 0)
    assert pane.raw.text.toPlainText() == ""
    pane.show()
    assert pane.raw.text.toPlainText() == '{"a": 1}'
