"""A person tries tools by hand at the real window: each call is a real one, through the gate."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)
from tests.flows.conftest import Program

from callgate.core.calls.invocation import Decision
from callgate.core.schema.form_value import same
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.try_it.page import CopyAs, TryIt

MakeProgram = Callable[..., Program]
ALLOWED = """
[[rules]]
verdict = "allow"
tool = "*"
"""


def open_tool(program: Program, name: str) -> TryIt:
    """The tool's own page, as a person gets there."""
    program.window_app.tools.reveal(name)
    tabs = program.find(QTabWidget, "toolTabs")
    tabs.setCurrentIndex([tabs.tabText(index) for index in range(tabs.count())].index("Try it"))
    found: TryIt = program.find(TryIt, "tryIt")
    assert found.tool is not None
    assert found.tool.name == name
    return found


def write(program: Program, page: TryIt, field: str, text: str) -> None:
    assert page.editor.form is not None
    page.editor.form.settle()
    for editor in (*page.editor.form.findChildren(QPlainTextEdit), *page.editor.form.findChildren(QLineEdit)):
        if editor.accessibleName() == field:
            editor.setFocus()
            editor.selectAll()
            QTest.keyClicks(editor, text)
            return
    raise AssertionError(f"there is no field {field}")


def press(page: QWidget, name: str) -> None:
    button = page.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def said(page: TryIt, name: str) -> str:
    label = page.findChild(QLabel, name)
    assert label is not None
    return label.text() if label.isVisibleTo(page) else ""


def listed(page: TryIt, name: str) -> QListWidget:
    found = page.findChild(QListWidget, name)
    assert found is not None
    return found


def test_a_tool_is_filled_in_run_and_its_result_shown_with_the_time_it_took(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "read_file")
        await program.until(page.isVisible)
        assert said(page, "tryHint") == "1 required field missing"
        write(program, page, "path", "notes.txt")
        assert json.loads(page.editor.json.text()) == {"path": "notes.txt"}
        page.window().activateWindow()
        await program.until(page.isActiveWindow)
        field = await program.until(QApplication.focusWidget)
        assert field.accessibleName() == "path"
        QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await program.until(lambda: said(page, "tryState") == "done")
        assert page.progress.result.text == "buy milk\n"
        assert "ran" in said(page, "tryTiming")
        await program.until(lambda: listed(page, "tryHistory").count() == 1)
        past = await program.runtime.console.past_invocations()
        assert [(one.tool, one.agent, one.arguments) for one in past] == [
            ("read_file", "callgate", '{"path": "notes.txt"}')
        ]

    program.play(flow())


def test_a_filled_in_call_is_copied_and_runs_elsewhere_as_it_is(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "read_file")
        write(program, page, "path", "notes.txt")
        ways = page.findChild(CopyAs, "copyTry").ways  # type: ignore[union-attr]
        copied: dict[str, str] = {}
        for action in ways.actions():
            action.trigger()
            copied[action.text()] = QApplication.clipboard().text()
        assert list(copied) == ["JSON", "curl", "Python with openai", "Python with mcp"]
        assert json.loads(copied["JSON"])["arguments"] == {"path": "notes.txt"}
        for command in (("sh", "-c", copied["curl"]), (sys.executable, "-c", copied["Python with mcp"])):
            running = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            said, _ = await running.communicate()
            assert running.returncode == 0 and b"buy milk" in said, command

    program.play(flow())


def test_a_try_is_the_persons_own_act_and_one_that_destroys_is_asked_about(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        page = open_tool(program, "read_file")
        write(program, page, "path", "notes.txt")
        press(page, "runTry")
        await program.until(lambda: said(page, "tryState") == "done")
        assert page.progress.result.text == "buy milk\n"
        assert not program.runtime.console.waiting() and not program.window_app.approvals.dialog.isVisible()
        page = open_tool(program, "delete_file")
        write(program, page, "path", "notes.txt")
        press(page, "runTry")
        await program.until(lambda: said(page, "tryState") == "waiting")
        assert "Tool call needs approval" in said(page, "tryNote")
        held = (await program.until(program.runtime.console.waiting))[0]
        program.runtime.console.decide(held.id, Decision("deny", reason="not today"), "test")
        await program.until(lambda: said(page, "tryState") == "denied")
        assert "not today" in page.progress.result.text

    program.play(flow())


def test_what_a_running_tool_says_is_shown_at_once_and_it_can_be_cancelled(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "run_command")
        write(program, page, "command", "echo started; sleep 30")
        press(page, "runTry")
        await program.until(lambda: "started" in page.progress.said.toPlainText())
        assert said(page, "tryState") == "running"
        open_tool(program, "read_file")
        assert said(page, "tryState") == ""
        open_tool(program, "run_command")
        assert said(page, "tryState") == "running"
        assert "started" in page.progress.said.toPlainText()
        press(page, "cancelTry")
        await program.until(lambda: said(page, "tryState") == "cancelled")
        assert said(page, "tryNote") == "stopped by the person"
        # the call is over a moment before the try is
        await program.until(lambda: page.findChild(QPushButton, "runTry").isVisibleTo(page))  # type: ignore[union-attr]
        assert program.runtime.console.waiting() == ()

    program.play(flow())


def test_nothing_runs_while_a_required_field_is_missing_and_the_field_says_so(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "read_file")
        press(page, "runTry")
        place = page.editor.form.at(("path",))  # type: ignore[union-attr]
        assert place is not None
        assert place.complaint == "is required"
        assert said(page, "tryHint") == "1 field to correct"
        assert not page._bench.running
        write(program, page, "path", "notes.txt")
        write(program, page, "start_line", "0")
        press(page, "runTry")
        lower = page.editor.form.at(("start_line",))  # type: ignore[union-attr]
        assert lower is not None
        await program.until(lambda: "less than the minimum" in lower.complaint)
        assert list(await program.runtime.console.past_invocations()) == []

    program.play(flow())


def test_form_and_json_are_in_step_also_while_the_text_can_not_be_read(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "read_file")
        form = page.editor.form
        assert form is not None
        page.editor.json.setPlainText('{"path": "notes.txt", "start_line": 1}')
        assert form.value() == {"path": "notes.txt", "start_line": 1}
        page.editor.json.setPlainText('{"path": "notes.txt", ')
        assert "Not valid JSON" in said(page, "tryJsonFault")
        assert not form.isEnabled()
        press(page, "runTry")
        assert not page._bench.running
        page.editor.json.setPlainText('{"path": "notes.txt"}')
        assert said(page, "tryJsonFault") == ""
        press(page, "runTry")
        await program.until(lambda: said(page, "tryState") == "done")

    program.play(flow())


def test_tries_and_examples_are_there_after_a_restart_to_be_used_again(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def first() -> None:
        page = open_tool(program, "read_file")
        write(program, page, "path", "notes.txt")
        press(page, "runTry")
        await program.until(lambda: listed(page, "tryHistory").count() == 1)
        write(program, page, "path", "other.txt")
        page.tabs.setCurrentWidget(page.examples)
        page.examples.name.setText("another file")
        press(page, "saveExample")
        assert listed(page, "tryExamples").count() == 1

    async def second() -> None:
        page = open_tool(program, "read_file")
        await program.until(lambda: listed(page, "tryHistory").count() == 1)
        page.tabs.setCurrentWidget(page.tries)
        listed(page, "tryHistory").setCurrentRow(0)
        press(page, "useTry")
        assert page.editor.arguments() == {"path": "notes.txt"}
        press(page, "showTry")
        assert page.progress.result.text == "buy milk\n"
        page.tabs.setCurrentWidget(page.examples)
        listed(page, "tryExamples").setCurrentRow(0)
        press(page, "useExample")
        assert page.editor.arguments() == {"path": "other.txt"}
        press(page, "deleteExample")
        assert listed(page, "tryExamples").count() == 0
        press(page, "undoButton")
        assert listed(page, "tryExamples").count() == 1

    program.play(first())
    program.restart()
    program.play(second())


def test_calls_that_a_model_made_for_the_person_are_no_tries(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        await program.runtime.console.send("What does notes.txt say?", model="callgate-demo")
        past = await program.runtime.console.past_invocations()
        assert {one.agent for one in past} == {"callgate"}
        tool = next(one for one in program.runtime.console.tools() if one.name == past[0].tool)
        assert list(await program.runtime.console.tries.tries(tool)) == []

    program.play(flow())


def test_a_tool_that_is_switched_off_says_why_it_can_not_be_tried(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "read_file")
        program.runtime.console.enable_tool("read_file", False)
        await program.until(lambda: "switched off" in said(page, "tryHint"))
        assert not page.findChild(QPushButton, "runTry").isEnabled()  # type: ignore[union-attr]
        program.runtime.console.enable_tool("read_file", True)
        await program.until(lambda: page.findChild(QPushButton, "runTry").isEnabled())  # type: ignore[union-attr]

    program.play(flow())


# ---- schemas of real tools ------------------------------------------------------------------------------------------


def sampled(schema: Any, name: str = "") -> Any:
    """A value for the plain schemas that real tools have, with every field that they know."""
    if "enum" in schema or "const" in schema:
        return schema["const"] if "const" in schema else schema["enum"][-1]
    if "anyOf" in schema:
        return sampled(schema["anyOf"][0], name)
    match schema.get("type"):
        case "object":
            return {key: sampled(inner, key) for key, inner in schema.get("properties", {}).items()}
        case "array":
            return [sampled(schema.get("items", {}), name)] * max(2, schema.get("minItems", 0))
        case "integer" | "number":
            return max(schema.get("minimum", 1), schema.get("exclusiveMinimum", 0) + 1)
        case "boolean":
            return True
        case "string":
            return f"{name} line 1\n\tline 2"
        case _:
            return {"any": [1, 1.0, None, "x"]}


def broken(value: dict[str, Any], schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key in value:
        wrong = {**value, key: {"not": "this"}}
        if not jsonschema.Draft202012Validator(schema).is_valid(wrong):
            yield key, wrong


def test_the_schemas_of_real_tools_round_trip_and_mark_what_is_wrong(make_program: MakeProgram, tmp_path: Path) -> None:
    servers = "".join(
        f'[[sources]]\nname = "{name}"\nkind = "mcp"\nera = "legacy"\ncommand = {command}\n'
        for name, command in (
            ("git", json.dumps([sys.executable, "-m", "mcp_server_git"])),
            ("time", json.dumps([sys.executable, "-m", "mcp_server_time"])),
        )
    )
    program = make_program(servers)

    async def flow() -> None:
        await program.until(lambda: {"git", "time"} <= {tool.source for tool in program.runtime.console.tools()})

    program.play(flow())
    tools = program.runtime.console.tools()
    assert len(tools) > 30
    theme = Theme()
    for tool in tools:
        schema = dict(tool.schema)
        value = sampled({"type": "object", **schema})
        jsonschema.Draft202012Validator(schema).validate(value)
        form = SchemaForm(schema, theme)
        form.set_value(value)
        form.settle()
        form.reread()
        assert same(form.value(), value), tool.name
        assert form.problems() == (), tool.name
        for key, wrong in broken(value, schema):
            form.set_value(wrong)
            form.settle()
            assert same(form.value(), wrong)
            assert {problem.path[:1] for problem in form.problems()} == {(key,)}, tool.name
            place = form.at((key,))
            assert place is not None
            assert place.complaint, f"{tool.name}.{key} is not marked"
        form.deleteLater()


def test_the_page_moves_to_a_window_of_its_own_and_back(make_program: MakeProgram) -> None:
    program = make_program(ALLOWED)

    async def flow() -> None:
        page = open_tool(program, "read_file")
        await program.until(page.isVisible)
        write(program, page, "path", "notes.txt")
        page.out.click()
        window = await program.until(lambda: program.find(QWidget, "tryWindow"))
        await program.until(window.isVisible)
        assert window.windowTitle() == "Try read_file"
        assert page.editor.form is not None
        await program.until(page.editor.json.isVisible)
        assert page.editor.form.isVisible()
        press(window, "runTry")
        await program.until(lambda: page.progress.state.text() == "done")
        assert page.progress.result.text == "buy milk\n"
        window.close()
        await program.until(lambda: page.run.window() is program.window_app.window)
        assert page.editor.arguments() == {"path": "notes.txt"}

    program.play(flow())
