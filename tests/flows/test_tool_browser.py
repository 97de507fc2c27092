"""The tool browser in the real window, over a real engine: found, understood, switched, followed."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from tests.fakes.tokenizers import table, tokenizer_json
from tests.flows.conftest import Program

from callgate.core.catalog.token_cost import token_cost
from callgate.core.catalog.tool_text import tool_text
from callgate.store.files.tokenizer_files import Place
from callgate.ui.tools.cost_table import CostTable
from callgate.ui.tools.detail import HISTORY, SCHEMA, TRY, USE
from callgate.ui.tools.model import ToolRole
from callgate.ui.tools.panel import ToolsPanel
from callgate.ui.tools.row_menu import fill_row_menu
from callgate.ui.widgets.choice_box import ChoiceBox

pytestmark = pytest.mark.qt_log_ignore("does not support")
"""Said by Qt's offscreen platform of every popup."""

MakeProgram = Callable[..., Program]
CHECK = Qt.ItemDataRole.CheckStateRole
ALLOWED = '[[rules]]\nverdict = "allow"\ntool = "read_file"\n'
RULED = f'{ALLOWED}note = "reading is fine"\n'
WEATHER = {
    "name": "get_weather",
    "answered_by": "person",
    "description": "Tells the current weather of a city in a sentence.",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
ASK = {"model": "any", "messages": [{"role": "user", "content": "hello"}]}
PATCH = {"type": "function", "function": {"name": "apply_patch", "parameters": {"type": "object"}}}


class Browser:
    """The panel, as a person uses it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.panel: ToolsPanel = program.window_app.tools
        self.client = httpx.AsyncClient(base_url=program.runtime.address, timeout=10)

    def play(self, flow: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def closing() -> None:
            async with self.client:
                await flow()

        self.program.play(closing())

    def type(self, text: str) -> None:
        line = self.program.find(QLineEdit, "toolFilter")
        line.clear()
        QTest.keyClicks(line, text)

    def said(self, name: str) -> str:
        return self.program.find(QLabel, name).text()

    def texts(self) -> set[str]:
        places = (self.panel, self.program.window_app.tool_page)
        return {label.text() for place in places for label in place.findChildren(QLabel) if label.isVisible()}

    def shown(self) -> list[str]:
        model = self.panel.model
        groups = [model.index(row, 0) for row in range(model.rowCount())]
        return [str(model.index(at, 0, group).data()) for group in groups for at in range(model.rowCount(group))]

    def index(self, name: str) -> QModelIndex:
        return self.panel.model.index_of(name)

    def choose(self, name: str, value: object) -> None:
        box = self.program.find(ChoiceBox, name)
        assert box.choose(value), value
        box.activated.emit(box.currentIndex())

    async def open(self, name: str, page: int = 0) -> None:
        await self.program.until(lambda: self.index(name).isValid())
        self.panel.tree.setCurrentIndex(self.index(name))
        self.panel.detail.tabs.setCurrentIndex(page)

    def switch(self, name: str, on: bool) -> None:
        state = Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        assert self.panel.model.setData(self.index(name), state, CHECK)


def test_a_person_finds_a_tool_by_a_few_letters_and_saves_the_filter(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def flow() -> None:
        total = len(program.runtime.console.tools())
        browser.type("rdfl")
        assert browser.shown()[0] == "read_file"
        assert browser.said("toolCount") == f"{len(browser.shown())} of {total}"
        browser.type("readonly:no -tag:git")
        assert browser.shown() and "read_file" not in browser.shown()
        browser.panel.field.fill_menu()
        keep = [action for action in browser.panel.field.menu.actions() if action.text() == "Save this filter…"]
        keep[0].trigger()
        QTest.keyClicks(program.find(QLineEdit, "filterName"), "changes things")
        program.find(QPushButton, "saveFilter").click()
        browser.type("read_file tag:nowhere")
        assert "“tag:nowhere” alone fits none" in " ".join(browser.texts())

    browser.play(flow)
    program.restart()
    again = Browser(program)
    again.panel.field.fill_menu()
    next(a for a in again.panel.field.menu.actions() if a.text().startswith("changes things")).trigger()
    assert program.find(QLineEdit, "toolFilter").text() == "readonly:no -tag:git"


def test_the_tree_is_grouped_as_chosen_and_stays_so(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)
    assert browser.panel.model.index(0, 0).data(ToolRole.GROUP).kind == "source"
    browser.choose("toolGrouping", "tag")
    kinds = {browser.panel.model.index(row, 0).data(ToolRole.GROUP).kind for row in range(3)}
    assert kinds == {"tag"}
    program.restart()
    again = Browser(program)
    assert again.panel.model.index(0, 0).data(ToolRole.GROUP).kind == "tag"


def test_a_tool_is_switched_off_for_one_agent_only(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def listed(agent: str) -> set[str]:
        answer = await browser.client.get("/v1/tools", headers={"user-agent": agent})
        return {tool["name"] for tool in answer.json()["data"]}

    async def flow() -> None:
        headers = {"user-agent": "codex/1.0"}
        await browser.client.post("/v1/chat/completions", json=ASK | {"tools": [PATCH]}, headers=headers)
        agent = await program.until(lambda: next(iter(browser.panel.knowledge.facts.agents), ""))
        assert browser.index("apply_patch").parent().data() == "Client tools"
        browser.choose("toolScope", agent)
        assert browser.said("toolScopeWords") == f"Boxes are for {agent} alone."
        browser.switch("read_file", False)
        await program.until(lambda: browser.index("read_file").data(CHECK) == Qt.CheckState.Unchecked)
        assert "read_file" not in await listed("codex/1.0") and "read_file" in await listed("curl/8")
        browser.choose("toolScope", "")
        assert browser.index("read_file").data(CHECK) == Qt.CheckState.Checked
        browser.choose("toolScope", agent)
        program.find(QPushButton, "toolScopeReset").click()
        await program.until(lambda: browser.index("read_file").data(CHECK) == Qt.CheckState.Checked)
        assert "read_file" in await listed("codex/1.0")

    browser.play(flow)


def test_tools_that_come_and_go_leave_the_rest_in_place_and_a_changed_one_is_marked(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def flow() -> None:
        await browser.open("read_file")
        assert (await browser.client.post("/v1/tools", json=WEATHER)).status_code == 201
        await program.until(lambda: browser.index("get_weather").isValid())
        assert browser.panel.selected is not None and browser.panel.selected.name == "read_file"
        assert (await browser.client.delete("/v1/tools/get_weather")).status_code == 200
        await program.until(lambda: not browser.index("get_weather").isValid())
        changed = WEATHER | {"description": "Tells the weather, and asks for your key."}
        await browser.client.post("/v1/tools", json=changed)
        await program.until(lambda: bool(browser.panel.knowledge.facts.changed))
        assert "its definition has changed" in browser.index("get_weather").data(Qt.ItemDataRole.AccessibleTextRole)
        await browser.open("get_weather", HISTORY)
        compare = await program.until(lambda: program.find(QToolButton, "toolCompare"))
        assert any("description changed" in text for text in browser.texts())
        compare.click()
        assert compare.parent().diff.isVisible()
        await program.until(lambda: not browser.panel.knowledge.facts.changed)

    browser.play(flow)


def test_use_rules_and_last_calls_lead_into_the_conversation(make_program: MakeProgram) -> None:
    program = make_program(RULED)
    browser = Browser(program)

    async def flow() -> None:
        await browser.open("read_file", USE)
        await program.until(lambda: "Never called so far." in browser.texts())
        auto = {"use_tools": True, "tool_execution": "auto"}
        question = {"model": "any", "messages": [{"role": "user", "content": "What does notes.txt say?"}]}
        await browser.client.post("/v1/chat/completions", json=question | auto)
        call = await program.until(lambda: program.find(QPushButton, "toolCall"))
        await program.until(lambda: {"calls", "by rule"} <= browser.texts())
        assert "Allow read_file" in browser.texts()
        [conversation] = await program.runtime.journal.conversations()
        program.window_app.conversation.start_new()
        call.click()
        await program.until(lambda: program.window_app.conversation.conversation == conversation.id)
        browser.type("used:yes")
        assert browser.shown() == ["read_file"]

    browser.play(flow)


def test_the_cost_is_counted_where_a_tokenizer_is_named_and_estimated_where_none_is(
    make_program: MakeProgram, tmp_path: Path
) -> None:
    """The tokenizers are read in a thread: the estimate is there first, the counts take its place."""
    named = tmp_path / "o200k_base.tiktoken"
    named.write_bytes(table())
    qwen = tokenizer_json(tmp_path / "tokenizer.json")
    program = make_program(f'[tokenizers]\nopenai = "{named}"\nqwen = "{qwen}"\ngemini = "{tmp_path / "gone.json"}"\n')
    browser = Browser(program)

    async def flow() -> None:
        await browser.client.post("/v1/tools", json=WEATHER)
        await browser.open("get_weather")
        await program.until(lambda: browser.program.find(CostTable, "toolCostTable"))
        await program.until(lambda: "counted, o200k_base" in browser.texts())
        tool = program.runtime.catalog.get("get_weather")
        assert tool is not None
        count = Place("openai", named).load().count(tool_text(tool, "openai"))
        estimate = token_cost(tool)
        words = browser.program.find(CostTable, "toolCostTable").words
        assert f"OpenAI {count} counted, o200k_base" in words
        assert f"Anthropic ~{estimate.anthropic} estimated Gemini ~{estimate.gemini} estimated" in words
        assert words.endswith("counted, tokenizer.json")
        assert f"Gemini: {tmp_path / 'gone.json'} cannot be read: No such file or directory" in browser.texts()
        facts = browser.panel.knowledge.facts
        await program.until(lambda: len(facts.counts) == len(program.runtime.catalog.tools()))
        assert facts.tokens["get_weather"] == sorted((count, estimate.anthropic, estimate.gemini))[1]

    browser.play(flow)


def test_findings_cost_and_schema_are_told_of_a_doubtful_tool(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)
    doubtful = {
        "name": "delete_all",
        "answered_by": "person",
        "description": "",
        "inputSchema": {"type": "object", "properties": {"mode": {"oneOf": [{"const": "a"}, {"const": "b"}]}, "x": {}}},
        "annotations": {"readOnlyHint": True},
    }

    async def flow() -> None:
        await browser.client.post("/v1/tools", json=doubtful)
        await browser.open("delete_all")
        await program.until(lambda: "Findings" in browser.texts())
        texts = browser.texts()
        assert "It has no description for the model." in texts and "x has no type." in texts
        assert "oneOf is a keyword that older Gemini models refuse." in texts
        assert any("tokens in every request" in text for text in texts)
        await program.until(lambda: browser.said("toolCost").startswith("≈ "))
        browser.panel.detail.tabs.setCurrentIndex(SCHEMA)
        assert [row.name for row in browser.panel.detail.schema.parameters.rows] == ["mode", "x"]
        browser.panel.detail.tabs.setCurrentIndex(TRY)
        assert browser.panel.detail.try_it is not None and browser.panel.detail.try_it.tool is not None
        browser.type("lint:no-desc")
        assert "delete_all" in browser.shown()
        listed = (await browser.client.get("/v1/tools/delete_all")).json()
        assert listed["tokenCost"]["openai"] > 0

    browser.play(flow)


def test_a_whole_source_goes_off_and_one_of_its_tools_comes_back(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def flow() -> None:
        group = browser.index("read_file").parent()
        browser.panel.model.setData(group, Qt.CheckState.Unchecked, CHECK)
        await program.until(lambda: browser.index("read_file").data(CHECK) == Qt.CheckState.Unchecked)
        assert (await browser.client.get("/v1/tools")).json()["data"] == []
        browser.switch("read_file", True)
        await program.until(lambda: browser.index("read_file").data(CHECK) == Qt.CheckState.Checked)
        data = (await browser.client.get("/v1/tools")).json()["data"]
        assert [tool["name"] for tool in data] == ["read_file"]
        assert group.data(CHECK) == Qt.CheckState.PartiallyChecked

    browser.play(flow)


def test_a_tool_is_read_on_a_page_of_its_own_or_with_the_tree_as_the_person_left_it(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)
    window = program.window_app.window

    async def flow() -> None:
        page, composer, tree = program.window_app.tool_page, program.find(QWidget, "composer"), browser.panel.tree
        assert composer.isVisible() and not page.isVisible()
        tree.setFocus()
        await browser.open("read_file")
        assert page.isVisible() and not composer.isVisible()
        assert browser.panel.detail.width() > 600 and browser.panel.detail.about.columns.is_wide
        assert tree.hasFocus(), "whoever goes through the tree goes on"
        await browser.client.post("/v1/chat/completions", json=ASK)
        await program.until(lambda: program.window_app.conversation.conversation)
        assert page.isVisible(), "what arrives by itself takes no page away"
        QTest.keyClick(tree, Qt.Key.Key_Escape)
        assert composer.isVisible() and program.window_app.conversation.isVisible()
        place = tree.visualRect(browser.index("read_file")).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert page.isVisible(), "a click on the same tool shows it again"
        program.find(QToolButton, "moveDetails").click()
        assert composer.isVisible() and browser.panel.isAncestorOf(browser.panel.detail)
        assert browser.panel.detail.isVisible()

    browser.play(flow)
    program.restart()
    again = Browser(program)

    async def later() -> None:
        await again.open("list_directory")
        assert again.panel.detail.isVisible() and not program.window_app.tool_page.isVisible()
        program.find(QToolButton, "moveDetails").click()
        assert program.window_app.tool_page.isVisible() and again.panel.detail.isVisible()
        program.find(QToolButton, "closeDetails").click()
        assert not program.window_app.tool_page.isVisible() and again.panel.selected is None

    again.play(later)
    assert window is not program.window_app.window


def test_the_browser_and_the_sources_lead_to_each_other(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)
    sources = program.window_app.sources

    async def flow() -> None:
        index = browser.index("read_file").parent()
        fill_row_menu(
            browser.panel.tree.menu, browser.panel.tree, index, browser.type, browser.panel.tree.source_wanted.emit
        )
        doing = (a for a in browser.panel.tree.menu.actions() if a.text() == "How this source is doing…")
        next(doing).trigger()
        assert sources.isVisible() and sources.detail.name == "built-in"
        sources.detail.tabs.setCurrentWidget(sources.detail.tools)
        rows = sources.detail.tools.view
        rows.activated.emit(rows.model().index(0, 0))
        await program.until(program.window_app.tool_page.isVisible)
        assert browser.panel.selected is not None and browser.panel.selected.name == rows.model().index(0, 0).data()
        browser.choose("toolGrouping", "toolset")
        program.find(QPushButton, "makeToolset").click()
        assert sources.toolset_dialog.isVisible()
        sources.toolset_dialog.hide()

    browser.play(flow)


def test_switching_a_tool_off_opens_no_page(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def flow() -> None:
        tree = browser.panel.tree
        row = tree.visualRect(browser.index("read_file"))
        box = browser.panel.tree.itemDelegate().box_rect(row).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=box)
        await program.until(lambda: browser.index("read_file").data(CHECK) == Qt.CheckState.Unchecked)
        assert not program.window_app.tool_page.isVisible() and browser.panel.selected is None

    browser.play(flow)


def test_a_waiting_call_is_seen_at_its_tool(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def flow() -> None:
        question = {"model": "any", "messages": [{"role": "user", "content": "What does notes.txt say?"}]}
        body = question | {"use_tools": True, "tool_execution": "auto"}
        asking = asyncio.ensure_future(browser.client.post("/v1/chat/completions", json=body))
        waiting = await program.until(program.runtime.console.waiting)
        await program.until(lambda: browser.panel.knowledge.facts.waiting == {("built-in", "read_file"): 1})
        assert "1 waiting" in browser.index("read_file").data(Qt.ItemDataRole.AccessibleTextRole)
        program.runtime.console.stop(waiting[0].conversation_id)
        await asking
        await program.until(lambda: not browser.panel.knowledge.facts.waiting)

    browser.play(flow)


def test_every_token_narrows_the_tree_and_is_completed_while_one_types(make_program: MakeProgram) -> None:
    program = make_program()
    browser = Browser(program)

    async def flow() -> None:
        await browser.client.post("/v1/tools", json=WEATHER)
        await browser.client.post("/v1/tools", json=WEATHER | {"name": "vague", "description": ""})
        headers = {"user-agent": "codex/1.0"}
        await browser.client.post("/v1/chat/completions", json=ASK | {"tools": [PATCH]}, headers=headers)
        agent = await program.until(lambda: next(iter(browser.panel.knowledge.facts.agents), ""))
        await program.until(
            lambda: browser.index("get_weather").isValid() and browser.panel.knowledge.appraiser.is_done
        )
        program.runtime.console.enable_tool("write_file", False)
        await program.until(lambda: browser.index("write_file").data(CHECK) == Qt.CheckState.Unchecked)
        everything = set(browser.shown())
        for text, there, gone in (
            ("get_*", "get_weather", "read_file"),
            ("tag:files", "read_file", "get_weather"),
            ("source:built", "read_file", "get_weather"),
            (f"agent:{agent}", "apply_patch", "write_file"),
            ("readonly:yes", "read_file", "write_file"),
            ("enabled:no", "write_file", "read_file"),
            ("used:never", "read_file", ""),
            ("lint:no-desc", "vague", "read_file"),
        ):
            browser.type(text)
            shown = set(browser.shown())
            assert shown < everything or text == "used:never", text
            assert there in shown, text
            assert gone not in shown, text
        browser.type("rea")
        assert "readonly:" in browser.panel.field.offered
        browser.panel.field.choose("readonly:")
        assert set(browser.panel.field.offered) == {"yes", "no", "unknown"}
        browser.panel.field.choose("yes")
        assert program.find(QLineEdit, "toolFilter").text() == "readonly:yes "
        assert "read_file" in browser.shown() and "write_file" not in browser.shown()

    browser.play(flow)


def test_a_source_that_fails_is_marked_where_its_tools_would_be(make_program: MakeProgram) -> None:
    program = make_program('[[sources]]\nname = "gone"\nkind = "mcp"\ncommand = ["no-such-server-anywhere"]\n')
    browser = Browser(program)

    async def flow() -> None:
        await program.until(
            lambda: (view := browser.panel.knowledge.facts.sources.get("gone")) and view.state == "failed"
        )
        model = browser.panel.model

        def groups() -> dict[str, int]:
            rows = [model.index(row, 0) for row in range(model.rowCount())]
            return {str(index.data()): model.rowCount(index) for index in rows}

        await program.until(lambda: groups().get("gone") == 0)
        group = next(model.index(row, 0) for row in range(model.rowCount()) if model.index(row, 0).data() == "gone")
        delegate = browser.panel.tree.itemDelegate()
        words, color = delegate._about_group(group, group.data(ToolRole.GROUP))
        assert words.startswith("failed: ") and "was not found" in words and color == "denied"
        assert [badge.icon for badge in delegate._group_badges(group.data(ToolRole.GROUP))] == ["failed"]

    browser.play(flow)
