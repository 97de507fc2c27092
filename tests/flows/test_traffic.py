"""A program's request appears in the traffic table; its bytes can be inspected and sent again."""

import json
import sys
from collections.abc import Callable

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.fakes.mcp_sources import SERVERS
from tests.flows.conftest import Program

from callgate.core.invocation import Decision

BODY = {"model": "callgate-demo", "stream": True, "messages": [{"role": "user", "content": "Say hello"}]}


async def ask(address: str) -> bytes:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        headers = {"authorization": "Bearer sk-secret-0123456789", "x-callgate-agent": "flow"}
        return (await client.post(f"{address}/v1/chat/completions", json=BODY, headers=headers)).content


def test_a_request_is_seen_inspected_and_opened(make_program: Callable[..., Program]) -> None:
    program = make_program()
    front = program.front

    async def play() -> None:
        answer = await ask(program.station.address)
        front.window.show_pane("traffic")
        row = await program.until(lambda: next((r for r in front.traffic.model.shown if not r.is_live), None))
        assert (row.agent, row.model, row.code) == ("flow", "callgate-demo", 200)
        assert row.first_token_seconds is not None and 0 < row.first_token_seconds < row.seconds
        front.traffic.table.select_row(row.id)
        QTest.keyClick(front.traffic.table, Qt.Key.Key_Space)
        await program.until(lambda: front.inspector.client_response.body.is_stream)
        assert json.loads(front.inspector.client_request.body.data) == BODY
        assert front.inspector.client_response.body.data == answer
        head = front.inspector.held["client_request", 0].head
        assert dict(head)["authorization"] == "Bearer ***"
        QTest.keyClick(front.traffic.table, Qt.Key.Key_Return)
        assert front.conversation.conversation == row.conversation_id

    program.play(play())


def test_traffic_of_an_earlier_run_is_there_again(make_program: Callable[..., Program]) -> None:
    program = make_program()
    program.play(ask(program.station.address))
    program.restart()
    program.front.window.show_pane("traffic")

    async def look() -> None:
        (row,) = await program.until(lambda: list(program.front.traffic.model.shown))
        assert (row.agent, row.status, row.code) == ("flow", "completed", 200)
        program.front.traffic.copy_curl(row)
        await program.until(lambda: QGuiApplication.clipboard().text().startswith("curl"))
        copied = QGuiApplication.clipboard().text()
        assert "sk-secret" not in copied and f"{program.station.address}/v1/chat/completions" in copied

    QGuiApplication.clipboard().clear()
    program.play(look())


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every popup
def test_a_filter_is_completed_typed_and_left_by_keyboard(make_program: Callable[..., Program]) -> None:
    program = make_program()
    front = program.front

    async def play() -> None:
        await ask(program.station.address)
        front.window.show_pane("traffic")
        await program.until(lambda: front.traffic.model.rowCount() == 1)
        front.traffic.focus_filter()
        line = front.traffic.filter.line
        QTest.keyClicks(line, "agent:fl")
        completer = front.traffic.filter._completer
        await program.until(lambda: completer.popup().isVisible())
        assert completer.model().index(0, 0).data() == "flow"
        completer.activated.emit("flow")
        assert line.text() == "agent:flow" and front.traffic.model.rowCount() == 1
        line.setText("agent:other")
        assert front.traffic.model.rowCount() == 0 and front.traffic._no_match.isVisible()
        QTest.keyClick(line, Qt.Key.Key_Escape)
        assert line.text() == "" and front.traffic.model.rowCount() == 1

    program.play(play())


def test_a_call_to_an_mcp_server_has_its_own_row_and_its_own_bar(make_program: Callable[..., Program]) -> None:
    server = f'command = [{json.dumps(sys.executable)}, {json.dumps(str(SERVERS / "rude.py"))}, "polite"]'
    program = make_program(f'[[sources]]\nname = "polite"\nkind = "mcp"\n{server}\nera = "legacy"\n')
    front, console = program.front, program.station.console

    async def play() -> None:
        await program.until(lambda: any(tool.source == "polite" for tool in console.tools()))
        front.window.show_pane("traffic")
        front.window.show_pane("timeline")
        said = console.send("#environment", model="callgate-demo")
        sending = front.bridge.start(said, front.window, "say")
        (waiting,) = await program.until(console.waiting)
        assert (waiting.tool, waiting.source) == ("environment", "polite")
        console.decide(waiting.id, Decision("approve"), "card")
        await sending
        row = await program.until(
            lambda: next((r for r in front.traffic.model.shown if r.call and not r.is_live), None)
        )
        assert (row.call, row.endpoint, row.status) == (waiting.id, "polite", "completed") and row.spent.tools > 0
        front.timeline.show_conversation(waiting.conversation_id)
        await program.until(lambda: any(span.kind == "mcp" for span in front.timeline.timeline.spans))

    program.play(play())
