"""An Anthropic client talks to an OpenAI-like model: the inspector shows every form, what changed, and the tools."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import httpx
import jsonschema_rs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget
from tests.export.har_schema import HAR_SCHEMA
from tests.fakes.scripted_provider import Reply, provider
from tests.flows.conftest import Program

from callgate.engine.offer.offering import NOT_ASKED, OFF, SAME_NAME
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
    window_app = program.window_app
    window_app.window.show_pane("traffic")
    row = await program.until(lambda: next((r for r in window_app.traffic.model.shown if not r.is_live), None))
    window_app.traffic.table.select_row(row.id)
    QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Space)
    await program.until(lambda: window_app.inspector.client_response.body.is_stream)
    return row


def test_the_neutral_form_stands_between_both_wires(make_program: Callable[..., Program]) -> None:
    program = make_program()
    inspector = program.window_app.inspector

    async def play() -> None:
        await ask(program.runtime.address)
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
    changes = program.window_app.inspector.changes

    async def play() -> None:
        await ask(program.runtime.address)
        await inspected(program)
        program.window_app.inspector.tabs.setCurrentIndex(3)
        await program.until(lambda: changes.model.rowCount() > 0)
        assert changes.before.currentText() == "Neutral: client request"
        told = [str(meaning) for meaning in changes.model.meanings if meaning is not None]
        assert any(words.startswith(f"tool renamed: {LONG} → look_up_the_weather") for words in told)
        assert "1 tool renamed" in changes.summary.text()

    program.play(play())


def test_the_tools_that_were_really_sent_are_listed_with_the_reasons(make_program: Callable[..., Program]) -> None:
    program = make_program()
    window_app, console = program.window_app, program.runtime.console

    async def play() -> None:
        console.enable_tool("write_file", False)
        await ask(program.runtime.address, x_callgate_tools="all")
        await inspected(program)
        window_app.inspector.tabs.setCurrentIndex(2)
        told = await program.until(lambda: window_app.inspector.sent_tools.told)
        client = {tool.name: tool for tool in told.from_client}
        assert client["read_file"].fate == "sent"
        assert client[LONG].fate == "changed" and 0 < len(client[LONG].sent_as) <= 64
        assert "search_text" in {tool.name for tool in told.added}
        assert all(tool.fate == "sent" for tool in told.added)
        why = {name: one.why for one in told.left_out for name in one.tools}
        assert why["write_file"] == OFF and why["read_file"] == SAME_NAME
        words = window_app.inspector.sent_tools.summary.text()
        assert words.startswith("2 from the client,") and f"{len(told.tools)} reached the provider" in words

    program.play(play())


def test_a_client_that_asked_for_no_tools_is_told_so(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        await ask(program.runtime.address)
        row = await inspected(program)
        told = await program.runtime.console.wire_service.tools_sent(row.exchange_id, 1)
        assert told is not None and told.added == ()
        assert [one.why for one in told.left_out] == [NOT_ASKED]
        assert await program.runtime.console.wire_service.tools_sent(row.exchange_id, 9) is None

    program.play(play())


def test_requests_can_be_copied_and_run_again(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        await ask(program.runtime.address)
        await inspected(program)
        menu = program.window_app.inspector.copy_button.menu()
        assert menu is not None
        copied: dict[str, str] = {}
        for action in menu.actions():
            if not action.isSeparator():
                action.trigger()
                copied[action.text()] = QGuiApplication.clipboard().text()
        assert copied["Client request as curl"].startswith(f"curl {program.runtime.address}/v1/messages")
        entry = copied["Client exchange as HAR entry"]
        assert '"log"' not in entry and '"request"' in entry
        assert all("sk-secret" not in text for text in copied.values())
        compile(copied["Client request as Python"], "copied", "exec")

    program.play(play())


GEMINI = (
    b'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Done."}]},"finishReason":"STOP"}],'
    b'"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"totalTokenCount":11},"modelVersion":"g-1"}\n\n'
)
CHAT: dict[str, Any] = {
    "model": "g-1",
    "stream": True,
    "seed": 7,
    "logprobs": True,
    "logit_bias": {"50256": -100},
    "messages": [
        {"role": "user", "content": "Hello"},
        {"role": "user", "content": "What does notes.txt say?"},
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "call|1.x", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "call|1.x", "content": "buy milk"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "read_file",
                "parameters": {
                    "$schema": "http://json-schema.org/draft-07/schema#",
                    "type": "object",
                    "properties": {"path": {"type": "string"}},
                },
            },
        }
    ],
}


def test_merged_messages_rewritten_ids_and_dropped_keywords_are_told_and_shown_side_by_side(
    make_program: Callable[..., Program],
) -> None:
    with provider(Reply(GEMINI)) as gemini:
        program = make_program(
            f'[[upstreams]]\nname = "g"\nwire = "gemini"\nbase_url = "{gemini.address}"\nmodels = ["g-*"]\n'
        )
        window_app = program.window_app
        changes = window_app.inspector.changes

        async def play() -> None:
            async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
                sent = {"authorization": "Bearer sk-secret-0123456789", "x-callgate-agent": "flow"}
                address = f"{program.runtime.address}/v1/chat/completions"
                (await client.post(address, json=CHAT, headers=sent)).raise_for_status()
            row = await inspected(program)
            assert (row.wire, row.upstream_wire) == ("openai-chat", "gemini")
            assert "not as said: " in window_app.inspector.head.notes.text(), "what Gemini's wire has no word for"
            window_app.inspector.tabs.setCurrentIndex(3)
            await program.until(lambda: changes.model.rowCount() > 0 and changes.sides.after.is_loaded)
            told = [str(meaning) for meaning in changes.model.meanings if meaning is not None]
            assert "message merged: user" in told and "keyword dropped: $schema" in told
            assert any(words.startswith("id rewritten: call|1.x → call_") for words in told)
            assert any(words.startswith("setting dropped") and "logit_bias" in words for words in told)
            for words in ("1 message merged", "2 ids rewritten", "1 keyword dropped"):
                assert words in changes.summary.text()
            assert changes.sides.isVisible(), "the page has room for both forms"
            for number, change in enumerate(changes.model.changes):
                changes.list.setCurrentIndex(changes.model.index(number))
                lines = [text.rows[text.pointed] for text in (changes.sides.before, changes.sides.after)]
                kinds = {"added": ("plain", "added"), "removed": ("removed", "plain"), "changed": ("removed", "added")}
                assert tuple(line.kind for line in lines) == kinds[change.kind], change.where
            changes.before.setCurrentIndex(changes.before.findText("Client request"))
            changes.after.setCurrentIndex(changes.after.findText("Client response"))
            await program.until(lambda: changes.sides.after.accessibleName() == "Client response")

        program.play(play())


def test_the_inspector_has_the_whole_width_and_the_keyboard_stays_with_the_rows(
    make_program: Callable[..., Program],
) -> None:
    program = make_program()
    window_app = program.window_app
    docks = [window_app.window.findChild(QDockWidget, name) for name in ("toolsDock", "conversationsDock")]

    async def play() -> None:
        window_app.window.resize(1280, 800)
        await ask(program.runtime.address)
        await ask(program.runtime.address)
        first = await inspected(program)
        assert all(dock.isHidden() for dock in docks)
        panes = window_app.inspector.panes
        three = (panes.client_request, panes.neutral_request, panes.upstream_request)
        lefts = [pane.mapTo(window_app.window, QPoint()).x() for pane in three]
        assert lefts == sorted(lefts) and all(pane.width() > 380 and pane.height() > 250 for pane in three)
        assert window_app.traffic.table.hasFocus()
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_J)
        await program.until(lambda: window_app.inspector.row is not None and window_app.inspector.row.id != first.id)
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Escape)
        assert not window_app.inspector.isVisible() and not any(dock.isHidden() for dock in docks)
        QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Space)
        window_app.inspector.head.move_button.click()
        assert window_app.inspector.isVisible() and window_app.inspector.width() < 500
        shown = [pane for pane in three if pane.isVisible()]
        assert shown == [panes.client_request] and shown[0].height() > 200, "one at a time where there is little room"

    program.play(play())
    program.restart()

    async def again() -> None:
        await inspected(program)
        assert program.window_app.inspector_home.place == "pane" and program.window_app.inspector.isVisible()

    program.play(again())


def test_events_are_listed_with_the_times_at_which_they_came(make_program: Callable[..., Program]) -> None:
    program = make_program()
    inspector = program.window_app.inspector

    async def play() -> None:
        await ask(program.runtime.address)
        await inspected(program)
        inspector.tabs.setCurrentIndex(1)
        inspector.modes.button(2).click()
        for pane in (inspector.upstream_response, inspector.client_response):
            assert pane.events.isVisible()
            times = [event.at for event in pane.body.events]
            assert len(times) > 3 and times == sorted(times) and times[0] >= pane._since > 0
            assert all(pane.events.model.index(row, 0).data().endswith("ms") for row in range(len(times)))
        texts = [inspector.upstream_response.events.model.index(row, 4).data() for row in range(1, 6)]
        assert any(text.startswith("delta.content ") for text in texts), "what is new, not what is repeated"
        inspector.client_response.events.table.selectRow(1)
        assert inspector.client_response.events.detail.isVisible()

    program.play(play())


def test_a_copied_har_entry_is_one_that_other_programs_read(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        await ask(program.runtime.address)
        await inspected(program)
        action = next(
            action for action in program.window_app.inspector.copy_button.menu().actions() if "HAR" in action.text()
        )
        action.trigger()
        entry = json.loads(QGuiApplication.clipboard().text())
        log = {"log": {"version": "1.2", "creator": {"name": "Callgate", "version": "1"}, "entries": [entry]}}
        jsonschema_rs.validator_for(HAR_SCHEMA, validate_formats=True).validate(log)
        assert entry["response"]["status"] == 200 and "sk-secret" not in json.dumps(entry)
        assert program.window_app.inspector.copy_button.text() == "Copied"

    program.play(play())


def copies(program: Program) -> dict[str, str]:
    copied: dict[str, str] = {}
    for action in program.window_app.inspector.copy_button.menu().actions():
        if not action.isSeparator():
            action.trigger()
            copied[action.text()] = QGuiApplication.clipboard().text()
    return copied


async def run(*argv: str) -> str:
    environment = {"API_KEY": "sk-mine", "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    process = await asyncio.create_subprocess_exec(
        *argv, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    out, _ = await asyncio.wait_for(process.communicate(), 10)
    assert process.returncode == 0
    return out.decode()


def test_what_was_copied_runs_as_it_is_and_asks_the_true_address(make_program: Callable[..., Program]) -> None:
    """The copied lines are run by a real shell and a real Python; the endpoint gets the same request each time."""
    with provider(*(Reply(GEMINI) for _ in range(5))) as gemini:
        program = make_program(
            f'[[upstreams]]\nname = "g"\nwire = "gemini"\nbase_url = "{gemini.address}"\nmodels = ["g-*"]\n'
        )

        async def play() -> None:
            async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
                sent = {"authorization": "Bearer sk-secret-0123456789", "x-callgate-agent": "flow"}
                address = f"{program.runtime.address}/v1/chat/completions"
                (await client.post(address, json=CHAT, headers=sent)).raise_for_status()
            await inspected(program)
            copied = copies(program)
            assert all("sk-secret" not in text for text in copied.values())
            entry = json.loads(copied["Upstream exchange as HAR entry"])
            assert entry["request"]["url"] == f"{gemini.address}/v1beta/models/g-1:streamGenerateContent?alt=sse"
            log = {"log": {"version": "1.2", "creator": {"name": "Callgate", "version": "1"}, "entries": [entry]}}
            jsonschema_rs.validator_for(HAR_SCHEMA, validate_formats=True).validate(log)
            assert "Done." in await run("sh", "-c", copied["Upstream request as curl"])
            assert "Done." in await run(sys.executable, "-c", copied["Upstream request as Python"])
            first, *again = gemini.asked
            assert [one.body for one in again] == [first.body] * 2
            assert [one.path for one in again] == [first.path] * 2
            for name in ("Client request as curl", "Client request as Python"):
                argv = ("sh", "-c") if name.endswith("curl") else (sys.executable, "-c")
                assert "Done." in await run(*argv, copied[name])
            window_app = program.window_app
            window_app.inspector.modes.button(3).click()
            await program.until(window_app.inspector.upstream_request.head.isVisible)
            assert window_app.inspector.upstream_request.head.text.toPlainText().startswith(
                f"POST {gemini.address}/v1beta"
            )

        program.play(play())


def test_what_a_provider_refuses_with_is_on_show_with_its_status(make_program: Callable[..., Program]) -> None:
    refusal = b'{"error":{"code":400,"message":"no such thing","status":"INVALID_ARGUMENT"}}'
    with provider(Reply(refusal, status=400, content_type="application/json")) as gemini:
        program = make_program(
            f'[[upstreams]]\nname = "g"\nwire = "gemini"\nbase_url = "{gemini.address}"\nmodels = ["g-*"]\n'
        )
        window_app = program.window_app

        async def play() -> None:
            async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
                address = f"{program.runtime.address}/v1/chat/completions"
                assert (await client.post(address, json=CHAT)).status_code == 400
            window_app.window.show_pane("traffic")
            row = await program.until(lambda: next((r for r in window_app.traffic.model.shown if not r.is_live), None))
            window_app.traffic.table.select_row(row.id)
            QTest.keyClick(window_app.traffic.table, Qt.Key.Key_Space)
            await program.until(lambda: window_app.inspector.upstream_response.capture is not None)
            assert window_app.inspector.upstream_response.body.data == refusal
            window_app.inspector.tabs.setCurrentIndex(1)
            window_app.inspector.modes.button(3).click()
            assert ":status: 400" in window_app.inspector.upstream_response.head.text.toPlainText()
            assert json.loads(copies(program)["Upstream exchange as HAR entry"])["response"]["status"] == 400

        program.play(play())
