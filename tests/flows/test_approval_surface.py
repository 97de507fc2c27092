"""What a person lays down for later, at the real window and through the real port: grants, the gate, the tray."""

import asyncio
from collections.abc import Callable, Iterator

import openai
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision
from callgate.ui.approvals.dialog import ApprovalDialog
from callgate.ui.decision.scope_box import ScopeBox

MakeProgram = Callable[..., Program]
AUTO = {"use_vscode_tools": True, "tool_execution": "auto"}
ASK = [{"role": "user", "content": "What does notes.txt say?"}]


def ask(program: Program) -> str:
    """A request of an SDK script; runs in a thread of its own."""
    with openai.OpenAI(base_url=f"{program.runtime.address}/v1", api_key="any", max_retries=0, timeout=15) as sdk:
        answer = sdk.chat.completions.create(model="any", messages=ASK, extra_body=AUTO)  # type: ignore[call-overload]
        return answer.choices[0].message.content or ""


def dialog(program: Program) -> ApprovalDialog:
    return program.window_app.approvals.dialog


def start(program: Program) -> "asyncio.Future[str]":
    return asyncio.ensure_future(asyncio.to_thread(ask, program))


def test_a_remembered_approval_lets_the_next_call_through_until_it_is_undone(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        scope = program.find(ScopeBox, "rememberScope", dialog(program))
        await program.until(scope.isEnabled)
        scope.choose("session")
        assert program.find(QLabel, "rulePreview", dialog(program)).text().endswith("when args.path is notes.txt")
        await program.click("approveButton", dialog(program))
        assert "buy milk" in await asking
        [rule] = program.runtime.console.rules()
        assert (rule.when, rule.origin) == ("args.path=notes.txt", "session")
        assert "buy milk" in await start(program), "nobody was asked"
        notice = program.window_app.window.notice
        await program.until(notice.isVisible)
        await program.click("undoButton", notice)
        assert program.runtime.console.rules() == ()
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        await program.click("approveButton", dialog(program))
        await asking

    program.play(flow())


def test_a_refused_call_is_allowed_next_time_from_the_page_of_rules(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        await program.click("denyButton", dialog(program))
        await program.click("denyButton", dialog(program))
        assert "buy milk" not in await asking
        window, rules = program.window_app.window, program.window_app.rules
        window.actions_of_window.of_pages["rules"].trigger()
        await program.until(lambda: rules.denied.count == 1)
        rules.tabs.setCurrentWidget(rules.denied)
        await program.click("allowNextTime", rules)
        assert [(rule.uses, rule.when) for rule in program.runtime.console.rules()] == [(1, "args.path=notes.txt")]
        assert "buy milk" in await start(program)
        await program.until(lambda: rules.list.model.rowCount() == 1 and "used up" in rules.list.model.index(0).data())
        QTest.keyClick(rules, Qt.Key.Key_Escape)
        assert not rules.isVisible()

    program.play(flow())


def test_the_gate_is_opened_after_a_word_of_warning_and_closed_at_once(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        window = program.window_app.window
        window.bar.gate.choose("observe")
        assert program.runtime.console.gate_mode.kind == "rules"
        await program.click("openGate", window.gate_question)
        await program.until(lambda: window.bar.gate.text().startswith("Gate: Observe only  14:5"))
        assert "buy milk" in await start(program), "nobody was asked"
        window.bar.gate.choose("ask")
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        await program.click("approveButton", dialog(program))
        await asking

    program.play(flow())


@pytest.fixture
def lasting_app(qapp: QApplication) -> Iterator[None]:
    """As the program has it: closing the last window ends nothing."""
    qapp.setQuitOnLastWindowClosed(False)
    yield
    qapp.setQuitOnLastWindowClosed(True)


@pytest.mark.usefixtures("lasting_app")
@pytest.mark.qt_log_ignore("does not support raise")  # said by Qt's offscreen platform
def test_a_call_is_noticed_and_decided_while_the_window_is_closed_to_the_tray(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        window_app, tray = program.window_app, program.tray
        window_app.tray._looks = lambda: False  # the offscreen platform takes a program without a window for active
        window_app.window.close()
        assert window_app.stays() and tray.messages[-1][0] == "Callgate is still running"
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        assert tray.count == 1 and not window_app.window.isVisible()
        assert tray.messages[-1][0] == "Tool call needs approval" and tray.messages[-1][1].endswith(
            "wants to run read_file"
        )
        await program.click("approveButton", dialog(program))
        assert "buy milk" in await asking
        await program.until(lambda: tray.count == 0)
        again = start(program)
        await program.until(lambda: tray.count == 1 and dialog(program).isVisible())
        # notifications that follow each other closely are held back for a moment
        await program.until(lambda: [title for title, _ in tray.messages].count("Tool call needs approval") == 2)
        dialog(program).reject()
        tray.message_clicked.emit()
        assert dialog(program).isVisible(), "a click on the notification leads to the call"
        [waiting] = program.runtime.console.waiting()
        assert dialog(program).current_id == waiting.id
        assert program.runtime.console.decide(waiting.id, Decision("deny"), "dialog")
        await again
        tray.clicked.emit()
        assert window_app.window.isVisible()

    program.play(flow())


@pytest.mark.usefixtures("lasting_app")
def test_a_grant_made_while_the_window_is_closed_can_be_taken_back_at_once(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        program.window_app.window.close()
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        scope = program.find(ScopeBox, "rememberScope", dialog(program))
        await program.until(scope.isEnabled)
        scope.choose("session")
        await program.click("approveButton", dialog(program))
        assert "buy milk" in await asking
        undo = program.find(QPushButton, "undoButton", dialog(program))
        await program.until(undo.isVisible)
        assert len(program.runtime.console.rules()) == 1 and not program.window_app.window.isVisible()
        QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
        assert program.runtime.console.rules() == ()
        await program.until(lambda: not dialog(program).isVisible())

    program.play(flow())


def test_without_a_tray_closing_the_window_ends_the_program(make_program: MakeProgram) -> None:
    program = make_program()
    program.tray.available = False
    assert not program.window_app.stays()
    assert program.tray.messages == []


def test_a_call_that_may_do_harm_wants_its_name(make_program: MakeProgram) -> None:
    program = make_program('[[rules]]\nverdict = "ask"\ntool = "read_file"\nnote = "high risk: private notes"\n')

    async def flow() -> None:
        asking = start(program)
        await program.until(lambda: dialog(program).isVisible())
        await program.click("approveButton", dialog(program))
        assert program.runtime.console.waiting()
        field = program.find(QLineEdit, "typedName", dialog(program))
        QTest.keyClicks(field, "read_file")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert "buy milk" in await asking

    program.play(flow())
