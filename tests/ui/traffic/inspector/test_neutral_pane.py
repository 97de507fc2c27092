"""The neutral form is read when somebody looks, beside the loop when it is long."""

import asyncio

import orjson
import pytest
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.engine.console.wire_service import LegBytes
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.neutral_pane import AT_ONCE, NeutralPane


@pytest.fixture
def pane(qtbot: QtBot, console: FakeConsole, bridge: Bridge, theme: Theme) -> NeutralPane:
    pane = NeutralPane(console.wire_service, bridge, theme, "Neutral request", asyncio.Lock())
    qtbot.addWidget(pane)
    pane.resize(400, 300)
    pane.show()
    return pane


def asked(text: str) -> LegBytes:
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    return LegBytes("client_request", "openai-chat", orjson.dumps(body))


def test_a_short_request_is_read_at_once(pane: NeutralPane, loop: BoundLoop) -> None:
    pane.show_leg(asked("Hi"))
    assert pane.read.value["model"] == "m"  # type: ignore[index,call-overload]
    assert pane._stack.currentWidget() is pane.json and "client's request" in pane._about.text()
    pane.set_mode("raw")
    loop.until(lambda: '"Hi"' in pane.raw.text.toPlainText())


def test_a_long_one_is_read_beside_the_loop_and_the_last_one_counts(pane: NeutralPane, loop: BoundLoop) -> None:
    pane.show_leg(asked("x" * 2 * AT_ONCE))
    assert pane.read.value is None
    pane.show_leg(asked("y" * 2 * AT_ONCE))
    loop.until(lambda: pane.read.value is not None)
    assert "yyy" in str(pane.read.value)


def test_nothing_is_read_for_nobody(pane: NeutralPane) -> None:
    pane.hide()
    pane.show_leg(asked("Hi"))
    assert pane.read.value is None
    pane.show()
    assert pane.read.value is not None


def test_what_cannot_be_read_says_why(pane: NeutralPane) -> None:
    pane.show_leg(LegBytes("client_request", "openai-chat", b"{"))
    assert pane.is_idle and pane.read.problem in pane.empty._hint.text()
    pane.show_leg(None)
    assert pane.is_idle
