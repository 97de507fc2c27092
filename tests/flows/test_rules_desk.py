"""The page of rules on a real engine: changed definitions, foreign rules, calls made again; and the gate's time box."""

import asyncio
import json
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_verbs import armed, dialog_of, told

from callgate.core.events import ExchangeStarted, GateChanged
from callgate.core.gate_mode import GateMode
from callgate.core.rules.policy import Rule
from callgate.core.tool import ToolSpec
from callgate.ui.settings.rules_page import RulesPage

MakeProgram = Callable[..., Program]
OLD = ToolSpec("Deploy", "Deploys to staging.", {"type": "object"})
NEW = ToolSpec("Deploy", "Deploys to production.", {"type": "object"})


async def open_page(program: Program) -> RulesPage:
    program.window_app.window.actions_of_window.of_pages["rules"].trigger()
    await program.until(program.window_app.rules.isVisible)
    program.window_app.window.activateWindow()
    await program.until(program.window_app.window.isActiveWindow)
    return program.window_app.rules


def offer(program: Program, spec: ToolSpec, number: int) -> None:
    program.runtime.bus.publish(
        ExchangeStarted(f"e{number}", "c", "claude-code", "anthropic", "m", False, 0, (), (spec,), float(number))
    )


def test_a_grant_for_a_changed_tool_is_accepted_again_after_its_diff_was_seen(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        console = program.runtime.console
        offer(program, OLD, 1)
        rule = console.add_rule(Rule("allow", "Deploy", "client", fingerprint=OLD.fingerprint), "always")
        offer(program, NEW, 2)
        held = hold(program, "Deploy", {}, owner="client", fingerprint=NEW.fingerprint)
        await program.until(dialog_of(program).sheet.background.definition.isVisible)
        assert not held.done(), "the grant does not count for what nobody has approved"
        page = await open_page(program)
        await program.until(lambda: page.list._suspended.keys() == {rule.id})
        page.list.choose(rule.id)
        box = page.list.suspended
        await program.until(box.isVisible)
        added = [row.text for row in box.definition.diff.sections[0].text.rows if row.kind == "added"]
        assert added == ['  "description": "Deploys to production.",']
        await program.click("acceptDefinition", page)
        assert (await held).state == "Released", "what waits is judged again"
        await program.until(box.isHidden)
        assert console.rules()[0].fingerprint == NEW.fingerprint

    program.play(flow())


def test_rules_of_claude_code_are_brought_in_after_a_look_and_taken_out_again(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        page = await open_page(program)
        page.more.import_chosen.emit()
        settings = {"permissions": {"allow": ["Read(src/**)"], "deny": ["WebFetch"], "ask": ["Bash(git push:*)"]}}
        page.importing.field.setPlainText(json.dumps(settings))
        assert page.importing.words.startswith("From Claude Code:")
        assert program.runtime.console.rules() == (), "looking takes nothing"
        page.importing.scope.choose("session")
        QTest.mouseClick(page.importing.take, Qt.MouseButton.LeftButton)
        rules = program.runtime.console.rules()
        assert {rule.verdict for rule in rules} == {"allow", "deny", "ask"}
        await program.until(lambda: page.list.model.rowCount() == len(rules))
        assert "rules from Claude Code were saved" in page.undo.words
        page.more.copy_chosen.emit()
        assert QGuiApplication.clipboard().text().count("[[rules]]") == len(rules)

    program.play(flow())


def test_a_denied_call_is_made_again_and_asks_again(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        held = hold(program, "read_file", {"path": "notes.txt"})
        own = hold(program, "Read", {"file_path": "x"}, owner="client")
        for _ in range(2):
            for _ in range(2):
                QTest.mouseClick(await armed(program), Qt.MouseButton.LeftButton)
        await asyncio.gather(held, own)
        page = await open_page(program)
        await program.until(lambda: page.denied.count == 2)
        page.tabs.setCurrentWidget(page.denied)
        rows = [page.denied.model.index(row) for row in range(2)]
        for row in rows:
            page.denied.list.setCurrentIndex(row)
            why = program.find(QLabel, "whyNoRetry", page)
            if "read_file" in str(row.data()):
                assert page.denied.retry.isEnabled()
                chosen = row
            else:
                assert not page.denied.retry.isEnabled() and "claude-code" in why.text()
                assert page.denied.allow.isEnabled(), "allow next time is what is left"
        page.denied.list.setCurrentIndex(chosen)
        await program.click("retryCall", page)
        QTest.mouseClick(await armed(program, "approveButton"), Qt.MouseButton.LeftButton)
        past = await program.runtime.console.past_invocations(1)
        while past[0].state != "Completed" or "buy milk" not in told(past[0]):
            await asyncio.sleep(0.01)
            past = await program.runtime.console.past_invocations(1)
        assert past[0].agent == "callgate"

    program.play(flow())


def test_an_open_gate_falls_back_by_itself_and_everybody_hears_of_it(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        switch = program.find(QPushButton, "gateMode")
        heard: list[str] = []
        program.runtime.bus.subscribe(
            lambda event: heard.append(event.mode.kind) if isinstance(event, GateChanged) else None
        )
        program.runtime.console.set_gate_mode(GateMode("observe", program.runtime.gate._clock() + 0.3))
        await program.until(lambda: switch.property("kind") == "alarm")
        await program.until(lambda: switch.property("kind") != "alarm" and "rules" in switch.text().lower())
        await program.until(lambda: heard == ["observe", "rules"])

    program.play(flow())
