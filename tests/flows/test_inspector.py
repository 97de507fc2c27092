"""An Anthropic client talks to an OpenAI-like model: the inspector shows every form, what changed, and the tools."""

from collections.abc import Callable
from typing import Any

import httpx
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.flows.conftest import Program

from callgate.engine.left_out import NOT_ASKED, OFF, SAME_NAME
from callgate.ui.traffic.row import TrafficRow

LONG = "look_up_the_weather_in_a_city_of_the_world_by_its_name_and_by_its_country"
"""More letters than OpenAI's wire takes."""
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
BODY: dict[str, Any] = {
    "model": "callgate-demo",
    "max_tokens": 500,
    "stream": True,
    "system": "Be brief.",
    "messages": [{"role": "user", "content": "Say hello"}],
    "tools": [
        {"name": LONG, "description": "The weather", "input_schema": SCHEMA},
        {"name": "read_file", "description": "Mine", "input_schema": {"type": "object"}},
    ],
}


async def ask(address: str, **headers: str) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"x-api-key": "sk-secret-0123456789", "x-callgate-agent": "flow", **named}
        (await client.post(f"{address}/v1/messages", json=BODY, headers=sent)).raise_for_status()


async def inspected(program: Program) -> TrafficRow:
    """The only exchange, with its bytes on show."""
    front = program.front
    front.window.show_pane("traffic")
    row = await program.until(lambda: next((r for r in front.traffic.model.shown if not r.is_live), None))
    front.traffic.table.select_row(row.id)
    QTest.keyClick(front.traffic.table, Qt.Key.Key_Space)
    await program.until(lambda: front.inspector.client_response.body.is_stream)
    return row


def test_the_neutral_form_stands_between_both_wires(make_program: Callable[..., Program]) -> None:
    program = make_program()
    inspector = program.front.inspector

    async def play() -> None:
        await ask(program.station.address)
        await inspected(program)
        asked: Any = inspector.panes.neutral_request.read.value
        assert asked["messages"][0] == {"role": "system", "parts": [{"text": "Be brief.", "kind": "text"}]}
        assert [tool["name"] for tool in asked["tools"]] == [LONG, "read_file"]
        assert asked["sampling"] == {"max_tokens": 500}
        inspector.tabs.setCurrentIndex(1)
        answered: Any = inspector.panes.neutral_response.read.value
        assert answered["choices"][0]["message"]["role"] == "assistant" and answered["usage"]["output"] > 0
        assert inspector.upstream_response.events.model.rowCount() > 1
        inspector.modes.button(3).click()
        heads = [pane.capture.head for pane in inspector.panes.wires if pane.capture is not None]
        assert len(heads) == 4 and all(heads) and "sk-secret" not in str(heads)
        assert dict(heads[3])["content-type"].startswith("text/event-stream")

    program.play(play())


def test_what_the_translation_changed_is_told_in_words(make_program: Callable[..., Program]) -> None:
    program = make_program()
    changes = program.front.inspector.changes

    async def play() -> None:
        await ask(program.station.address)
        await inspected(program)
        program.front.inspector.tabs.setCurrentIndex(3)
        await program.until(lambda: changes.model.rowCount() > 0)
        assert changes.before.currentText() == "Neutral: client request"
        told = [str(meaning) for meaning in changes.model.meanings if meaning is not None]
        assert any(words.startswith(f"tool renamed: {LONG} → look_up_the_weather") for words in told)
        assert "1 tool renamed" in changes.summary.text()

    program.play(play())


def test_the_tools_that_were_really_sent_are_listed_with_the_reasons(make_program: Callable[..., Program]) -> None:
    program = make_program()
    front, console = program.front, program.station.console

    async def play() -> None:
        console.enable_tool("write_file", False)
        await ask(program.station.address, x_callgate_tools="all")
        await inspected(program)
        front.inspector.tabs.setCurrentIndex(2)
        told = await program.until(lambda: front.inspector.sent_tools.told)
        client = {tool.name: tool for tool in told.from_client}
        assert client["read_file"].fate == "sent"
        assert client[LONG].fate == "changed" and 0 < len(client[LONG].sent_as) <= 64
        assert "search_text" in {tool.name for tool in told.added}
        assert all(tool.fate == "sent" for tool in told.added)
        why = {name: one.why for one in told.left_out for name in one.tools}
        assert why["write_file"] == OFF and why["read_file"] == SAME_NAME
        words = front.inspector.sent_tools.summary.text()
        assert words.startswith("2 from the client,") and f"{len(told.tools)} reached the provider" in words

    program.play(play())


def test_a_client_that_asked_for_no_tools_is_told_so(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        await ask(program.station.address)
        row = await inspected(program)
        told = await program.station.console.wire_desk.tools_sent(row.exchange_id, 1)
        assert told is not None and told.added == ()
        assert [one.why for one in told.left_out] == [NOT_ASKED]
        assert await program.station.console.wire_desk.tools_sent(row.exchange_id, 9) is None

    program.play(play())


def test_requests_can_be_copied_and_run_again(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        await ask(program.station.address)
        await inspected(program)
        menu = program.front.inspector.copy_button.menu()
        assert menu is not None
        copied: dict[str, str] = {}
        for action in menu.actions():
            if not action.isSeparator():
                action.trigger()
                copied[action.text()] = QGuiApplication.clipboard().text()
        assert copied["Client request as curl"].startswith(f"curl {program.station.address}/v1/messages")
        assert '"log"' not in copied["Exchange as HAR entry"] and '"request"' in copied["Exchange as HAR entry"]
        assert all("sk-secret" not in text for text in copied.values())
        compile(copied["Client request as Python"], "copied", "exec")

    program.play(play())
