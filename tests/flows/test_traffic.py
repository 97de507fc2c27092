"""A program's request appears in the traffic table; its bytes can be inspected and sent again."""

import json
from collections.abc import Callable

import httpx
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.flows.conftest import Program

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
