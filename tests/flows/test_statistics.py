"""What agents did is counted on the statistics page, also after a restart, and leads back to the traffic."""

from collections.abc import Callable

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision


async def one_call(program: Program, verb: str) -> None:
    console, window_app = program.runtime.console, program.window_app
    sending = window_app.bridge.start(
        console.send("What does notes.txt say?", model="callgate-demo"), window_app.window, "say"
    )
    (waiting,) = await program.until(console.waiting)
    console.decide(waiting.id, Decision("approve" if verb == "approve" else "deny"), "card")
    await sending


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of panes that are raised
def test_calls_decisions_tokens_and_waits_are_counted(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def count() -> None:
        page = program.window_app.statistics
        program.window_app.window.show_page("statistics")
        assert page.isVisible()
        await program.until(lambda: page.board.calls.figure.text() == "2")
        assert page.board.calls.note.text() == "1 denied" and page.board.rounds.figure.text() == "4"
        (bar,) = page.board.tools.bars
        assert (bar.name, [value for value, _ in bar.parts]) == ("read_file", [1, 1, 0, 0])
        assert page.board.waited.figure.text() != "–" and sum(page.board.latency.layers[0].values) == 2
        assert page.board.agents.bars[0].name == "callgate" and page.board.models.bars[0].name == "callgate-demo"
        assert page.board.cost.figure.text() == "$0" and not page.board.tokens.is_empty

    async def play() -> None:
        await one_call(program, "approve")
        await one_call(program, "deny")
        await count()
        program.window_app.statistics.board.tools.picked.emit("read_file")
        await program.until(lambda: program.window_app.traffic.model.filtered)
        assert program.window_app.traffic.filter.line.text() == 'tool="read_file"'
        program.window_app.statistics.closed.emit()
        assert not program.window_app.statistics.isVisible()

    program.play(play())
    program.restart()
    program.play(count())


def test_an_empty_page_says_so(make_program: Callable[..., Program]) -> None:
    program = make_program()
    page = program.window_app.statistics

    async def play() -> None:
        program.window_app.window.show_page("statistics")
        await program.until(lambda: page._empty.isVisible())

    program.play(play())


async def post(program: Program, agent: str, model: str) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        body = {"model": model, "messages": [{"role": "user", "content": "Say hello"}]}
        address = f"{program.runtime.address}/v1/chat/completions"
        (await client.post(address, json=body, headers={"x-callgate-agent": agent})).raise_for_status()


@pytest.mark.qt_log_ignore("does not support")
def test_numbers_are_told_by_agent_and_by_model_and_lead_to_the_traffic(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app = program.window_app
    page, board = window_app.statistics, window_app.statistics.board

    async def play() -> None:
        for agent, model in (("codex", "callgate-demo"), ("codex", "demo/other"), ("cursor", "callgate-demo")):
            await post(program, agent, model)
        window_app.window.show_page("statistics")
        await program.until(lambda: board.rounds.figure.text() == "3")
        by_agent = {bar.name: bar.total for bar in board.agents.bars}
        assert set(by_agent) == {"codex", "cursor"} and by_agent["codex"] > by_agent["cursor"] > 0
        assert len(board.models.bars) == 2
        page.agent.choose("codex")
        assert board.rounds.figure.text() == "2" and [bar.name for bar in board.agents.bars] == ["codex"]
        page.model.choose("callgate-demo")
        assert board.rounds.figure.text() == "1"
        page.agent.choose("")
        assert board.rounds.figure.text() == "2"
        place = board.agents.bar_rect(0).center().toPoint()
        QTest.mouseClick(board.agents, Qt.MouseButton.LeftButton, pos=place)
        await program.until(lambda: window_app.traffic.model.filtered)
        name = board.agents.bars[0].name
        assert window_app.traffic.filter.line.text() == f'agent="{name}"'
        await program.until(lambda: {row.agent for row in window_app.traffic.model.shown} == {name})

    program.play(play())


def test_cost_follows_the_price_table_over_time(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app = program.window_app

    async def play() -> None:
        await post(program, "codex", "callgate-demo")
        window_app.window.show_page("statistics")
        board = window_app.statistics.board
        await program.until(lambda: board.rounds.figure.text() == "1")
        assert board.costs.is_empty
        window_app.prices.save({"callgate-*": {"input": 1000.0, "output": 1000.0}})
        assert board.cost.figure.text() not in ("$0", "–") and not board.costs.is_empty
        assert [layer.name for layer in board.costs.layers] == ["callgate-demo"]

    program.play(play())
