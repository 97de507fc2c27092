"""A program's request appears in the traffic table; its bytes can be inspected and sent again."""

import json
import sys
from collections.abc import Callable

import httpx
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.fakes.mcp_sources import SERVERS
from tests.fakes.scripted_provider import Reply, chat_stream, provider
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision
from callgate.ui.conversation.block_widget import BlockWidget
from callgate.ui.conversation.blocks import UsageBlock
from callgate.ui.conversation.view import ConversationView
from callgate.ui.traffic.columns import AGENT, COLUMNS, DURATION, tip

BODY = {"model": "callgate-demo", "stream": True, "messages": [{"role": "user", "content": "Say hello"}]}


async def ask(address: str, **more: object) -> bytes:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        headers = {"authorization": "Bearer sk-secret-0123456789", "x-callgate-agent": "flow"}
        return (await client.post(f"{address}/v1/chat/completions", json={**BODY, **more}, headers=headers)).content


def usage_row(view: ConversationView) -> BlockWidget | None:
    """The line under the round that is shown."""
    found = (view.widget_of(block.id) for block in view.transcript.blocks if isinstance(block, UsageBlock))
    return next((widget for widget in found if widget is not None), None)


def test_a_request_is_seen_inspected_and_opened(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app = program.window_app

    async def play() -> None:
        answer = await ask(program.runtime.address)
        window_app.window.show_pane("traffic")
        row = await program.until(lambda: next((r for r in window_app.traffic.model.shown if not r.is_live), None))
        assert (row.agent, row.model, row.code) == ("flow", "callgate-demo", 200)
        assert row.first_token_seconds is not None and 0 < row.first_token_seconds < row.seconds
        window_app.traffic.table.select_row(row.id)
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Space)
        await program.until(lambda: window_app.inspector.client_response.body.is_stream)
        assert json.loads(window_app.inspector.client_request.body.data) == BODY
        assert window_app.inspector.client_response.body.data == answer
        head = window_app.inspector.held["client_request", 0].head
        assert dict(head)["authorization"] == "Bearer ***"
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Return)
        assert window_app.conversation.conversation == row.conversation_id

    program.play(play())


def test_traffic_of_an_earlier_run_is_there_again(make_program: Callable[..., Program]) -> None:
    program = make_program()
    program.play(ask(program.runtime.address))
    program.restart()
    program.window_app.window.show_pane("traffic")

    async def look() -> None:
        (row,) = await program.until(lambda: list(program.window_app.traffic.model.shown))
        assert (row.agent, row.status, row.code) == ("flow", "completed", 200)
        program.window_app.traffic.copy_as(row, "curl")
        await program.until(lambda: QGuiApplication.clipboard().text().startswith("curl"))
        copied = QGuiApplication.clipboard().text()
        assert "sk-secret" not in copied and f"{program.runtime.address}/v1/chat/completions" in copied

    QGuiApplication.clipboard().clear()
    program.play(look())


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every popup
def test_a_filter_is_completed_typed_and_left_by_keyboard(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app = program.window_app

    async def play() -> None:
        await ask(program.runtime.address)
        window_app.window.show_pane("traffic")
        await program.until(lambda: window_app.traffic.model.rowCount() == 1)
        window_app.traffic.focus_filter()
        line = window_app.traffic.filter.line
        QTest.keyClicks(line, "agent:fl")
        completer = window_app.traffic.filter._completer
        await program.until(lambda: completer.popup().isVisible())
        assert completer.model().index(0, 0).data() == "flow"
        completer.activated.emit("flow")
        assert line.text() == "agent:flow" and window_app.traffic.model.rowCount() == 1
        line.setText("agent:other")
        assert window_app.traffic.model.rowCount() == 0 and window_app.traffic._no_match.isVisible()
        QTest.keyClick(line, Qt.Key.Key_Escape)
        assert line.text() == "" and window_app.traffic.model.rowCount() == 1

    program.play(play())


def test_a_call_to_an_mcp_server_has_its_own_row_and_its_own_bar(make_program: Callable[..., Program]) -> None:
    server = f'command = [{json.dumps(sys.executable)}, {json.dumps(str(SERVERS / "rude.py"))}, "polite"]'
    program = make_program(f'[[sources]]\nname = "polite"\nkind = "mcp"\n{server}\nera = "legacy"\n')
    window_app, console = program.window_app, program.runtime.console

    async def play() -> None:
        await program.until(lambda: any(tool.source == "polite" for tool in console.tools()))
        window_app.window.show_pane("traffic")
        window_app.window.show_pane("timeline")
        said = console.send("#environment", model="callgate-demo")
        sending = window_app.bridge.start(said, window_app.window, "say")
        (waiting,) = await program.until(console.waiting)
        assert (waiting.tool, waiting.source) == ("environment", "polite")
        console.decide(waiting.id, Decision("approve"), "card")
        await sending
        row = await program.until(
            lambda: next((r for r in window_app.traffic.model.shown if r.call and not r.is_live), None)
        )
        assert (row.call, row.endpoint, row.status) == (waiting.id, "polite", "completed") and row.spent.tools > 0
        window_app.traffic.table.select_row(row.id)
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Space)
        messages = window_app.inspector.mcp.messages
        await program.until(messages.isVisible)  # of such a call the server's wire is the one that matters
        told = [messages.model.index(place, 2).data() for place in range(messages.model.rowCount())]
        assert told == ["tools/call", "answer to tools/call"]
        request, answer = (json.loads(messages.model.frame_at(place).text) for place in (0, 1))
        assert request["params"]["name"] == "environment" and answer["id"] == request["id"]
        window_app.traffic.table.select_row(f"{row.exchange_id}#2")
        assert not messages.isVisible() and not window_app.inspector.tabs.isTabVisible(4), "that round called nobody"
        window_app.timeline.show_conversation(waiting.conversation_id)
        await program.until(lambda: any(span.kind == "mcp" for span in window_app.timeline.timeline.spans))

    program.play(play())


@pytest.mark.qt_log_ignore("does not support")
def test_a_filter_is_written_with_the_keyboard_alone(make_program: Callable[..., Program]) -> None:
    """Field, value and rows: completion is accepted by its own keys, and the rows are one key away."""
    program = make_program()
    window_app = program.window_app

    async def play() -> None:
        await ask(program.runtime.address)
        window_app.window.show_pane("traffic")
        await program.until(lambda: window_app.traffic.model.rowCount() == 1)
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Slash)
        line, popup = window_app.traffic.filter.line, window_app.traffic.filter._completer.popup()
        assert line.hasFocus()
        for typed, wanted in (("age", "agent:"), ("", "agent:flow")):
            QTest.keyClicks(line, typed)
            await program.until(popup.isVisible)
            QTest.keyClick(popup, Qt.Key.Key_Down)
            QTest.keyClick(popup, Qt.Key.Key_Return)
            assert line.text() == wanted
        assert [row.agent for row in window_app.traffic.model.shown] == ["flow"]
        await program.until(lambda: not popup.isVisible())
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert window_app.traffic.table.hasFocus()

    program.play(play())


def test_a_click_on_any_header_sorts_and_columns_stay_as_they_were_left(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        table = program.window_app.traffic.table
        for _ in range(3):
            await ask(program.runtime.address)
        program.window_app.window.show_pane("traffic")
        await program.until(lambda: program.window_app.traffic.model.rowCount() == 3)
        header = table.horizontalHeader()
        for column, spec in enumerate(COLUMNS):
            table.scrollTo(program.window_app.traffic.model.index(0, column))
            place = QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)
            for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
                if (header.sortIndicatorSection(), header.sortIndicatorOrder()) != (column, order):
                    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
                assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (column, order), spec.title
                values = [
                    value for row in program.window_app.traffic.model.shown if (value := spec.sort(row)) is not None
                ]
                assert values == sorted(values, reverse=order == Qt.SortOrder.DescendingOrder)  # type: ignore[type-var]
        table._show_column(AGENT, False)

    program.play(play())
    program.restart()
    table = program.window_app.traffic.table
    assert table.isColumnHidden(AGENT) and table.horizontalHeader().sortIndicatorSection() == DURATION


def test_a_live_row_waits_in_sight_and_its_time_goes_to_the_person(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app, console = program.window_app, program.runtime.console

    async def play() -> None:
        window_app.window.show_pane("traffic")
        sending = window_app.bridge.start(
            console.send("What does notes.txt say?", model="callgate-demo"), window_app.window, "say"
        )
        (waiting,) = await program.until(console.waiting)
        model = window_app.traffic.model
        row = await program.until(
            lambda: next((one for one in model.shown if one.status == "waiting" and not one.round), None)
        )
        begun = row.spent.person
        await program.until(lambda: model.row_at(model.index(model.place_of(row.id), 0)).spent.person > begun + 0.3)
        assert not window_app.traffic.table.grab().isNull() and window_app.traffic._legend.isVisible()
        console.decide(waiting.id, Decision("approve"), "card")
        await sending
        ended = await program.until(
            lambda: next((one for one in model.shown if one.id == row.id and not one.is_live), None)
        )
        assert ended.spent.person > 0.3 and "waiting for a person" in tip(ended, DURATION)
        assert [one.round for one in model.shown if one.exchange_id == row.exchange_id] == [0, 1, 2]

    program.play(play())


def test_a_price_that_the_person_sets_is_what_traffic_costs(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app = program.window_app

    async def play() -> None:
        await ask(program.runtime.address, stream=False)
        window_app.window.show_pane("traffic")
        (row,) = await program.until(lambda: [one for one in window_app.traffic.model.shown if one.usage is not None])
        editor = window_app.traffic.price_editor
        editor.show()
        editor.add_row()
        for column, text in enumerate(("callgate-*", "1000000", "2000000")):
            editor.table.item(0, column).setText(text)
        editor.save_button.click()
        assert not editor.isVisible() and not editor.problem.text()
        (priced,) = window_app.traffic.model.shown
        assert priced.cost == pytest.approx(row.usage.input + 2 * row.usage.output)

    program.play(play())
    program.restart()
    assert program.window_app.prices.own[0].model == "callgate-*"


def test_tokens_that_nobody_counted_are_estimated_and_marked_and_the_bytes_stay_as_they_are(
    make_program: Callable[..., Program],
) -> None:
    answer = chat_stream({"content": "Hello, this is an answer of some words. " * 20})
    body = json.dumps({**BODY, "model": "gpt-5"}).encode()
    with provider(Reply(answer)) as up:
        config = f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["gpt-*"]\n'
        program = make_program(config)
        window_app = program.window_app

        async def play() -> None:
            url, head = f"{program.runtime.address}/v1/chat/completions", {"content-type": "application/json"}
            async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
                got = await client.post(url, content=body, headers=head)
            assert up.asked[0].raw == body and got.content == answer, "nobody is asked to count"
            window_app.window.show_pane("traffic")
            row = await program.until(lambda: next((r for r in window_app.traffic.model.shown if not r.is_live), None))
            assert row.usage is not None and row.usage.estimated == row.usage.total > 150
            told = {column.title: column.text(row) for column in COLUMNS}
            assert all(told[title].startswith("≈") for title in ("In", "Out", "Cost", "Tok/s"))
            window_app.conversation.open(row.conversation_id)
            view = window_app.conversation.view
            usage = await program.until(lambda: usage_row(view))
            assert usage.accessibleName().startswith("Round 1: ≈") and " · ≈$0.00" in usage.accessibleName()
            window_app.window.show_page("statistics")
            tile = window_app.statistics.board.spoken
            await program.until(lambda: tile.figure.text().startswith("≈"))
            assert tile.note.text() == "100% estimated"

        program.play(play())


def test_each_round_tells_what_it_cost_by_the_price_table(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app = program.window_app

    async def play() -> None:
        await ask(program.runtime.address, stream=False)
        row = await program.until(lambda: next((r for r in window_app.traffic.model.shown if not r.is_live), None))
        window_app.conversation.open(row.conversation_id)
        usage = await program.until(lambda: usage_row(window_app.conversation.view))
        assert "$" not in usage.accessibleName(), "it costs nothing"
        window_app.prices.save({"callgate-*": {"input": 1_000_000, "output": 1_000_000}})
        assert f"${row.usage.total:,}.00" in usage.accessibleName() and "≈" not in usage.accessibleName()

    program.play(play())
