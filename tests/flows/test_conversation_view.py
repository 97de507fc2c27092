"""A conversation in the real window: calls forming, results by what they are, finding, and looking the same later."""

import asyncio
import json
import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision, shown_hash
from callgate.ui.conversation.blocks import CallBlock, TextBlock
from callgate.ui.conversation.call_card import CallCard
from callgate.ui.result_view.view import ResultView
from callgate.ui.text.json_outline import JsonOutline

MakeProgram = Callable[..., Program]
TABLE = json.dumps([{"name": f"file_{n}", "size": n * 100} for n in range(30)])
DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"
RULE = '[[rules]]\nverdict = "allow"\ntool = "read_file"\nwhen = "args.path:*.txt"\n'
FINISHED = Reply(chat_stream({"content": "Done: all is **well**.\n\n```py\nprint(1)\n```\n"}))


def upstream(address: str) -> str:
    return f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["gpt-a"]\n'


async def say(program: Program, text: str) -> None:
    composer = program.window_app.conversation.composer
    composer.message.set_text(text)
    await program.until(composer.send_button.isEnabled)
    composer.send_button.click()


def cards(program: Program) -> list[CallCard]:
    view = program.window_app.conversation.view
    found = [view.widget_of(b.id) for b in view.transcript.blocks if isinstance(b, CallBlock)]
    return [card for card in found if isinstance(card, CallCard)]


async def over(program: Program) -> None:
    view = program.window_app.conversation.view
    await program.until(lambda: view.transcript.blocks and not view.transcript.running)


def rows(card: CallCard) -> list[str]:
    model = card.findChild(JsonOutline, "argumentTree").json
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def held(first: bytes, hold: threading.Event) -> Reply:
    """Half of the bytes at once, the rest when the test says so."""
    return Reply(first, hold=hold)


def test_a_forming_call_shows_its_tree_its_errors_and_what_the_rules_will_say(make_program: MakeProgram) -> None:
    hold = threading.Event()
    pieces = ('{"path": "notes.txt", "start_line": "ten", ', *(f'"x{n}": "{n}", ' for n in range(12)), '"end_line": 1}')
    stream = chat_stream(*call_deltas(0, "call_1", "read_file", *pieces), finish="tool_calls")
    with provider(held(stream, hold), FINISHED) as up:
        program = make_program(upstream(up.address) + RULE)

        async def flow() -> None:
            await say(program, "Read it")
            [card] = await program.until(lambda: cards(program))
            early = card.findChild(QLabel, "earlyVerdict")
            await program.until(lambda: early.isVisible() and len(rows(card)) > 2)
            assert early.text() == "So far allowed by rule: allow read_file when args.path:*.txt"
            assert rows(card)[0] == 'path: "notes.txt"'
            assert 'is not of type "integer"' in rows(card)[1]
            assert "Additional properties" in card.findChild(QLabel, "schemaErrors").text()
            hold.set()
            await over(program)
            assert not early.isVisible()
            assert "Additional properties" in card.findChild(QLabel, "schemaErrors").text(), "it says why it never ran"

        program.play(flow())


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (TABLE, "table"),
        ('{"a": {"b": [1, 2]}}', "JSON"),
        (DIFF, "diff"),
        ("\x1b[31mred\x1b[0m\n[exit code 3]", "terminal"),
        ("# Title\n\nSome **bold** text\n", "Markdown"),
        ("just words", "text"),
    ],
)
def test_a_result_is_shown_by_what_it_is_and_as_it_came(make_program: MakeProgram, result: str, kind: str) -> None:
    one = chat_stream(*call_deltas(0, "call_1", "read_file", '{"path": "notes.txt"}'), finish="tool_calls")
    with provider(Reply(one), FINISHED) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            await say(program, "Read it")
            [waiting] = await program.until(program.runtime.console.waiting)
            program.window_app.approvals.dialog.reject()
            decision = Decision("answer", result=result, shown=shown_hash(waiting))
            program.runtime.console.decide(waiting.id, decision, "card")
            await over(program)
            [card] = cards(program)
            shown = card.findChild(ResultView)
            assert shown.isVisible() and shown.kinds == (kind,)
            shown.raw.click()
            assert shown.text == result
            assert [b.note for b in program.window_app.conversation.view.transcript.blocks if hasattr(b, "note")][
                -1
            ] == "answered"

        program.play(flow())


def test_ctrl_f_finds_in_the_conversation_and_not_in_the_tools(make_program: MakeProgram) -> None:
    with provider(Reply(chat_stream({"content": "A walrus.\n\n" * 40 + "The end."}))) as up:
        program = make_program(upstream(up.address))

        async def flow() -> None:
            panel = program.window_app.conversation
            await say(program, "Tell me")
            await over(program)
            program.window_app.window.activateWindow()
            panel.view.setFocus()
            await program.until(panel.view.hasFocus)
            QTest.keyClick(panel.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
            await program.until(panel.find_bar.isVisible)
            panel.find_bar.field.setText("walrus")
            await program.until(lambda: panel.find_bar.count.text().endswith("of 40"))
            QTest.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
            QTest.keyClick(panel.find_bar.field, Qt.Key.Key_Escape)
            assert not panel.find_bar.isVisible() and panel.view.hasFocus()

        program.play(flow())


@pytest.mark.parametrize("result", [TABLE, '{"a": {"b": [1, 2]}}', DIFF, "\x1b[31mred\x1b[0m\n[exit code 3]"])
def test_a_conversation_looks_the_same_live_and_reopened(make_program: MakeProgram, result: str) -> None:
    one = chat_stream(
        {"content": "I look."}, *call_deltas(0, "call_1", "read_file", '{"path": "no', 'tes.txt"}'), finish="tool_calls"
    )
    with provider(Reply(one), FINISHED) as up:
        program = make_program(upstream(up.address))

        async def live() -> tuple[str, object]:
            panel = program.window_app.conversation
            await say(program, "Read it")
            [waiting] = await program.until(program.runtime.console.waiting)
            program.window_app.approvals.dialog.reject()
            decision = Decision("answer", result=result, shown=shown_hash(waiting))
            program.runtime.console.decide(waiting.id, decision, "card")
            await over(program)
            return panel.conversation, await picture(program)

        conversation, before = program.play(live())
        program.restart()

        async def reopened() -> object:
            panel = program.window_app.conversation
            panel.open(conversation)
            await program.until(lambda: any(isinstance(b, TextBlock) for b in panel.view.transcript.blocks))
            return await picture(program)

        assert program.play(reopened()) == before


async def picture(program: Program) -> object:
    """The column as it looks at rest, at a size of its own; the bar beside it guesses at what nobody has seen yet."""
    view = program.window_app.conversation.view
    program.window_app.window.resize(1280, 800)
    program.window_app.window.setFocus()
    for _ in range(10):
        await asyncio.sleep(0.01)
    view.setFixedSize(620, 560)
    for _ in range(10):
        await asyncio.sleep(0.01)
    return view.viewport().grab().toImage()
