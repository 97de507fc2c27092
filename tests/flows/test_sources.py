"""Sources as a person deals with them: the real window over a real engine, with real servers as processes."""

import asyncio
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import httpx
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from tests.fakes.mcp_sources import alive, rude
from tests.flows.conftest import Program

from callgate.core.config.settings import SourceSettings
from callgate.core.question import Answer, InputQuestion
from callgate.engine.sources.source_service import SourceView
from callgate.ui.sources.page import SourcesPage
from callgate.ui.sources.part_model import packed

Make = Callable[..., Program]


def configured(name: str, manner: str) -> str:
    return f'[[sources]]\nname = "{name}"\nkind = "mcp"\nera = "legacy"\ncommand = {json.dumps(list(rude(manner)))}\n'


def page_of(program: Program) -> SourcesPage:
    page = program.window_app.sources
    program.window_app.window.show_page("sources")
    return page


def view_of(program: Program, name: str) -> SourceView | None:
    return program.runtime.console.sources.source(name)


async def in_state(program: Program, name: str, state: str) -> None:
    await program.until(lambda: (view := view_of(program, name)) is not None and view.state == state)


def test_the_page_comes_up_by_its_keys_and_goes_by_escape(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page, window = program.window_app.sources, program.window_app.window
        assert not page.isVisible()
        window.activateWindow()
        await program.until(window.isActiveWindow)
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(window, Qt.Key.Key_S, both)
        assert page.isVisible()
        QTest.keyClick(page.list.view, Qt.Key.Key_Escape)
        assert not page.isVisible()

    program.play(go())


def test_a_pasted_command_is_checked_added_offered_kept_removed_and_brought_back(make_program: Make) -> None:
    program = make_program()

    async def add() -> None:
        page = page_of(program)
        await program.click("addSourceButton")
        dialog = page.add_dialog
        dialog.paste.setPlainText(shlex.join(rude("polite")))
        await program.until(lambda: len(dialog.rows) == 1)
        assert dialog.recognised.text() == "A command line"
        dialog.rows[0].name.setText("mine")
        await program.click("sourceAdd", dialog)
        await program.until(lambda: not dialog.isVisible())
        await in_state(program, "mine", "ready")
        await program.until(lambda: page.detail.name == "mine")
        await program.until(lambda: page.detail.state.text() == "Ready")
        async with httpx.AsyncClient() as client:
            listed = (await client.get(f"{program.runtime.address}/v1/tools?name=echo")).json()["data"]
        assert [tool["source"] for tool in listed] == ["mine"]

    program.play(add())
    program.restart()

    async def remove() -> None:
        page = page_of(program)
        await in_state(program, "mine", "ready")
        page.show_source("mine")
        pid = program.runtime.mcp_sources[0].pid
        await program.click("sourceRemove", page)
        await program.until(lambda: view_of(program, "mine") is None)
        await program.until(lambda: pid is not None and not alive(pid))
        await program.until(page.undo.isVisible)
        await program.click("undoButton", page.undo)
        await in_state(program, "mine", "ready")
        assert "mine" in (program.runtime.launch.data_folder / "sources.json").read_text("utf-8")

    program.play(remove())


def test_a_check_that_fails_says_why_and_it_can_be_added_all_the_same(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page = page_of(program)
        page.add_source()
        dialog = page.add_dialog
        dialog.paste.setPlainText("no-such-server-anywhere --flag")
        dialog.read()
        await program.click("sourceAdd", dialog)
        await program.until(lambda: dialog.add.text() == "Add anyway")
        failed = next(step for step in dialog.doctor.steps if step.state == "failed")
        assert (failed.id, "was not found" in failed.detail, bool(failed.hint)) == ("program", True, True)
        assert view_of(program, "no-such-server-anywhere") is None
        await program.click("sourceAdd", dialog)
        await in_state(program, "no-such-server-anywhere", "failed")
        await program.until(lambda: "was not found" in page.detail.reason.text())

    program.play(go())


def test_a_check_can_be_stopped_and_leaves_no_process(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page = page_of(program)
        page.add_source()
        dialog = page.add_dialog
        dialog.paste.setPlainText(shlex.join(rude("mute")))
        dialog.read()
        await program.click("sourceCheckOnly", dialog)
        step = await program.until(
            lambda: next((step for step in dialog.doctor.steps if step.detail.startswith("process ")), None)
        )
        pid = int(step.detail.removeprefix("process "))
        assert alive(pid)
        await program.click("sourceCancel", dialog)
        await program.until(lambda: not alive(pid))
        assert dialog.isVisible() and "stopped" in dialog.doctor.verdict.text()

    program.play(go())


def test_start_stop_restart_log_wire_and_tools_of_a_configured_server(make_program: Make) -> None:
    program = make_program(configured("noisy", "garbage") + configured("gone", "quits"))

    async def go() -> None:
        page = page_of(program)
        await in_state(program, "noisy", "ready")
        page.show_source("noisy")
        await program.click("sourceStop", page)
        await in_state(program, "noisy", "stopped")
        assert not page.detail.remove.isVisible()
        await program.click("sourceStart", page)
        await in_state(program, "noisy", "ready")
        pid = program.runtime.mcp_sources[0].pid
        await program.click("sourceRestart", page)
        await program.until(lambda: program.runtime.mcp_sources[0].pid not in (None, pid))
        await in_state(program, "noisy", "ready")
        await program.until(lambda: "<html>" in page.detail.log.text.toPlainText())
        wire = page.detail.wire
        await program.until(lambda: wire.model.rowCount() >= 9)
        wire.filter.setText("tools/list")
        shown = [str(wire.table.model().index(row, 2).data()) for row in range(wire.table.model().rowCount())]
        assert shown and all("tools/list" in words for words in shown)
        wire.table.selectRow(0)
        assert wire.detail.isVisibleTo(wire)
        assert page.detail.tools.model.rowCount() == 3
        await program.click("sourceCopy", page)
        assert json.loads(QGuiApplication.clipboard().text())["mcpServers"]["noisy"]["args"][-1] == "garbage"
        page.show_source("gone")
        await program.until(lambda: "no licence found" in page.detail.reason.text())
        await program.click("sourceCheck", page)
        await program.until(lambda: "does not work" in page.detail.doctor.verdict.text())
        assert "no licence found" in page.detail.doctor.stderr.toPlainText()

    program.play(go())


def test_switched_off_stays_off_after_a_restart_of_the_program(make_program: Make) -> None:
    program = make_program(configured("polite", "polite"))

    async def switch() -> None:
        page = page_of(program)
        await in_state(program, "polite", "ready")
        page.show_source("polite")
        page.detail.enabled.click()
        await in_state(program, "polite", "off")

    program.play(switch())
    program.restart()

    async def look() -> None:
        view = view_of(program, "polite")
        assert view is not None and (view.state, view.enabled) == ("off", False)

    program.play(look())


def test_servers_of_another_program_are_previewed_and_chosen(make_program: Make, fresh_environment: Path) -> None:
    file = fresh_environment / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True)
    command, *words = rude("polite")
    servers = {
        "one": {"command": command, "args": words, "env": {"API_KEY": "s3cret-value"}},
        "two": {"command": command, "args": words},
        "here": {"command": command, "args": list(rude("polite", "x"))[1:]},
    }
    file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    before = file.read_text("utf-8")
    program = make_program(configured("here", "polite"))

    async def go() -> None:
        page = page_of(program)
        await program.click("importSourcesButton")
        dialog = page.import_dialog
        await program.until(lambda: len(dialog.rows) == 3)
        # the same server is not offered twice, and a name that is taken becomes another
        named = {row.settings.name: row for row in dialog.rows}
        assert set(named) == {"one", "two", "here-2"}
        assert named["two"].trouble and not named["two"].is_wanted
        named["here-2"].wanted.setChecked(False)
        assert dialog.take.text() == "Import 1 server"
        await program.click("importTake", dialog)
        await in_state(program, "one", "ready")
        assert view_of(program, "two") is None
        kept = (program.runtime.launch.data_folder / "sources.json").read_text("utf-8")
        assert "s3cret-value" not in kept and "${input:API_KEY}" in kept
        assert file.read_text("utf-8") == before

    program.play(go())


def test_a_command_line_becomes_a_tool_that_runs(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page = page_of(program)
        await program.click("addCommandButton")
        dialog = page.command_dialog
        dialog.name.setText("count_words")
        dialog.command.setText("wc -w {file}")
        assert dialog.save.isEnabled()
        await program.click("commandSave", dialog)
        await program.until(lambda: program.runtime.catalog.get("count_words") is not None)
        tool = program.runtime.catalog.get("count_words")
        assert tool is not None and tool.source == "commands" and tool.schema["required"] == ["file"]
        page.add_command()
        dialog.name.setText("first_line")
        dialog.command.setText("head -n 1 {file}")
        await program.click("commandSave", dialog)
        await program.until(lambda: program.runtime.catalog.get("first_line") is not None)
        assert program.runtime.catalog.get("count_words") is not None

    program.play(go())


def test_a_toolset_is_made_by_dragging_and_from_the_keyboard_and_can_be_named(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page = page_of(program)
        await program.click("toolsetsButton")
        dialog = page.toolset_dialog
        await program.until(dialog.isVisible)
        dialog.start_new()
        dialog.name.setText("reader")
        data = packed(["read_file", "list_directory"])
        drop = QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        dialog.members.dropEvent(drop)
        dialog.filter.setText("find_files")
        assert dialog.parts.choose("find_files")
        QTest.keyClick(dialog.parts, Qt.Key.Key_Return)
        assert dialog.members.members == ("read_file", "list_directory", "find_files")
        second = dialog.members.visualItemRect(dialog.members.item(1)).center()
        QTest.mouseClick(dialog.members.viewport(), Qt.MouseButton.LeftButton, pos=second)
        QTest.keyClick(dialog.members, Qt.Key.Key_Delete)
        await program.click("toolsetSave", dialog)
        dialog.start_new()
        dialog.name.setText("outer")
        dialog.members.add(["reader", "git_status"])
        await program.click("toolsetSave", dialog)
        sets = {one.name: one.tools for one in program.runtime.console.toolsets()}
        assert sets == {
            "reader": ("read_file", "find_files"),
            "outer": ("read_file", "find_files", "git_status"),
        }
        await asyncio.sleep(0)

    program.play(go())


def test_a_source_is_changed_and_what_it_asks_for_is_asked_when_it_starts(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page, console = page_of(program), program.runtime.console
        settings = SourceSettings(name="mine", kind="mcp", command=rude("polite"), era="legacy")
        await console.sources.add(settings)
        await in_state(program, "mine", "ready")
        page.show_source("mine")
        await program.click("sourceEdit", page)
        dialog = page.add_dialog
        text = dialog.paste.toPlainText().replace('"polite"', '"polite", "${input:word}"').replace("mine", "yours")
        dialog.paste.setPlainText(text)
        dialog.read()
        await program.click("sourceAdd", dialog)
        await program.until(lambda: dialog.add.text() == "Save anyway")
        await program.click("sourceAdd", dialog)
        asked = await program.until(console.questions.waiting)
        assert isinstance(asked[0].question, InputQuestion) and asked[0].question.id == "word"
        console.questions.answer(asked[0].id, Answer("accept", text="hello"), "test")
        await in_state(program, "yours", "ready")
        assert view_of(program, "mine") is None

    program.play(go())


def test_the_tool_browser_leads_to_adding_a_source(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def play() -> None:
        program.window_app.tools.add.click()
        await program.until(program.window_app.sources.isVisible)

    program.play(play())
